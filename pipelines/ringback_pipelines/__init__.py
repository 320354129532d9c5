"""Runnable bots, each read top to bottom; `wiring` puts every one of them together."""

from __future__ import annotations
