"""Sweeps to their end: every command in every memory, every damage before every option.

Minutes each, so they run on demand: ``python tests/fuzz --only memory`` and ``--only damage``. The
suite tries a share of both.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

import numpy as np

from fuzz.case import Case
from fuzz.files import saved
from fuzz.processes import MEMORIES, with_little_memory

FORMATS = ("text", "json", "markdown", "html")
MEMORY_LINES: tuple[tuple[str, ...], ...] = (
    ("show", "chapter"),
    ("show", "note", "--format", "html"),
    *(("show", "norms", "--format", name) for name in FORMATS),
    ("show", "glossary", "--lang", "ru"),
    ("show", "glossary", "--format", "csv"),
    ("show", "norms", "-d", "64", "--positions", "0:2000", "--query", "rows.npy"),
    ("show", "heads", "--step"),
    ("list",),
    ("check",),
    ("completion", "fish"),
    ("-h",),
    ("--version",),
    *(("verify", "arrays.npz", "--format", name) for name in FORMATS),
    ("verify", "rows.npy", "rows.npy"),
    ("verify", "--frequencies", "list.csv"),
    ("verify", "--frequencies", "list.csv", "--config", "model.json"),
    ("vectors",),
    ("vectors", "-d", "64", "--positions", "0:360", "-o", "file.json"),
    ("vectors", "-d", "64", "--positions", "0:360", "-o", "file.npz"),
    *(("scaling", "model.json", "--rows", "all", "--format", name) for name in FORMATS),
    ("scaling", "model.json", "other.json"),
    ("predict", "all"),
    ("predict", "all", "--format", "gift"),
    ("predict", "note", "--handout", "answers", "--format", "html", "-o", "file.html"),
    ("mark", "answers.txt"),
    ("mark", "answers.txt", "--format", "csv"),
    ("figure", "bound", "-o", "file.svg"),
    ("figure", "model.json", "-o", "file.svg"),
    ("figure", "bound", "-o", "file.png"),
)


def memory_sweep() -> Iterator[Callable[[], str | None]]:
    """Every command with 200 MB to 2 GB of addresses, in 20 steps."""
    for words, memory in product(MEMORY_LINES, MEMORIES):
        yield partial(with_little_memory, words, memory)


ROWS = np.array([[1.0, -0.5], [0.25, 2.0]])
CONFIG = {
    "head_dim": 4,
    "hidden_size": 16,
    "num_attention_heads": 4,
    "max_position_embeddings": 512,
    "rope_theta": 1e4,
    "rope_scaling": {"rope_type": "linear", "factor": 2.0},
}
# Small right files; what stands before the first blank is the ending of their names.
DAMAGED: dict[str, bytes] = {
    "npy": saved(np.save, ROWS),
    "npy vector": saved(np.save, np.array([1.0, 0.01], np.float32)),
    "npz": saved(np.savez, input=ROWS, output=-ROWS),
    "npz packed": saved(np.savez_compressed, input=ROWS, output=-ROWS),
    "json": json.dumps({"input": ROWS.tolist(), "output": ROWS.tolist()}).encode(),
    "json list": b"[1.0, 0.01]",
    "json config": json.dumps(CONFIG).encode(),
    "json answers": b'{"norms-1": 2.41, "direction-1": "0,941"}',
    "csv": b"1,-0.5\n0.25,2e0\n",
    "csv answers": b"norms-1,2.41\norder-1,2\n",
    "csv list": b"1.0\n0.01\n",
}
# Every option and argument that takes a file, before one that is right where two are needed.
OPTIONS: tuple[tuple[str, ...], ...] = (
    ("show", "norms", "--query", "FILE"),
    ("show", "norms", "--key", "FILE"),
    ("verify", "FILE"),
    ("verify", "FILE", "rows.npy"),
    ("verify", "rows.npy", "FILE"),
    ("verify", "turned.npz", "--config", "FILE"),
    ("verify", "--frequencies", "FILE"),
    ("verify", "--frequencies", "one.csv", "--config", "FILE"),
    ("vectors", "--config", "FILE"),
    ("scaling", "FILE"),
    ("scaling", "FILE", "config.json"),
    ("scaling", "config.json", "FILE"),
    ("figure", "FILE", "-o", "out.svg"),
    ("mark", "FILE", "norms"),
)


def damage_sweep(step: int = 1) -> Iterator[Case]:
    """Every ``step``-th flipped bit and shorter file of every kind, before every option."""
    for (kind, data), words in product(DAMAGED.items(), OPTIONS):
        ending = kind.split()[0]
        if ending == "npz" and words[0] == "show":
            ending = "npy"  # Rows come from files of three endings, and others are no files.
        name = f"a.{ending}"
        line = tuple(name if word == "FILE" else word for word in words)
        for changed in damaged(data, step):
            yield Case(line, {name: changed})


def damaged(data: bytes, step: int = 1) -> Iterator[bytes]:
    """Every ``step``-th of all single flipped bits, and of all shorter files."""
    for place in range(0, 8 * len(data), step):
        changed = bytearray(data)
        changed[place // 8] ^= 1 << place % 8
        yield bytes(changed)
    for length in range(0, len(data), step):
        yield data[:length]
