"""Benchmarks: each prints a table for people and, as its last line, one line of JSON."""

from __future__ import annotations
