"""Decisions: plain functions without I/O, clock, log or loop."""

from __future__ import annotations
