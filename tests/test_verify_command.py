"""``rope-report verify`` and ``vectors``: real command lines, from a file to an exit code."""

from __future__ import annotations

import json
import os
import pickle
import re
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tools.checkout import ROOT
from tools.command import Run

from rope_cli.cli.main import main
from rope_cli.cli.progress import LONG_PASS
from rope_cli.text import LANGUAGES

Array = Any
Put = Callable[..., str]  # a name and arrays; the name, which is that of a file now
Finish = tuple[int, str]

CONFIG = str(ROOT / "tests" / "data" / "llama-3.1-8b.json")
REFERENCE = (ROOT / "docs" / "reference.md").read_text("utf-8")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


@pytest.fixture(autouse=True)
def _own_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files have short names, and warnings are errors."""
    monkeypatch.chdir(tmp_path)
    warnings.simplefilter("error")


@pytest.fixture
def put(tmp_path: Path) -> Put:
    def put(name: str, **arrays: Any) -> str:
        with (tmp_path / name).open("wb") as file:
            np.savez(file, **arrays)
        return name

    return put


def plain(width: int, base: float = 1e4) -> Array:
    """The frequencies of the paper."""
    return base ** (-np.arange(0, width, 2) / width)


def llama3() -> Array:
    """Those of the config above, by the rule of its authors."""
    theta = plain(128, 5e5)
    smooth = (8192 * theta / (2 * np.pi) - 1) / 3
    return np.where(smooth < 0, theta / 8, np.where(smooth > 1, theta, 0)) + np.where(
        (smooth >= 0) & (smooth <= 1), (1 - smooth) * theta / 8 + smooth * theta, 0
    )


def turned(
    x: Array,
    positions: Any = None,
    layout: str = "adjacent",
    theta: Array = None,
    width: int | None = None,
    sign: int = 1,
    base: float = 1e4,
) -> Array:
    """Rows turned as in the paper, ``[..., tokens, features]``, in float64."""
    width = x.shape[-1] if width is None else width
    positions = np.arange(x.shape[-2]) if positions is None else np.asarray(positions)
    theta = plain(width, base) if theta is None else theta
    angles = sign * positions[:, np.newaxis] * theta
    half = width // 2
    left, right = (
        (slice(0, width, 2), slice(1, width, 2))
        if layout == "adjacent"
        else (slice(0, half), slice(half, width))
    )
    y = np.array(x, np.float64)
    a, b = np.array(y[..., left]), np.array(y[..., right])
    y[..., left] = a * np.cos(angles) - b * np.sin(angles)
    y[..., right] = a * np.sin(angles) + b * np.cos(angles)
    return y


def rows(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).standard_normal(shape or (2, 3, 8, 16))


def both(x: Array, dtype: str = "float32", **how: Any) -> dict[str, Array]:
    """An input and its output, both rounded to a dtype."""
    x = x.astype(dtype)
    return {"input": x, "output": turned(x, **how).astype(dtype)}


def finish(capsys: pytest.CaptureFixture[str], *words: str) -> Finish:
    """Exit code and output of a command line that is not refused."""
    code = main(["verify", *words])
    out, err = capsys.readouterr()
    assert err == ""
    assert code in (0, 1)
    return code, out


def found(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[Any]]:
    """Exit code, and the values of each section."""
    code, out = finish(capsys, *words, "--format", "json")
    read = json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert read["checks"]["failed"] == sum(
        not check["holds"] for section in read["sections"] for check in section["checks"]
    )
    assert code == (1 if read["checks"]["failed"] else 0)
    return code, [section["values"] for section in read["sections"]]


def verdict(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The verdict on the only section."""
    [values] = found(capsys, *words)[1]
    return str(values["verdict"])


