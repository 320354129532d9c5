"""Reads what callers say in Chinese, in traditional and in simplified signs."""
