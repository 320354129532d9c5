"""Doubles that are public, and the suite that every back-end passes."""

from __future__ import annotations

from ringback.testing.hash_embedder import HashEmbedder

__all__ = ["HashEmbedder"]