def kinds(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """The mistakes named in the only section."""
    [values] = found(capsys, *words)[1]
    return [mistake["kind"] for mistake in values["mistakes"]]


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The English line of a refusal, which has a Russian sister, and writes nothing."""
    before = sorted(os.listdir("."))
    lines = []
    for language in LANGUAGES:
        assert main([*words, "--lang", language]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        assert err[:-1].isprintable()
        lines.append(err)
        assert main([*words, "--lang", language, "-o", "out.npz"]) == 2
        assert capsys.readouterr() == ("", err)
    english, russian = lines
    assert "accepted: " in english
    assert "допустим" in russian
    assert sorted(os.listdir(".")) == before
    return english


# Exit codes


def test_right_arrays_agree(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 0 and AGREES, in text and in JSON."""
    code, out = finish(capsys, put("a.npz", **both(rows())))
    assert (code, "\nAGREES. Each of the 768 numbers" in out) == (0, True)
    assert verdict(capsys, "a.npz") == "agrees"


def test_other_layout_is_an_error_only_if_it_was_named(
    put: Put, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 0 without --layout, and the permutation is told; 1 with the wrong one."""
    name = put("a.npz", **both(rows(), layout="half-split"))
    code, out = finish(capsys, name)
    assert (code, "\nAGREES. The layout is half-split" in out) == (0, True)
    assert "adjacent layout (by default)" in re.sub(r"\s+", " ", out)
    # P with half_split(x)[P] = adjacent(x[P]): the partners, 8 apart, side by side.
    assert "P = [0, 8, 1, " in re.sub(r"\s+", " ", out)
    assert found(capsys, name, "--layout", "half-split")[0] == 0
    code, values = found(capsys, name, "--layout", "adjacent")
    assert (code, values[0]["verdict"]) == (1, "agrees-in-another-layout")


def test_wrong_arrays_differ(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1, the mistake and what to change."""
    name = put("a.npz", **both(rows(), sign=-1))
    code, out = finish(capsys, name)
    assert code == 1
    assert "the pairs rotate the other way" in out
    assert "FAILED: output-agrees" in out
    assert kinds(capsys, name) == ["direction"]


def test_forward_arrays_are_not_called_transposed(
    put: Put, capsys: pytest.CaptureFixture[str]
) -> None:
    """With --backward the forward rotation is the wrong one, and the advice names both."""
    name = put("a.npz", **both(rows()))
    code, out = finish(capsys, name, "--backward", "--lang", "ru", "--width", "200")
    assert code == 1
    assert "применён поворот, транспонированный к ожидаемому" in out
    assert "[x·cos - y·sin, x·sin + y·cos], обратный" in out
    assert "[x·cos + y·sin, y·cos - x·sin]" in out


def test_exit_codes_of_the_process(put: Put, run: Run) -> None:
    """The process gives the same codes, quietly."""
    put("right.npz", **both(rows()))
    put("wrong.npz", **both(rows(), base=5e5))
    for name, code in (("right.npz", 0), ("wrong.npz", 1)):
        process = run("verify", name)
        assert (process.returncode, process.stderr) == (code, b"")
        assert process.stdout.count(b"[verify-output]") == 1
    process = run("verify", "nowhere.npz")
    assert (process.returncode, process.stdout) == (2, b"")
    assert process.stderr.count(b"\n") == 1


# Refusals

REFUSED: dict[str, tuple[list[str], str]] = {
    "no file": (["verify"], "verify is given no argument"),
    "three files": (["verify", "a.npz", "b", "c"], '"c"'),
    "no such file": (["verify", "nowhere.npz"], "no such file"),
    "no second file": (["verify", "a.npy", "nowhere.npy"], "no such file"),
    "directory": (["verify", "."], "it is a directory"),
    "no arrays": (["verify", "a.npy"], 'no array "input"'),
    "no such input": (["verify", "a.npz", "--input-name", "x"], 'no array "x"'),
    "no such output": (["verify", "a.npz", "--output-name", ""], 'no array ""'),
    "tolerance 0": (["verify", "a.npz", "--tolerance", "0"], "a number above 0 and at most 1"),
    "tolerance nan": (["verify", "a.npz", "--tolerance", "nan"], '"nan"'),
    "tolerance 2": (["verify", "a.npz", "--tolerance", "2"], '"2"'),
    "odd width": (
        ["verify", "a.npz", "-d", "3"],
        '--feature-width is "3"; accepted: an even number',
    ),
    "too wide": (["verify", "a.npz", "-d", "18"], "an even number from 2 to 16"),
    "base": (["verify", "a.npz", "-b", "0"], "--base"),
    "length": (["verify", "a.npz", "--config", CONFIG, "--length", "0"], "--length"),
    "offset": (["verify", "a.npz", "--offset", "--1"], "--offset"),
    "both": (["verify", "a.npz", "--offset", "1", "--positions", "0:8"], "--offset"),
    "positions": (["verify", "a.npz", "--positions", "3:1"], "--positions"),
    "too few positions": (["verify", "a.npz", "--positions", "0:7"], "the tokens are 8"),
    "too far": (["verify", "a.npz", "--offset", str(2**53 - 8)], "float32"),
    "too few axes": (["verify", "a.npz", "--axes", "tokens,features"], "each of the 4 axes"),
    "no tokens": (["verify", "a.npz", "--axes", "a,b,c,features"], "--axes"),
    "tokens twice": (["verify", "a.npz", "--axes", "a,tokens,tokens,features"], "--axes"),
    "no axes": (["verify", "a.npz", "--axes", ""], '--axes is ""'),
    "odd axes": (["verify", "a.npz", "--axes", "a\n\x1b[31m,\0"], r"a\n\x1b[31m,\x00"),
    "layout": (["verify", "a.npz", "--layout", "both"], "--layout"),
    "dtype": (["verify", "a.npz", "--dtype", "float8"], "--dtype"),
    "finer dtype": (["verify", "a.npz", "--dtype", "float64"], "float32, float16, bfloat16"),
    "other width": (["verify", "a.npz", "--config", CONFIG], "[..., 128]"),
    "odd name": (["verify", "odd.npz", "--config", CONFIG], "[..., 128]"),
    "layer type alone": (["verify", "a.npz", "--layer-type", "x"], "--config CONFIG.json"),
    "part alone": (["verify", "a.npz", "--part", "x"], "--config CONFIG.json"),
    "no config": (["verify", "a.npz", "--config", "a.npz"], "UTF-8"),
    "two lists": (["verify", "--frequencies", "list.json", "list.json"], "--frequencies FILE"),
    "empty list": (["verify", "--frequencies", "empty.json"], "[0]"),
    "a table": (["verify", "--frequencies", "a.npy"], "[2, 3, 8, 16]"),
    "vectors of odd width": (
        ["vectors", "-d", "3"],
        '--feature-width is "3"; accepted: an even number',
    ),
    "too many vectors": (["vectors", "--positions", "0:65536"], "a whole number from 1 to 4194304"),
    "too wide vectors": (["vectors", "-d", "65536"], "a whole number from 1 to 4194304"),
    "vectors of words": (["vectors", "words"], '"words"'),
    "vectors too far": (["vectors", "--positions", str(2**53 - 2)], ""),
    "vectors of a layer": (["vectors", "--layer-type", "x"], "--config CONFIG.json"),
    "a French layout": (["verify", "a.npz", "--layout", "moitié"], '"moitié"; accepted: adjacent'),
}


@pytest.mark.parametrize("what", REFUSED)
def test_refusal_is_one_line_and_no_output(
    what: str, put: Put, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line on stderr, in both languages, nothing on stdout, and no file by -o."""
    put("a.npz", **both(rows()))
    put("odd.npz", **both(rows()))
    np.save("a.npy", rows())
    Path("list.json").write_text("[1, 0.5]")
    Path("empty.json").write_text("[]")
    words, said = REFUSED[what]
    assert said in refused(capsys, *words)


def test_refusal_of_an_odd_name_is_one_line(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever the arrays are called, the complaint about them is one harmless line."""
    names = ["a\nb\x1b[31m", "\u202eвход", "x" * 300]
    put("a.npz", **dict.fromkeys(names, rows()))
    for name in names:
        refused(capsys, "verify", "a.npz", "--input-name", name)
        words = ["--input-name", name, "--output-name", name, "--config", CONFIG]
        assert "accepted: [..., 128]" in refused(capsys, "verify", "a.npz", *words)


def damaged(data: bytes) -> dict[str, bytes]:
    """What may be found in place of a .npz file."""
    return {
        "empty": b"",
        "truncated": data[: len(data) // 2],
        "end cut off": data[:-1],
        "zip alone": b"PK\x05\x06" + bytes(18),
        "pickle": pickle.dumps({"input": rows(), "output": rows()}),
        "magic alone": b"\x93NUMPY",
        "noise": np.random.default_rng(1).bytes(5000),
        "text": b"input, output",
        "broken JSON": b'{"input": [[1, 2]',
        "uneven JSON": b'{"input": [[1, 2], [3]], "output": [[1, 2], [3]]}',
        "words in JSON": b'{"input": [["a", "b"]], "output": [["a", "b"]]}',
        "deep JSON": b"[" * 100_000,
    }


@pytest.mark.parametrize("what", damaged(b""))
def test_damaged_file_is_refused(what: str, put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    """Bytes that are no arrays are exit code 2 and one line that names the file."""
    path = Path(put("a.npz", **both(rows())))
    path.write_bytes(damaged(path.read_bytes())[what])
    assert '"a.npz"' in refused(capsys, "verify", "a.npz")


def with_number(number: float) -> Array:
    x = rows()
    x[1, 2, 3, 4] = number
    return x


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"input": with_number(np.nan), "output": rows()}, "nan at [1, 2, 3, 4]"),
        ({"input": with_number(-np.inf), "output": with_number(np.nan)}, "-inf at [1, 2, 3, 4]"),
        ({"input": rows(), "output": rows(2, 3, 8, 8)}, "[2, 3, 8, 8]"),
        ({"input": rows(0, 8, 16), "output": rows(0, 8, 16)}, "[0, 8, 16]"),
        ({"input": rows(8, 1), "output": rows(8, 1)}, "[8, 1]"),
        ({"input": rows(8, 3), "output": rows(8, 3)}, "odd"),
        ({"input": np.float64(1), "output": np.float64(1)}, "[]"),
        ({"input": rows(*[1] * 7, 8, 16), "output": rows(*[1] * 7, 8, 16)}, "1 to 8 axes"),
        ({"input": rows() > 0, "output": rows() > 0}, "bool"),
        ({"input": rows() * 1j, "output": rows() * 1j}, "complex128"),
        ({"input": np.full((8, 16), "a"), "output": np.full((8, 16), "a")}, "str"),
        ({"input": np.full((8, 16), None), "output": np.full((8, 16), None)}, "object"),
        ({"input": rows().astype("u2"), "output": rows().astype("u2")}, "--dtype bfloat16"),
        ({"input": rows()}, 'no array "output"'),
        ({"query": rows(), "key": rows()}, "no array"),
        ({}, 'no array "input"'),
        (both(rows()) | {"positions": np.arange(7)}, "[7]"),
        (both(rows()) | {"positions": np.full(8, np.nan)}, "nan at [0]"),
        (both(rows()) | {"positions": np.zeros((2, 1, 8))}, "[2, 1, 8]"),
        (
            {"query": rows(), "key": rows(), "scores": rows(2, 3, 8, 7)},
            "[..., query tokens, key tokens]",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")
def test_unusable_arrays_are_refused(
    arrays: dict[str, Array], said: str, put: Put, capsys: pytest.CaptureFixture[str]
) -> None:
    """What cannot be a rotation is refused with the value, its place, and what is accepted."""
    assert said in refused(capsys, "verify", put("a.npz", **arrays))


# What is expected


@pytest.mark.slow
def test_config_gives_width_base_and_scaling(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    """With --config the scaled frequencies agree, and the unscaled ones are named."""
    x = rows(1, 2, 8, 128)
    right = put("right.npz", **both(x, "float64", positions=np.arange(8) * 900, theta=llama3()))
    wrong = put("wrong.npz", **both(x, "float64", theta=plain(128, 5e5)))
    adjacent = ["--layout", "adjacent"]  # the code of the model is half-split
    where = ["--config", CONFIG, "--positions", ",".join(str(m * 900) for m in range(8))]
    code, out = finish(capsys, right, *adjacent, *where)
    assert (code, "method llama3, rotated coordinates 128 of 128" in re.sub(r"\s+", " ", out)) == (
        0,
        True,
    )
    assert kinds(capsys, wrong, *adjacent, "--config", CONFIG) == ["unscaled"]
    assert found(capsys, right, "--positions", where[-1])[0] == 1


def config(name: str, **changes: Any) -> str:
    """A small config in a file."""
    values = {"model_type": "any", "head_dim": 16, "max_position_embeddings": 64, **changes}
    Path(name).write_text(json.dumps(values))
    return name


def test_part_chooses_the_model(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    """Of two models in one config the first counts, or the one that --part names."""
    model = {"head_dim": 16, "max_position_embeddings": 64}
    parts = {"thinker_config": {"text_config": {**model, "rope_theta": 1e4}}}
    two = config("omni.json", **parts, talker_config={**model, "rope_theta": 1e6})
    thinker = put("thinker.npz", **both(rows(), theta=plain(16, 1e4)))
    talker = put("talker.npz", **both(rows(), theta=plain(16, 1e6)))
    assert finish(capsys, thinker, "--config", two)[0] == 0
    assert found(capsys, talker, "--config", two)[0] == 1
    code, out = finish(capsys, talker, "--config", two, "--part", "talker_config")
    assert code == 0
    assert "omni.json, talker_config" in out


def test_layer_type_chooses_the_layers(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a config with two types of layers one must be named, and each has its own frequencies."""
    types = {
        "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e6},
        "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
    }
    two = config("two.json", model_type="gemma3_text", rope_parameters=types)
    local = put("local.npz", **both(rows()))
    slow = put("global.npz", **both(rows(), theta=plain(16, 1e6) / 8))
    for name, layer in ((local, "sliding_attention"), (slow, "full_attention")):
        words = ["--config", two, "--layer-type", layer, "--layout", "adjacent"]
        code, out = finish(capsys, name, *words)
        assert code == 0
        assert layer in out
    assert found(capsys, slow, "--config", two, "--layer-type", "sliding_attention")[0] == 1
    for given in ([], ["--layer-type", "other"]):
        line = refused(capsys, "verify", local, "--config", two, *given)
        assert "full_attention, sliding_attention" in line


def test_length_is_that_of_the_text(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    """Dynamic scaling follows --length, by default as far as the last token."""
    scaling = {"rope_type": "dynamic", "factor": 4.0}
    name = config("dynamic.json", rope_theta=1e4, rope_scaling=scaling)
    base = 1e4 * (4 * 256 / 64 - 3) ** (16 / 14)
    arrays = put("a.npz", **both(rows(), base=base))
    assert found(capsys, arrays, "--config", name, "--length", "256")[0] == 0
    assert found(capsys, arrays, "--config", name)[0] == 1
    assert found(capsys, put("b.npz", **both(rows())), "--config", name)[0] == 0


def test_width_and_base(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    """-d says how much of the head turns, -b by which base."""
    name = put("a.npz", **both(rows(), width=8, base=77.0))
    assert found(capsys, name, "-d", "8", "-b", "77")[0] == 0
    assert found(capsys, name, "-d", "8")[0] == 1
    assert kinds(capsys, name, "-d", "8") == ["base"]
    assert found(capsys, name, "-b", "77")[0] == 1


@pytest.mark.parametrize("base", [1e-9, 0.5, 1.0, 1e15])
def test_every_base_that_is_accepted_works(
    base: float, put: Put, capsys: pytest.CaptureFixture[str]
) -> None:
    """From rising to barely turning frequencies, what was made with a base agrees with it."""
    assert found(capsys, put("a.npz", **both(rows(), base=base)), "-b", repr(base))[0] == 0


# Positions and axes


def test_positions_come_from_options_or_the_file(
    put: Put, capsys: pytest.CaptureFixture[str]
) -> None:
    """--positions, else --offset, else those of the file, else from 0."""
    jumps = [3, 4, 5, 9, 17, 18, 40, 41]
    listed = put("jumps.npz", **both(rows(), positions=jumps))
    inside = put("inside.npz", positions=jumps, **both(rows(), positions=jumps))
    moved = put("moved.npz", positions=jumps, **both(rows(), positions=np.arange(7, 15)))
    words = ",".join(map(str, jumps))
    assert found(capsys, listed, "--positions", words)[0] == 0
    assert found(capsys, listed)[0] == 1
    code, out = finish(capsys, inside)
    assert (code, "(from the file)" in out) == (0, True)
    assert found(capsys, inside, "--positions", "0:8")[0] == 1
    assert found(capsys, moved, "--offset", "7")[0] == 0
    assert found(capsys, moved, "--positions", "7:15")[0] == 0
    assert kinds(capsys, put("off.npz", **both(rows(), positions=np.arange(7, 15)))) == ["offset"]


def test_every_batch_row_may_have_its_positions(
    put: Put, capsys: pytest.CaptureFixture[str]
) -> None:
    """Positions [batch, tokens] belong to the rows of the first axis."""
    x, positions = rows(), np.array([np.arange(8), np.arange(8) + 5])
    y = np.stack([turned(x[row], positions[row]) for row in range(2)])
    assert found(capsys, put("a.npz", input=x, output=y, positions=positions))[0] == 0
    swapped = {"input": np.swapaxes(x, 1, 2), "output": np.swapaxes(y, 1, 2)}
    assert found(capsys, put("b.npz", positions=positions, **swapped))[0] == 0
    code, [values] = found(capsys, put("c.npz", input=x, output=turned(x), positions=positions))
    assert (code, [each["kind"] for each in values["mistakes"]]) == (1, ["slot-positions"])


def test_axes_are_found_out_or_named(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    """Any order can be said; one that was not is told, and a wrong one is named as a mistake."""
    arrays = both(rows())
    swapped = put("a.npz", **{name: np.swapaxes(each, 1, 2) for name, each in arrays.items()})
    first = put("b.npz", **{name: np.moveaxis(each, -1, 0) for name, each in arrays.items()})
    assert found(capsys, swapped)[0] == 1
    assert found(capsys, swapped, "--axes", "batch,tokens,heads,features")[0] == 0
    assert found(capsys, first, "--axes", " features, x , x ,tokens")[0] == 0
    words = "batch,heads,tokens,features"
    assert kinds(capsys, swapped, "--axes", words) == ["axes-exchanged"]


@pytest.mark.slow
@pytest.mark.parametrize("rank", range(1, 9))
def test_arrays_of_every_rank(rank: int, put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    """One row, a matrix, and any leading axes up to 8 in all."""
    x = rows(*[2] * (rank - 2), 3, 6) if rank > 1 else rows(1, 6)
    arrays = both(x, positions=np.arange(5, 5 + x.shape[-2]))
    if rank == 1:
        arrays = {name: each[0] for name, each in arrays.items()}
    name = put("a.npz", **arrays)
    assert found(capsys, name, "--offset", "5")[0] == 0
    assert found(capsys, name, "--offset", "6")[0] == 1


@pytest.mark.parametrize("shape", [(8, 2), (1, 2), (1, 1, 1, 2), (1, 8, 8, 4), (4, 1, 9, 4)])
def test_small_and_square_shapes(
    shape: tuple[int, ...], put: Put, capsys: pytest.CaptureFixture[str]
) -> None:
    """One pair, one token, one head, as many heads as tokens."""
    name = put("a.npz", **both(rows(*shape), positions=np.arange(3, 3 + shape[-2])))
    assert found(capsys, name, "--offset", "3")[0] == 0
    assert found(capsys, name, "--offset", "2")[0] == 1


# Types of numbers, tolerance, extreme values


def bits(x: Array) -> Array:
    """The bits of bfloat16, rounded from float32."""
    raw = np.ascontiguousarray(x, np.float32).view(np.uint32)
    return ((raw + 0x7FFF + ((raw >> 16) & 1)) >> 16).astype(np.uint16)


def test_bfloat16_is_given_by_its_bits(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    """uint16 with --dtype bfloat16, or wider numbers that were computed so."""
    x = (bits(rows()).astype(np.uint32) << 16).view(np.float32)
    y = bits(turned(x))
    assert found(capsys, put("a.npz", input=bits(x), output=y), "--dtype", "bfloat16")[0] == 0
    wide = put("b.npz", input=x, output=(y.astype(np.uint32) << 16).view(np.float32))
    assert found(capsys, wide, "--dtype", "bfloat16")[0] == 0
    assert found(capsys, wide)[0] == 0
    wrong = put("c.npz", input=bits(x), output=bits(turned(x, sign=-1)))
    assert found(capsys, wrong, "--dtype", "bfloat16")[0] == 1


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", ">f4", ">f8"])
def test_each_float_has_its_own_bound(
    dtype: str, put: Put, capsys: pytest.CaptureFixture[str]
) -> None:
    """Right numbers agree in the dtype in which they are stored; a thousand roundoffs do not."""
    arrays = both(rows(), dtype)
    assert found(capsys, put("a.npz", **arrays))[0] == 0
    coarse = arrays["output"] * (1 + 1000 * float(np.finfo(dtype).eps))
    arrays["output"] = coarse.astype(dtype)
    assert found(capsys, put("b.npz", **arrays))[0] == 1


@pytest.mark.slow
def test_json_holds_arrays_too(capsys: pytest.CaptureFixture[str]) -> None:
    """Lists of float32 numbers are known by their digits, others agree with --dtype float32."""
    arrays = {name: each.tolist() for name, each in both(rows(2, 4, 8)).items()}
    Path("a.json").write_text(json.dumps(arrays))
    assert found(capsys, "a.json")[0] == 0
    printed = {name: np.round(each, 6).tolist() for name, each in both(rows(2, 4, 8)).items()}
    printed["input"] = arrays["input"]
    Path("c.json").write_text(json.dumps(printed))
    code, out = finish(capsys, "c.json")
    assert (code, "--dtype float32" in out) == (1, False)
    assert found(capsys, "c.json", "--tolerance", "1e-5")[0] == 0
    Path("b.json").write_text(json.dumps(arrays | {"positions": list(range(1, 5))}))
    assert kinds(capsys, "b.json", "--dtype", "float32") == ["offset"]


def test_tolerance_replaces_the_bound(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    """A coarser tolerance accepts noise, a finer one says that it is finer than the dtype."""
    arrays = both(rows(), "float64")
    arrays["output"] *= 1 + 1e-5
    name = put("a.npz", **arrays)
    assert found(capsys, name)[0] == 1
    code, out = finish(capsys, name, "--tolerance", "1e-3")
    assert (code, "is within the given tolerance of" in re.sub(r"\s+", " ", out)) == (0, True)
    assert found(capsys, name, "--tolerance", "1e-6")[0] == 1
    code, out = finish(capsys, put("b.npz", **both(rows())), "--tolerance", "1e-12")
    assert (code, "no larger than rounding errors of float32" in out) == (1, True)


def test_whole_numbers_are_numbers(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    """An input of whole numbers is taken as float64."""
    x = np.arange(2 * 8 * 16).reshape(2, 8, 16)
    assert found(capsys, put("a.npz", input=x, output=turned(x)))[0] == 0
    assert kinds(capsys, put("b.npz", input=x, output=x)) == ["no-rotation"]


def test_an_output_of_integers_is_named(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    """Small integers are exact in bfloat16 as well, but int64 is what is told."""
    x = np.arange(8 * 16).reshape(8, 16)
    _, out = finish(capsys, put("a.npz", input=x, output=turned(x).astype(np.int64)))
    assert "The output is stored as integers (int64)" in out
    assert "8 × 16, int64" in out
    assert "bfloat16" not in out
    _, out = finish(capsys, put("b.npz", input=x, output=turned(x)))
    assert "int64" not in out


@pytest.mark.parametrize("name", ["vectors.npz", "vectors.json"])
@pytest.mark.parametrize("layout", ["adjacent", "half-split"])
def test_reference_vectors_are_known(
    name: str, layout: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """``verify`` finds the arrays of a file of ``vectors`` by the layout that is asked for."""
    assert main(["vectors", "-o", name]) == 0
    code, values = found(capsys, name, "--layout", layout)
    assert (code, [section["verdict"] for section in values]) == (0, ["agrees"] * 3)
    _, out = finish(capsys, name, "--layout", layout)
    assert f"{layout.replace('-', '_')}_rotated_query" in out
    assert found(capsys, name)[0] == 0


ZERO, ONE, GREAT = np.zeros((2, 8, 4)), np.ones((2, 8, 4)), np.full((2, 8, 4), 1e150)
EXTREME: dict[str, tuple[Array, Array, int]] = {
    "zeros": (ZERO, ZERO, 0),
    "zeros to ones": (ZERO, ONE, 1),
    "ones to zeros": (ONE, ZERO, 1),
    "minus": (ONE, -ONE, 1),
    "noise": (rows(2, 8, 4), rows(2, 8, 4, seed=1), 1),
    "least numbers": (5e-324 * ONE, turned(5e-324 * ONE), 0),
    "subnormal": (1e-310 * rows(2, 8, 4), turned(1e-310 * rows(2, 8, 4)), 0),
    "subnormal, not turned": (1e-310 * rows(2, 8, 4), 1e-310 * rows(2, 8, 4), 1),
    "great": (1e149 * rows(2, 8, 4), turned(1e149 * rows(2, 8, 4)), 0),
    "great, not turned": (1e149 * rows(2, 8, 4), 1e149 * rows(2, 8, 4), 1),
    "greatest, not turned": (GREAT, GREAT, 1),
    "greatest, minus": (GREAT, -GREAT, 1),
    "tiny to great": (1e-308 * ONE, GREAT, 1),
    "great to tiny": (GREAT, 1e-308 * ONE, 1),
    "turned by half": (rows(2, 8, 4), -turned(rows(2, 8, 4)), 1),
    "great float16": (*both(np.clip(rows(2, 8, 4), -1, 1) * 4e4, "float16").values(), 0),
}


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("what", EXTREME)
def test_extreme_numbers_break_nothing(
    what: str, language: str, put: Put, capsys: pytest.CaptureFixture[str]
) -> None:
    """No warning, nothing that is not a number in text or JSON, and the right verdict."""
    x, y, code = EXTREME[what]
    name = put("a.npz", input=x, output=y)
    given, out = finish(capsys, name, "--lang", language)
    assert given == code
    assert not re.search(r"\b(nan|inf)\b", out, re.IGNORECASE)
    assert found(capsys, name, "--lang", language)[0] == code


# Names, files, adjoints


def test_two_files_and_named_arrays(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    """Two .npy files need no names; arrays of any name are given by them."""
    x, y = both(rows()).values()
    np.save("in.npy", x)
    np.save("out.npy", y)
    assert found(capsys, "in.npy", "out.npy")[0] == 0
    assert found(capsys, "out.npy", "in.npy")[0] == 1
    one = put("a.npz", before=x, after=y)
    names = ["--input-name", "before", "--output-name", "after"]
    assert found(capsys, one, *names)[0] == 0
    assert found(capsys, one, put("b.npz", before=x, after=y), *names)[0] == 0
    assert found(capsys, "in.npy", one, "--output-name", "after")[0] == 0


def test_any_file_and_array_may_be_named_in_any_letters(
    put: Put, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    """Russian letters, blanks and line feeds; where they cannot be printed they are escaped."""
    file, before, after = "моя модель «1».npz", "вход слоя", "выход\n[0]"
    x, y = both(rows()).values()
    words = [put(file, **{before: x, after: y}), "--input-name", before, "--output-name", after]
    code, out = finish(capsys, *words)
    assert code == 0
    assert before in out
    assert r"выход\n[0]" in out
    for env in ({"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C"}):
        process = run("verify", *words, env=env)
        assert (process.returncode, process.stderr) == (0, b""), env
        assert "AGREES" in process.stdout.decode()
    process = run("verify", *words, "--lang", "ru", env={"PYTHONIOENCODING": "cp1251"})
    assert (process.returncode, process.stderr) == (0, b"")
    assert "СОВПАДАЕТ" in process.stdout.decode("cp1251")
    assert before in process.stdout.decode("cp1251")


def test_backward_expects_the_transpose(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    """Adjoints turn the other way, and only with --backward they agree."""
    name = put("a.npz", **both(rows(), sign=-1))
    assert found(capsys, name, "--backward")[0] == 0
    assert found(capsys, name)[0] == 1
    assert kinds(capsys, put("b.npz", **both(rows())), "--backward") == ["direction"]


def test_query_and_key_are_two_sections(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    """Each pair has its own verdict; one that differs is exit code 1."""
    query, key = rows(), rows(2, 1, 8, 16, seed=1)
    right = {"query": query, "rotated_query": turned(query), "key": key}
    code, out = finish(capsys, put("a.npz", rotated_key=turned(key), **right))
    assert code == 0
    assert out.index("1. The rotated query [verify-query]") < out.index("[verify-key]")
    code, values = found(capsys, put("b.npz", rotated_key=key, **right))
    assert code == 1
    assert [each["verdict"] for each in values] == ["agrees", "differs"]
    assert [each["kind"] for each in values[1]["mistakes"]] in (
        ["no-rotation"],
        ["key-not-rotated"],
    )


# Scores


def scores(query: Array, key: Array, share: float = 1.0, **how: Any) -> dict[str, Array]:
    """Rows before the rotation, and the scores of the rotated ones."""
    products = turned(query, **how) @ np.swapaxes(turned(key, **how), -1, -2)
    return {"query": query, "key": key, "scores": share * products}


def test_scores_alone_are_enough(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    """Plain and divided by the root of d they agree; an offset of all they cannot show."""
    query, key = rows(), rows(seed=1)
    for name, arrays, scale in (
        ("plain.npz", scores(query, key), 1.0),
        ("root.npz", scores(query, key, 1 / 4), 0.25),
        ("later.npz", scores(query, key, positions=np.arange(70, 78)), 1.0),
    ):
        code, [values] = found(capsys, put(name, **arrays))
        assert (code, values["verdict"]) == (0, "agrees")
        assert values["scale"] == pytest.approx(scale)
        assert "offset" in [each["kind"] for each in values["cannot_show"]]
        assert "[verify-scores]" in finish(capsys, name)[1]
    assert found(capsys, put("third.npz", **scores(query, key, 1 / 3)))[0] == 1


def test_wrong_scores_are_explained(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    """The direction and the base are named by scores alone."""
    query, key = rows(), rows(seed=1)
    assert kinds(capsys, put("a.npz", **scores(query, key, sign=-1))) == ["direction"]
    assert kinds(capsys, put("b.npz", **scores(query, key, base=5e5))) == ["base"]


def test_scores_of_equal_rows_do_not_show_the_direction(
    put: Put, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where query and key are one row, the report says what it cannot tell."""
    row = np.broadcast_to(rows(16), (2, 8, 16))
    name = put("a.npz", **scores(row, row, sign=-1))
    code, out = finish(capsys, name)
    assert code == 0
    assert "a rotation the other way (the queries equal the keys" in re.sub(r"\s+", " ", out)
    blind = found(capsys, name)[1][0]["cannot_show"]
    assert {"kind": "direction", "why": "same-rows"} in blind


# A plain list of frequencies


@pytest.mark.slow
@pytest.mark.parametrize("form", ["json", "npy", "npz", "csv", "txt"])
def test_list_of_frequencies_in_any_form(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A list in JSON, .npy, .npz, .csv or .txt is compared with the config."""
    name = f"list.{form}"
    for theta, code in ((llama3(), 0), (plain(128, 5e5), 1)):
        match form:
            case "json":
                Path(name).write_text(json.dumps(theta.tolist()))
            case "npy":
                np.save(name, theta.astype(np.float32))
            case "npz":
                np.savez(name, inv_freq=theta)
            case _:
                Path(name).write_text((", " if form == "csv" else "\n").join(map(str, theta)))
        given, [values] = found(capsys, "--frequencies", name, "--config", CONFIG)
        assert given == code
        assert [each["kind"] for each in values["mistakes"]] == (["unscaled"] if code else [])
        assert "[verify-frequencies]" in finish(capsys, "--frequencies", name)[1]


def test_list_of_another_length_differs(capsys: pytest.CaptureFixture[str]) -> None:
    """80 frequencies are not those of a model with 64 pairs."""
    np.save("list.npy", plain(160, 5e5))
    code, [values] = found(capsys, "--frequencies", "list.npy", "--config", CONFIG)
    assert (code, values["verdict"]) == (1, "differs")
    assert len(values["listed_frequencies"]) == len(values["expected_frequencies"]) == 80
    assert finish(capsys, "--frequencies", "list.npy", "--config", CONFIG)[0] == 1
    assert found(capsys, "--frequencies", "list.npy", "-b", "5e5")[0] == 0
    assert found(capsys, "--frequencies", "list.npy", "-b", "5e5", "-d", "160")[0] == 0
    assert found(capsys, "--frequencies", "list.npy", "-b", "5e5", "-d", "128")[0] == 1


# What is printed


def various(put: Put) -> list[list[str]]:
    """Command lines with every sort of section in them."""
    query, key = rows(), rows(seed=1)
    put("right.npz", **both(query))
    put("layout.npz", **both(query, layout="half-split"))
    put("base.npz", **both(rows(1, 2, 8, 128), base=5e5))
    put("noise.npz", input=rows(8, 4), output=rows(8, 4, seed=2))
    put("scores.npz", **scores(query, key, sign=-1))
    put("one.npz", **both(rows(1, 4), positions=[0]))
    put("zeros.npz", input=ZERO, output=ZERO)
    np.save("list.npy", plain(128, 5e5))
    return [
        ["right.npz"],
        ["layout.npz"],
        ["base.npz", "--config", CONFIG],
        ["base.npz", "--rows", "all"],
        ["noise.npz", "--tolerance", "0.01"],
        ["scores.npz"],
        ["one.npz"],
        ["zeros.npz"],
        ["--frequencies", "list.npy", "--config", CONFIG],
    ]


def test_every_row_is_printed_if_asked(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    """--rows all prints each pair, the summary says how many it leaves out."""
    name = put("a.npz", **both(rows(1, 2, 8, 128), base=5e5))
    whole, short = (finish(capsys, name, "--rows", each)[1] for each in ("all", "summary"))
    listed = re.findall(r"^│ +(\d+) │", whole, re.MULTILINE)
    assert listed == [str(pair) for pair in range(64)]
    assert " more " in short
    assert " more " not in whole
    assert finish(capsys, name)[1] == short


def numbers(text: str) -> list[str]:
    """The numbers of a text without its picture, whose marks coincide as the room has it."""
    lines = text.splitlines()
    marks = [at for at, line in enumerate(lines) if "┊" in line]
    # The line above the first marks holds the ends of the axis.
    picture = range(marks[0] - 1, marks[-1] + 1) if marks else ()
    return NUMBER.findall("\n".join(line for at, line in enumerate(lines) if at not in picture))


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_number_is_lost_at_any_width(
    language: str, put: Put, capsys: pytest.CaptureFixture[str]
) -> None:
    """No line is wider than asked, and every width holds the same numbers."""
    for words in various(put):
        texts = {
            width: finish(capsys, *words, "--lang", language, "--width", str(width))[1]
            for width in (40, 60, 80, 120, 200)
        }
        # The path of the config is one long word.
        longest = max(len(word) for word in texts[200].split())
        for width, text in texts.items():
            assert max(map(len, text.splitlines())) <= max(width, longest), words
            assert sorted(numbers(text)) == sorted(numbers(texts[200])), words
        assert finish(capsys, *words, "--lang", language)[1] == texts[80]


# Names of files, arrays, sections, checks and keys; nothing else in a Russian text is Latin.
NAMES = re.compile(
    r"\S*(?:\.npz|\.npy|\.json)\S*|\b(?:verify|output|permuted|scores|frequencies)-[\w-]+|"
    r"\b(?:RoPE|rotate_half|transformers|NTK|YaRN|llama3|input|output|query|key|scores|rope_\w+|b?float\d+)\b|--\w+|"
    r"e[+-]?\d+|\b(?:left|right|cos|sin|exact)'?(?![\w-])|\b[a-zA-Z]\b"
)


def test_russian_text_is_russian(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    """Without the names in it, a Russian report has no Latin letter."""
    for words in various(put):
        text = finish(capsys, *words, "--lang", "ru", "--width", "1000")[1]
        assert re.search("[а-яё]{5}", text)
        assert re.findall("[a-zA-Z]+", NAMES.sub("", text)) == [], words


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_python_is_printed(language: str, put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    """No list of strings, dictionary, tuple, None or truth value of Python is in a report."""
    python = re.compile(r"\['|\{'|\(\d+,\)|\b(?:None|True|False)\b|\bnp\.|\barray\(|<class")
    for words in various(put):
        text = finish(capsys, *words, "--lang", language, "--width", "1000")[1]
        assert python.search(text) is None, words
        prose = [line for line in text.splitlines() if line and line[0].isalpha()]
        sentences = [
            line
            for line in prose
            if not re.match("verdict|итог|holds|проверено|FAILS|НЕВЕРНО", line)
        ]
        assert [line for line in sentences if re.search(r"\w  +\w", line)] == [], words


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_ascii_leaves_letters_only(
    language: str, put: Put, capsys: pytest.CaptureFixture[str]
) -> None:
    """With --ascii every sign is ASCII or a Russian letter, and no number changes."""
    for words in various(put):
        text = finish(capsys, *words, "--lang", language, "--ascii")[1]
        rest = re.sub("[а-яё]", "", text, flags=re.IGNORECASE)
        assert rest.isascii(), words
        assert language == "ru" or text.isascii()
        usual = finish(capsys, *words, "--lang", language)[1].replace("–", "-")
        assert sorted(NUMBER.findall(text)) == sorted(NUMBER.findall(usual))


def test_poor_streams_get_the_report(put: Put, run: Run) -> None:
    """LC_ALL=C and a Russian code page take the report with the same numbers."""
    for words in various(put)[:3]:
        whole = run("verify", *words, "--ascii").stdout
        plainest = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
        process = run("verify", *words, env=plainest)
        assert (process.stdout, process.stderr) == (whole, b"")
        process = run("verify", *words, "--lang", "ru", env={"PYTHONIOENCODING": "cp1251"})
        assert process.stderr == b""
        assert NUMBER.findall(process.stdout.decode("cp1251")) == NUMBER.findall(
            run("verify", *words, "--lang", "ru", "--ascii").stdout.decode()
        )


def test_output_goes_to_a_file(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    """-o writes the report, and the exit code is still that of the verdict."""
    for arrays, code in ((both(rows()), 0), (both(rows(), sign=-1), 1)):
        name = put("a.npz", **arrays)
        text = finish(capsys, name)[1]
        assert finish(capsys, name, "-o", "report.txt") == (code, "")
        assert Path("report.txt").read_text("utf-8") == text


def names_in(value: Any) -> set[str]:
    """Every key of nested objects."""
    match value:
        case dict():
            return set(value).union(*map(names_in, value.values()))
        case list():
            return set().union(*map(names_in, value))
    return set()


def test_every_name_in_json_is_in_the_reference(
    put: Put, capsys: pytest.CaptureFixture[str]
) -> None:
    """The reference names every parameter and every value of verify, and every kind of mistake."""
    documented = set(re.findall(r"`([\w-]+)`", REFERENCE))
    for words in various(put):
        read = json.loads(finish(capsys, *words, "--format", "json")[1])
        assert read["parameters"].keys() <= documented
        for section in read["sections"]:
            assert {section["slug"], section["values"]["verdict"]} <= documented
            assert section["values"].keys() <= documented
            mistakes = [section["values"]["mistakes"], *section["values"].get("alternatives", [])]
            assert {one["kind"] for each in mistakes for one in each} <= documented
            assert names_in(section["values"].get("cannot_show", [])) <= documented


# Large files


def measured(script: str, *words: str, stderr: Any = subprocess.PIPE) -> tuple[int, bytes, bytes]:
    """Exit code, output and complaints of ``main`` after a few lines of Python."""
    lines = (
        f"import sys\n{script}\nfrom rope_cli.cli.main import main\nsys.exit(main(sys.argv[1:]))\n"
    )
    process = subprocess.run(
        [sys.executable, "-W", "error", "-c", lines, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=stderr,
        check=False,
        timeout=300,
    )
    return process.returncode, process.stdout, process.stderr


# The greatest resident set of this program alone: ru_maxrss starts with that of its parent.
PEAK = (
    "import atexit, pathlib, re\n"
    "def tell():\n"
    "    status = pathlib.Path('/proc/self/status').read_text()\n"
    "    print(re.search(r'VmHWM:\\s+(\\d+) kB', status)[1], file=sys.stderr)\n"
    "atexit.register(tell)\n"
)


@pytest.mark.slow
def test_large_file_is_not_held_in_memory(put: Put) -> None:
    """A 64 MB file is verified with 120 MB beside the bare program; a wrong one with 200 MB."""
    x = rows(1, 32, 2048, 128).astype(np.float32)
    name = put("large.npz", input=x, output=turned(x, base=5e5).astype(np.float32))
    size = Path(name).stat().st_size
    assert size > 64_000_000
    code, _, bare = measured(PEAK, "--version")
    assert code == 0
    for base, expected, most in (("500000", 0, 120e6), ("10000", 1, 200e6)):
        code, out, err = measured(PEAK, "verify", name, "-b", base)
        assert code == expected
        assert b"[verify-output]" in out
        assert 1024 * (int(err) - int(bare)) < most


WATCHED = "from rope_cli.cli import progress\nprogress.LONG_PASS = 1\n"


def on_terminal(script: str, *words: str) -> tuple[int, bytes, bytes]:
    """The same with a terminal for complaints."""
    pty = pytest.importorskip("pty")
    outer, inner = pty.openpty()
    code, out, _ = measured(script, *words, stderr=inner)
    os.close(inner)
    seen = b""
    while True:
        try:
            part = os.read(outer, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        seen += part
    os.close(outer)
    return code, out, seen


@pytest.mark.slow
def test_long_pass_shows_its_progress_on_a_terminal(put: Put) -> None:
    """A bar on standard error if that is a terminal, never on standard output or in a pipe."""
    name = put("a.npz", **both(rows(1, 2, 64, 16)))
    code, out, seen = on_terminal(WATCHED, "verify", name)
    assert (code, b"100%" in seen) == (0, True)
    assert b"%" not in out
    assert measured(WATCHED, "verify", name) == (0, out, b"")
    assert on_terminal("", "verify", name) == (0, out, b"")
    assert LONG_PASS > 2 * 64 * 16


# Reference vectors


def test_vectors_verify_themselves(capsys: pytest.CaptureFixture[str]) -> None:
    """JSON from standard output and .npz from -o agree in both layouts, forward and backward."""
    assert main(["vectors"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    Path("vectors.json").write_text(out)
    assert main(["vectors", "-o", "vectors.npz"]) == 0
    assert capsys.readouterr() == ("", "")
    read = json.loads(out)
    with np.load("vectors.npz") as arrays:
        assert set(arrays) == set(read)
        for name, values in read.items():
            assert np.array_equal(arrays[name], np.array(values)), name
    for file in ("vectors.json", "vectors.npz"):
        for layout, prefix in (("adjacent", "adjacent"), ("half-split", "half_split")):
            for row in ("query", "key"):
                names = ["--input-name", row, "--output-name", f"{prefix}_rotated_{row}"]
                assert found(capsys, file, *names, "--layout", layout)[0] == 0
                names = [f"{row}_output_adjoint", f"{prefix}_{row}_input_adjoint"]
                words = ["--input-name", names[0], "--output-name", names[1], "--layout", layout]
                assert found(capsys, file, *words, "--backward")[0] == 0
                assert found(capsys, file, *words)[0] == 1
        assert found(capsys, "--frequencies", file)[0] == 0


def test_every_vector_is_in_the_reference(capsys: pytest.CaptureFixture[str]) -> None:
    """The table of the reference has every key, in the order of the file."""
    assert main(["vectors"]) == 0
    keys = list(json.loads(capsys.readouterr().out))
    table = REFERENCE.partition("They hold:")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == keys


def test_vectors_of_a_model(capsys: pytest.CaptureFixture[str]) -> None:
    """With --config they are wide and scaled as the model is, and right by its own rule."""
    words = ["--config", CONFIG, "--positions", "0,3,9000", "-o", "vectors.npz"]
    assert main(["vectors", *words]) == 0
    assert capsys.readouterr() == ("", "")
    with np.load("vectors.npz") as arrays:
        assert arrays["method"] == "llama3"
        np.testing.assert_allclose(arrays["inverse_frequencies"], llama3(), rtol=1e-12)
        for layout, name in (("adjacent", "adjacent"), ("half-split", "half_split")):
            right = turned(arrays["query"], [0, 3, 9000], layout, llama3())
            np.testing.assert_allclose(arrays[f"{name}_rotated_query"], right, atol=1e-9)
    names = ["--input-name", "query", "--output-name", "half_split_rotated_query"]
    where = ["--config", CONFIG, "--layout", "half-split"]
    assert found(capsys, "vectors.npz", *names, *where)[0] == 0


def test_vectors_take_width_base_and_positions(capsys: pytest.CaptureFixture[str]) -> None:
    """-d, -b and --positions are what the file says it holds."""
    assert main(["vectors", "-d", "6", "-b", "50", "--positions", "2,9"]) == 0
    read = json.loads(capsys.readouterr().out)
    assert (read["feature_width"], read["base"], read["positions"]) == (6, 50.0, [2, 9])
    np.testing.assert_allclose(read["inverse_frequencies"], plain(6, 50.0), rtol=1e-15)
    right = turned(np.array(read["key"]), [2, 9], base=50.0)
    np.testing.assert_allclose(read["adjacent_rotated_key"], right, atol=1e-14)


@pytest.mark.parametrize(
    ("arrays", "tested"),
    [
        ({"input": rows(1, 8), "output": rows(1, 8)}, False),
        ({"input": rows(3, 8), "output": rows(3, 8), "positions": np.zeros(3, int)}, False),
        ({"input": np.zeros((4, 8)), "output": np.zeros((4, 8))}, False),
        ({"input": rows(2, 8), "output": turned(rows(2, 8))}, True),
    ],
)
def test_agreement_without_a_rotation_is_no_praise(
    arrays: dict[str, Array], tested: bool, put: Put, capsys: pytest.CaptureFixture[str]
) -> None:
    """At position 0, and in rows of zeros, code that never rotates agrees as well."""
    code, text = finish(capsys, put("a.npz", **arrays))
    assert (code, "AGREES." in text) == (0, True)
    assert ("Nothing about the rotation was tested" in text) != tested
