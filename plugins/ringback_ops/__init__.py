"""The `ringback` command and what it prints."""

from __future__ import annotations
