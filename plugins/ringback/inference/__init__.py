"""Asking models: language models over HTTP."""

from __future__ import annotations

from ringback.inference.openai import OpenAiGenerator

__all__ = ["OpenAiGenerator"]
