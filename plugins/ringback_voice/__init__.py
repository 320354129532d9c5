"""Local speech parts as ordinary Pipecat services, usable without memory."""

from __future__ import annotations
