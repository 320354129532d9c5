"""Doubles that are public, and the suite that every back-end passes."""

from __future__ import annotations
