"""Asking models: language models over HTTP, sentence vectors on this machine."""

from __future__ import annotations

from ringback.inference.onnx_embedder import OnnxEmbedder
from ringback.inference.openai import OpenAiGenerator

__all__ = ["OnnxEmbedder", "OpenAiGenerator"]
