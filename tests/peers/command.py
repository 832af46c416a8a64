"""Runs every rotation whose library is installed, near and far, in each of its dtypes."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from peers.rotations import PEERS, Array, Peer
from rope_cli.cli.main import main as verify

# The first positions of 32 consecutive tokens.
STARTS = (0, 4_000, 32_750, 131_040)
TOKENS, HEADS = 32, 2


class Result(NamedTuple):
    """Arrays of one rotation: how many were tried, and the words of those that are not right."""

    peer: str
    tried: int
    alarms: tuple[str, ...]


def installed(peer: Peer) -> bool:
    """Whether everything that a rotation needs can be imported."""
    try:
        return all(find_spec(name) is not None for name in peer.needs)
    except ModuleNotFoundError:
        return False


def rounded(rows: Array, dtype: str) -> NDArray[np.float64]:
    """The nearest float64 numbers that a dtype holds."""
    if dtype != "bfloat16":
        return np.asarray(rows.astype(dtype), np.float64)
    bits = rows.astype(np.float32).view(np.uint32) & np.uint32(0xFFFF0000)
    return np.asarray(bits.view(np.float32), np.float64)


def saved(rows: Array, dtype: str) -> Array:
    """As it is saved: bfloat16 as its bits."""
    if dtype != "bfloat16":
        return rows.astype(dtype)
    return (rows.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


def words_for(peer: Peer, folder: Path, dtype: str, start: int) -> list[str]:
    """The command line for arrays of a rotation that lie in a folder."""
    words = ["verify", str(folder / "rows.npz"), "--dtype", dtype, "--layout", peer.layout]
    words += ["--offset", str(start), "--axes", "batch,heads,tokens,features", *peer.words]
    if peer.config is None:
        return [*words, "-d", str(peer.width)]
    (folder / "config.json").write_text(json.dumps(peer.config(), default=str), "utf-8")
    return [*words, "--config", str(folder / "config.json")]


def try_peer(peer: Peer, starts: Sequence[int] = STARTS) -> Result:
    """Everything of one rotation."""
    alarms: list[str] = []
    rng, tried = np.random.default_rng(5), 0
    for dtype in peer.dtypes:
        for start in starts:
            rows = rounded(rng.normal(size=(1, HEADS, TOKENS, peer.width)), dtype)
            after = peer.rotate(rows, np.arange(start, start + TOKENS), dtype)
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                before, rotated = saved(rows, dtype), saved(after, dtype)
                np.savez(folder / "rows.npz", input=before, output=rotated)
                words = words_for(peer, folder, dtype, start)
                code = verify([*words, "--format", "json", "-o", str(folder / "report.json")])
                tried += 1
                if code:
                    alarms.append(f"{dtype} from {start}: exit {code}, {named(folder)}")
    return Result(peer.name, tried, tuple(alarms))


def named(folder: Path) -> str:
    """What a report says is wrong."""
    path = folder / "report.json"
    if not path.exists():
        return "refused"
    [section] = json.loads(path.read_text("utf-8"))["sections"]
    return f"{section['values']['mistakes']}"


def versions() -> Iterator[str]:
    """The libraries that are tried."""
    names = ("numpy", "torch", "transformers", "onnxruntime", "mlx", "keras-hub", "jax")
    for name in (*names, "rotary-embedding-torch"):
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:
            continue


def main() -> int:
    """Print which were run and with what count; 1 if right arrays are called different."""
    os.environ.setdefault("KERAS_BACKEND", "torch")
    print(f"Right arrays of other libraries: {', '.join(versions())}.")
    results = []
    for peer in PEERS:
        if not installed(peer):
            print(f"  {peer.name}: skipped, needs {', '.join(peer.needs)}")
            continue
        result = try_peer(peer)
        results.append(result)
        print(f"  {peer.name}: {result.tried - len(result.alarms)} of {result.tried} agree")
        for alarm in result.alarms:
            print(f"    FALSE ALARM {alarm}")
    tried = sum(result.tried for result in results)
    wrong = sum(len(result.alarms) for result in results)
    print(f"{tried} arrays of {len(results)} rotations, {wrong} called different.")
    return int(wrong > 0)
