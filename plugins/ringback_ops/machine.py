"""A line about the machine, beside every figure that was measured on it."""

from __future__ import annotations

import os
import platform
from pathlib import Path

GIB = 1024**3


def machine_line() -> str:
    """Processor, cores, memory, system and Python, e.g. for a report's head."""
    cores = os.cpu_count() or 1
    memory = memory_bytes()
    parts = [
        processor_name(),
        f"{cores} core{'s' if cores > 1 else ''}",
        *([f"{memory / GIB:.0f} GiB"] if memory else []),
        f"{platform.system()} {platform.machine()}",
        f"Python {platform.python_version()}",
    ]
    return ", ".join(parts)


def processor_name() -> str:
    """The processor's own name where the system tells it."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown processor"


def memory_bytes() -> int | None:
    """Main memory in bytes; None where the system does not tell."""
    names = getattr(os, "sysconf_names", {})
    if "SC_PHYS_PAGES" not in names:
        return None
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
