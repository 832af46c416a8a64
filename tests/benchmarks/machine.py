"""The first lines of the output: on what the figures were taken."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PROCESSORS = Path("/proc/cpuinfo")
CACHES = Path("/sys/devices/system/cpu/cpu0/cache")


def versions(*packages: str) -> str:
    """The packages with their versions, those that are installed."""
    parts = []
    for package in packages:
        try:
            parts.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return ", ".join(parts)


def processor(description: Path = PROCESSORS) -> str:
    """The name of the processor's model, as well as this system tells it."""
    try:
        for line in description.read_text("utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    except OSError:
        pass
    return platform.processor() or platform.machine() or "unknown processor"


def caches(folder: Path = CACHES) -> str:
    """The data caches of the first CPU with their sizes; empty if they cannot be read."""
    parts = []
    for index in sorted(folder.glob("index*")):
        try:
            level, kind, size = (
                (index / name).read_text("ascii").strip() for name in ("level", "type", "size")
            )
        except OSError:
            continue
        if kind != "Instruction":
            parts.append(f"L{level} {size}")
    return ", ".join(parts)


def first_line(runs: int) -> str:
    """Everything that a reader needs to judge the figures, in one line."""
    parts = [
        f"Python {platform.python_version()}",
        versions("numpy"),
        processor(),
        f"{os.cpu_count()} CPUs",
        caches(),
        f"{runs} runs in turn",
    ]
    return "; ".join(part for part in parts if part)
