"""Which memory a command reads and writes: one option, one default."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import platformdirs

from ringback_ops.cli import existing_path

TENANT = "local"  # a command at a terminal serves one person's callers


def add_memory_argument(parser: argparse.ArgumentParser) -> None:
    """Add --memory."""
    parser.add_argument(
        "--memory",
        type=existing_path,
        default=existing_path(os.environ["RINGBACK_MEMORY"])
        if os.environ.get("RINGBACK_MEMORY")
        else default_file(),
        metavar="FILE",
        help="the SQLite file that remembers",
    )


def default_file() -> Path:
    """The file in the platform's data folder."""
    return platformdirs.user_data_path("ringback") / "memory.db"


def memory_url(file: Path) -> str:
    """The URL of a file; its folder is made."""
    file.parent.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{file}"
