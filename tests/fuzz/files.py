"""Damaged files of every kind that a command reads: right ones in which bytes or values change."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import numpy as np
from tools.checkout import ROOT

from fuzz.case import Case
from rope_cli.text import LANGUAGES
from rope_cli.verify.explain.frequency_list import MOST_EXPLAINED

DATA = ROOT / "tests" / "data"
# Words of a file of text, and what may stand in their place.
STRANGE = (
    *("NaN", "Infinity", "-Infinity", "1e999", "-1", "0", "-0.0", "1e-320", "1e308", "0.5"),
    *("9007199254740993", "18446744073709551616", "9" * 400, "65536", "1048576", "true", "null"),
    *('""', '"x"', '"\\u0000"', '"\\ud800"', "[]", "{}", "[[]]", "[" * 2000, "=1+1", "٤", "1_0"),
)
INTERESTING_BYTES = (0x00, 0x01, 0x7F, 0x80, 0xFF, 0x0A, 0x22, 0x2C, 0x5B, 0x7B)
DESCRIPTIONS = (
    *("<f8", ">f8", "<f4", "<f2", "<u2", "<c16", "|b1", "<i8", "|O", "<U3", "|V8", "<M8[s]"),
    *("f8", "", "<f", 3, None, [("a", "<f8")], ("<f8", (2,)), "<f8\n", "float64", "<f9"),
)
SHAPES = (
    *((), (0,), (3,), (2, 4), (2, -4), (2**40, 2**40), (2**63,), (True, 8), (8.0,), ("8",), None),
    *([2, 4], (1,) * 40, (10**30,), (1, 2, 8, 4), (8, 0), (8, 1)),
)


def random_file_case(random: Random) -> Case:
    """One command, one file that it reads, and up to four changes of the file."""
    name, words = random.choice(READINGS)
    original = originals()[random.choice(KINDS[name.rpartition(".")[2]][words[0]])]
    data = changed(original, random)
    return Case(
        (*words, "--lang", random.choice(LANGUAGES)),
        {name: data},
        encoding="utf-8",
    )


# A name of a file, and the command lines that read it.
READINGS = (
    ("a.npz", ("verify", "a.npz")),
    ("a.npz", ("verify", "--frequencies", "a.npz")),
    ("a.npy", ("verify", "a.npy", "rows.npy")),
    ("a.npy", ("verify", "--frequencies", "a.npy")),
    ("a.npy", ("show", "norms", "--query", "a.npy")),
    ("a.json", ("verify", "a.json")),
    ("a.json", ("verify", "--frequencies", "a.json")),
    ("a.json", ("show", "norms", "--key", "a.json")),
    ("a.json", ("scaling", "a.json")),
    ("a.json", ("scaling", "a.json", "--length", "9000", "--format", "json")),
    ("a.json", ("vectors", "--config", "a.json")),
    ("a.json", ("mark", "a.json")),
    ("a.csv", ("verify", "--frequencies", "a.csv")),
    ("a.csv", ("show", "norms", "--query", "a.csv")),
    ("a.csv", ("mark", "a.csv", "--format", "csv")),
    ("a.txt", ("verify", "--frequencies", "a.txt")),
    ("a.txt", ("mark", "a.txt")),
)
ARRAYS = ("npz", "deflated", "npy", "vector", "wide")
CONFIGS = ("llama3", "yarn", "longrope", "mistral", "gguf", "types")
# To explain a list takes a second, so most are longer than those that are explained.
LISTS = ("list", *("long lines",) * 11)
KINDS: dict[str, dict[str, tuple[str, ...]]] = {
    "npz": {"verify": ARRAYS},
    "npy": {"verify": ARRAYS, "show": ARRAYS},
    "json": {
        "verify": ("arrays", *LISTS, "llama3"),
        "show": ("rows", "list"),
        "scaling": CONFIGS,
        "vectors": CONFIGS,
        "mark": ("json answers", "list"),
    },
    "csv": {
        "verify": (*LISTS, "csv answers"),
        "show": ("csv rows", "lines"),
        "mark": ("csv answers",),
    },
    "txt": {"verify": LISTS, "mark": ("answers", "lines")},
}


@cache
def originals() -> dict[str, bytes]:
    """Right files, small, by what they hold."""
    rows = np.random.default_rng(5).standard_normal((2, 6, 8))
    pair = {"input": rows, "output": rows}
    scaled = {
        "model_type": "llama",
        "head_dim": 8,
        "num_attention_heads": 4,
        "hidden_size": 32,
        "rope_theta": 10000.0,
        "max_position_embeddings": 4096,
    }
    yarn = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 1024}
    long = {
        "rope_type": "longrope",
        "short_factor": [1.0, 1.1, 1.2, 1.3],
        "long_factor": [1.0, 2.0, 3.0, 4.0],
        "original_max_position_embeddings": 1024,
    }
    types = {"full_attention": yarn, "sliding_attention": {"rope_type": "default"}}
    mistral = {"dim": 32, "n_heads": 4, "n_layers": 2, "head_dim": 8, "rope_theta": 1e6}
    gguf = {
        "general.architecture": "llama",
        "llama.embedding_length": 32,
        "llama.attention.head_count": 4,
        "llama.rope.freq_base": 1e4,
        "llama.rope.dimension_count": 8,
        "llama.context_length": 4096,
    }
    frequencies = [1.0, 0.1, 0.01, 0.001]
    texts = {
        "arrays": {name: rows[0].tolist() for name in pair},
        "list": frequencies,
        "rows": rows[0, :, :4].tolist(),
        "yarn": scaled | {"rope_scaling": yarn},
        "longrope": scaled | {"rope_scaling": long},
        "types": scaled | {"layer_types": [*types], "rope_parameters": types},
        "mistral": mistral,
        "gguf": gguf,
        "json answers": {"norms-1": 2.41, "direction-1": "0,941", "order-1": 2},
    }
    return {
        "npz": saved(np.savez, **pair),
        "deflated": saved(np.savez_compressed, **pair, positions=np.arange(6)),
        "npy": saved(np.save, rows[0, :, :4]),
        "vector": saved(np.save, np.array(frequencies, np.float32)),
        "wide": saved(np.save, rows.astype(np.float16)),
        **{name: json.dumps(value, indent=1).encode() for name, value in texts.items()},
        "llama3": (DATA / "llama-3.1-8b.json").read_bytes(),
        "lines": "\n".join(map(str, frequencies)).encode(),
        "long lines": "\n".join(str(0.99**k) for k in range(MOST_EXPLAINED + 1)).encode(),
        "csv rows": b"1,0,1,0\n0.5,-2,3,1e3\n",
        "csv answers": (DATA / "answers" / "boris.csv").read_bytes(),
        "answers": (DATA / "answers" / "anna.txt").read_bytes(),
    }


def saved(save: Callable[..., None], *values: Any, **arrays: Any) -> bytes:
    """The bytes that numpy writes."""
    file = io.BytesIO()
    save(file, *values, **arrays)
    return file.getvalue()


def changed(data: bytes, random: Random) -> bytes:
    """The file after one to four changes of its bytes, words, header or members."""
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        if data.startswith(b"PK") and random.random() < 0.6:
            data = change_member(data, random)
        elif data.startswith(b"\x93NUMPY") and random.random() < 0.5:
            data = change_header(data, random)
        elif data[:1] not in (b"P", b"\x93") and random.random() < 0.7:
            data = change_word(data, random)
        else:
            data = change_bytes(data, random)
    return data


def change_bytes(data: bytes, random: Random) -> bytes:
    """Flip a bit, set a byte, cut, repeat, remove, insert."""
    if not data:
        return bytes([random.choice(INTERESTING_BYTES)])
    # Headers are short, and every byte of them counts.
    place = random.randrange(len(data) if random.random() < 0.5 else min(len(data), 128))
    end = min(len(data), place + random.choice((1, 2, 8, 64)))
    kind = random.randrange(6)
    if kind == 0:
        return data[:place] + bytes([data[place] ^ 1 << random.randrange(8)]) + data[place + 1 :]
    if kind == 1:
        return data[:place] + bytes([random.choice(INTERESTING_BYTES)]) + data[place + 1 :]
    if kind == 2:
        return data[:place]
    if kind == 3:
        return data[:end] + data[place:end] * random.choice((1, 3, 100)) + data[end:]
    if kind == 4:
        return data[:place] + data[end:]
    return data[:place] + random.randbytes(end - place) + data[place:]


def change_word(data: bytes, random: Random) -> bytes:
    """Put a strange value where a word, a number or a string stands."""
    starts = [
        index
        for index, (before, sign) in enumerate(zip(b" " + data, data, strict=False))
        if before in b' \n,:[{"' and sign not in b' \n,:[]{}"'
    ]
    if not starts:
        return change_bytes(data, random)
    begin = random.choice(starts)
    ends = (index for index in range(begin, len(data)) if data[index] in b'\n,:]}"')
    end = next(ends, len(data))
    strange = random.choice(STRANGE).encode("utf-8", "surrogatepass")
    return data[:begin] + strange + data[end:]


def change_header(data: bytes, random: Random) -> bytes:
    """Another description, shape, order or key in the header of an array, its length right."""
    length = int.from_bytes(data[8:10], "little")
    header: dict[Any, Any] = {"descr": "<f8", "fortran_order": False, "shape": (6, 4)}
    kind = random.randrange(4)
    if kind == 0:
        header["descr"] = random.choice(DESCRIPTIONS)
    elif kind == 1:
        header["shape"] = random.choice(SHAPES)
    elif kind == 2:
        header["fortran_order"] = random.choice((True, None, 2, "no"))
    else:
        key = random.choice((*header, "more", 3, ()))
        if not header.pop(key, 0):
            header[key] = 1
    text = (repr(header) + "\n").encode()
    return data[:8] + len(text).to_bytes(2, "little") + text + data[10 + length :]


def change_member(data: bytes, random: Random) -> bytes:
    """An archive whose sums are right, with a member changed, renamed, doubled or left out."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [(name, archive.read(name)) for name in archive.namelist()]
    except Exception:  # damaged by an earlier change in one of many ways
        return change_bytes(data, random)
    if not members:
        return change_bytes(data, random)
    index = random.randrange(len(members))
    name, content = members[index]
    kind = random.randrange(5)
    if kind < 3:
        change = change_header if content.startswith(b"\x93NUMPY") and kind else change_bytes
        members[index] = name, change(content, random)
    elif kind == 3:
        names = (" ", "input", "x.npy", "../x.npy", "positions.npy", "key.npy", "\x1b.npy", "я.npy")
        members[index] = random.choice(names), content
    else:
        del members[index]
    file = io.BytesIO()
    method = random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA))
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in members:
            if name not in archive.namelist():
                archive.writestr(name, content)
    return file.getvalue()
