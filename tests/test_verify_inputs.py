"""Arrays and positions in every form that people save: read by ``verify``, and said how.

The rotations are computed here, by complex numbers.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rope_cli.cli.main import main

Array = NDArray[Any]
Verify = Callable[..., tuple[int, dict[str, Any]]]

WIDTH = 16
RNG = np.random.default_rng(14)
ROWS = RNG.normal(size=(2, 3, 12, WIDTH))


def rotated(x: Array, positions: Any, base: float = 1e4) -> Array:
    """Rows rotated in neighbouring pairs, ``[..., tokens, features]`` by ``[tokens]``."""
    frequencies = base ** (-np.arange(0, WIDTH, 2) / WIDTH)
    turned = np.exp(1j * np.multiply.outer(np.asarray(positions, float), frequencies))
    pairs = (x[..., 0::2] + 1j * x[..., 1::2]) * turned
    return np.stack([pairs.real, pairs.imag], axis=-1).reshape(x.shape)


@pytest.fixture
def verify(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Verify:
    """Save arrays, run the command in this process: its exit code, and what a program reads."""

    def verify(*words: str, **arrays: Any) -> tuple[int, dict[str, Any]]:
        path = tmp_path / "a.npz"
        np.savez(path, **arrays)
        code = main(["verify", str(path), *words, "--format", "json"])
        out, err = capsys.readouterr()
        assert err == ""
        return code, json.loads(out)

    return verify


def only(found: dict[str, Any]) -> dict[str, Any]:
    [section] = found["sections"]
    values: dict[str, Any] = section["values"]
    return values


def mistakes(found: dict[str, Any]) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = only(found)["mistakes"]
    return listed


# Positions


NEGATIVE = np.arange(-5, 7)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_negative_positions_are_positions(dtype: str, verify: Verify) -> None:
    """Padding on the left, a shifted cache: right ones agree, and an offset has its figure."""
    x = ROWS.astype(dtype)
    arrays = {"input": x, "positions": NEGATIVE}
    code, found = verify(**arrays, output=rotated(ROWS, NEGATIVE).astype(dtype))
    assert (code, only(found)["verdict"]) == (0, "agrees")
    code, found = verify(**arrays, output=rotated(ROWS, NEGATIVE + 3).astype(dtype))
    assert (code, mistakes(found)) == (1, [{"kind": "offset", "offset": 3}])
    code, found = verify("--offset", "-5", input=x, output=rotated(ROWS, NEGATIVE).astype(dtype))
    assert (code, only(found)["verdict"]) == (0, "agrees")
    assert verify("--offset", "-4", input=x, output=rotated(ROWS, NEGATIVE))[0] == 1


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize(
    ("positions", "factor"),
    [(np.arange(12) / 4, 4.0), (np.arange(-3, 9) / 3, 3.0), (np.arange(12) * 0.4, 2.5)],
)
def test_fractional_positions_are_linear_scaling(
    positions: Array, factor: float, dtype: str, verify: Verify
) -> None:
    """They agree, with a remark; code that takes the indices of the tokens is told apart."""
    arrays = {"input": ROWS.astype(dtype), "positions": positions}
    code, found = verify(**arrays, output=rotated(ROWS, positions).astype(dtype))
    assert (code, only(found)["verdict"]) == (0, "agrees")
    assert found["parameters"]["remarks"] == [{"kind": "fractional-positions", "factor": factor}]
    wrong = rotated(ROWS, positions, base=5e5).astype(dtype)
    code, found = verify(**arrays, output=wrong)
    assert (code, mistakes(found)) == (1, [{"kind": "base", "base": 5e5, "expected": 1e4}])


def test_times_of_arrival_are_positions(verify: Verify) -> None:
    """Any floats; the positions that are typed replace them, and the remark with them."""
    times = np.sort(RNG.uniform(0, 300, 12))
    arrays = {"input": ROWS.astype("f4"), "positions": times}
    code, found = verify(**arrays, output=rotated(ROWS, times).astype("f4"))
    assert (code, only(found)["verdict"]) == (0, "agrees")
    code, found = verify("--offset", "2", **arrays, output=rotated(ROWS, range(2, 14)).astype("f4"))
    assert (code, found["parameters"]["remarks"]) == (0, [])


def test_fractions_reach_a_config_by_the_length_of_the_text(verify: Verify, tmp_path: Path) -> None:
    """Position 3071.5 is below 4096: dynamic scaling stays off, though 6143 is beyond it."""
    config = tmp_path / "config.json"
    config.write_text(
        json.dumps(
            {
                "model_type": "llama",
                "head_dim": WIDTH,
                "hidden_size": 64,
                "num_attention_heads": 4,
                "max_position_embeddings": 4096,
                "rope_theta": 1e4,
                "rope_scaling": {"rope_type": "dynamic", "factor": 4.0},
            }
        )
    )
    positions = np.arange(12) * 0.5 + 3066
    arrays = {"input": ROWS, "positions": positions, "output": rotated(ROWS, positions)}
    assert verify("--config", str(config), "--layout", "adjacent", **arrays)[0] == 0


# Types


def test_raw_bytes_are_said_to_be_taken_for_bfloat16(verify: Verify) -> None:
    """Assumed, unless --dtype says so."""

    def raw(x: Array) -> Array:
        bits = x.astype("f4").view("u4")
        return np.asarray((bits + 0x7FFF + (bits >> 16 & 1)) >> 16, "u2")

    x = (raw(ROWS).astype("u4") << 16).view("f4").astype(float)
    arrays = {"input": raw(x).view("V2"), "output": raw(rotated(x, range(12))).view("V2")}
    code, found = verify(**arrays)
    assert (code, only(found)["verdict"], only(found)["dtype"]) == (0, "agrees", "bfloat16")
    remark = {"kind": "bfloat16-assumed", "arrays": ["input", "output"]}
    assert found["parameters"]["remarks"] == [remark]
    code, found = verify("--dtype", "bfloat16", **arrays)
    assert (code, found["parameters"]["remarks"]) == (0, [])


# Outputs that are not finite


def test_an_output_that_is_not_finite_is_the_finding(
    verify: Verify, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """From token 9 on, in one head of one batch row; the tokens before it agree."""
    output = rotated(ROWS, range(12))
    output[1, 2, 9:, 3] = [np.inf, np.nan, -np.inf]
    code, found = verify(input=ROWS, output=output)
    [check] = found["sections"][0]["checks"]
    assert (check["name"], check["holds"], check["measured"]) == ("output-finite", False, 3.0)
    values = only(found)
    assert (code, values["verdict"]) == (1, "differs")
    assert (values["where"], values["position"]) == ([1, 2, 9, 3], 9)
    [mistake] = values["mistakes"]
    figures = {"from_position": 9, "tokens": 3, "numbers": 3, "to_the_end": True}
    assert mistake == {"kind": "not-finite", **figures, "beyond_float16": False}
    for language, said in (
        ("en", "The output before it agrees with RoPE: 9"),
        ("ru", "совпадает с"),
    ):
        assert main(["verify", str(tmp_path / "a.npz"), "--lang", language]) == 1
        assert said in " ".join(capsys.readouterr().out.split())


def test_what_lies_before_is_explained(verify: Verify) -> None:
    """Both mistakes are named: another base, and no numbers from position 4 on."""
    output = rotated(ROWS, range(12), base=5e5)
    output[..., 4:, :] = np.nan
    code, found = verify(input=ROWS, output=output)
    assert code == 1
    assert [mistake["kind"] for mistake in mistakes(found)] == ["not-finite", "base"]
    assert mistakes(found)[0]["numbers"] == 2 * 3 * 8 * WIDTH


@pytest.mark.parametrize("tokens", [[0], [3, 5], [11, 2]])
def test_single_tokens_that_are_not_finite_are_counted(tokens: list[int], verify: Verify) -> None:
    """The first of them is told, whatever stands behind it."""
    output = rotated(ROWS, range(12)).astype("f2")
    output[0, 1, tokens, 0] = np.nan
    code, found = verify("--axes", "batch,heads,tokens,features", input=ROWS, output=output)
    [mistake] = mistakes(found)
    first = min(tokens)
    assert (code, only(found)["where"]) == (1, [0, 1, first, 0])
    assert (mistake["from_position"], mistake["tokens"]) == (first, len(tokens))
    assert mistake["to_the_end"] is False


def test_the_first_token_is_found_in_any_block(verify: Verify) -> None:
    """Arrays of several blocks: the first in order of tokens, not of memory."""
    x = np.ones((2, 2, 9000, WIDTH), "f4")
    output = x.copy()
    output[0, 1, 100, 3], output[1, 0, 7000, 2] = np.nan, np.inf
    code, found = verify("--axes", "batch,heads,tokens,features", input=x, output=output)
    [mistake] = mistakes(found)
    assert (code, only(found)["where"]) == (1, [0, 1, 100, 3])
    assert (mistake["from_position"], mistake["tokens"], mistake["numbers"]) == (100, 2, 2)


def test_positions_beyond_float16_are_named(verify: Verify) -> None:
    """65520 is the first that float16 rounds to infinity; 65519 is rounded to 65504."""
    positions = np.arange(65514, 65526)
    with np.errstate(over="ignore", invalid="ignore"):
        output = rotated(ROWS, positions.astype("f2"))
    code, found = verify(input=ROWS.astype("f4"), output=output.astype("f4"), positions=positions)
    first = mistakes(found)[0]
    assert (code, first["from_position"], first["beyond_float16"]) == (1, 65520, True)
    assert mistakes(found)[1]["kind"] in ("low-precision", "other-positions", "clamped-positions")


def test_the_second_pair_is_compared_after_a_first_that_is_not_finite(verify: Verify) -> None:
    """Each has its own section."""
    broken = np.full_like(ROWS, np.nan)
    right = rotated(ROWS, range(12))
    code, found = verify(query=ROWS, rotated_query=broken, key=ROWS, rotated_key=right)
    verdicts = [section["values"]["verdict"] for section in found["sections"]]
    assert (code, verdicts) == (1, ["differs", "agrees"])


def test_numbers_without_products_are_not_compared(
    verify: Verify, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """-1e308 in the output is the finding; in the input it is refused."""
    output = rotated(ROWS, range(12))
    output[0, 0, 2, 1] = -1e308
    code, found = verify(input=ROWS, output=output)
    assert (code, only(found)["where"], mistakes(found)[0]["numbers"]) == (1, [0, 0, 2, 1], 1)
    assert main(["verify", str(tmp_path / "a.npz")]) == 1
    text = " ".join(capsys.readouterr().out.split())
    assert "beyond 1e150 in 1 of 12 tokens, first at position 2: it holds -1e+308" in text
    np.savez(tmp_path / "b.npz", input=output, output=ROWS)
    assert main(["verify", str(tmp_path / "b.npz")]) == 2
    assert "at [0, 0, 2, 1]; accepted: finite numbers of at most 1e150" in capsys.readouterr().err


def test_one_row_that_is_not_finite(verify: Verify) -> None:
    """A single row is that of one token."""
    row = ROWS[0, 0, 0]
    code, found = verify(input=row, output=np.where(row > 0, row, np.inf))
    assert (code, mistakes(found)[0]["kind"]) == (1, "not-finite")


# Scores

QUERIES, KEYS = RNG.normal(size=(2, 4, 3, WIDTH)), RNG.normal(size=(2, 2, 9, WIDTH))


def scores_of(queries: Array, keys: Array, query_positions: Any, key_positions: Any) -> Array:
    """Dot products of rotated rows; the key heads are shared by neighbouring query heads."""
    shared = np.repeat(rotated(keys, key_positions), queries.shape[1] // keys.shape[1], axis=1)
    return np.asarray(rotated(queries, query_positions) @ np.swapaxes(shared, -1, -2))


def test_a_few_queries_before_many_keys_have_positions_of_their_own(verify: Verify) -> None:
    """Chunks of a text in any place; other positions than the right ones are a difference."""
    arrays: dict[str, Any] = {"query": QUERIES, "key": KEYS, "query_positions": [40, 41, 50]}
    arrays["key_positions"] = np.arange(20, 29)
    arrays["scores"] = scores_of(QUERIES, KEYS, [40, 41, 50], range(20, 29))
    code, found = verify(**arrays)
    values = only(found)
    assert (code, values["verdict"], values["compared"]) == (0, "agrees", 2 * 4 * 3 * 9)
    assert "assumed_query_positions" not in values
    assert verify(**(arrays | {"query_positions": [40, 41, 51]}))[0] == 1
    assert verify(**(arrays | {"key_positions": np.arange(21, 30)}))[0] == 1


@pytest.mark.parametrize(
    ("given", "words", "query_positions", "key_positions"),
    [
        ({}, (), [6, 7, 8], range(9)),
        ({"positions": np.arange(30, 39)}, (), [36, 37, 38], range(30, 39)),
        ({"positions": np.arange(36, 39)}, (), [36, 37, 38], range(30, 39)),
        ({"query_positions": [36, 37, 38]}, (), [36, 37, 38], range(30, 39)),
        ({"key_positions": np.arange(30, 39)}, (), [36, 37, 38], range(30, 39)),
        ({}, ("--offset", "30"), [36, 37, 38], range(30, 39)),
        ({}, ("--positions", "30:39"), [36, 37, 38], range(30, 39)),
    ],
)
def test_the_last_queries_of_a_cache_are_assumed(
    given: dict[str, Any],
    words: tuple[str, ...],
    query_positions: list[int],
    key_positions: range,
    verify: Verify,
) -> None:
    """What nobody said is assumed, and said to be assumed.

    Scores show differences of positions alone, so a common offset of both changes nothing.
    """
    scores = scores_of(QUERIES, KEYS, query_positions, key_positions)
    code, found = verify(*words, query=QUERIES, key=KEYS, scores=scores, **given)
    values = only(found)
    assert (code, values["verdict"]) == (0, "agrees")
    assert values["assumed_query_positions"] == query_positions
    assert values["assumed_key_positions"] == list(key_positions)


def masks() -> dict[str, Any]:
    later = np.triu(np.ones((12, 12), bool), 1)
    lowest = np.finfo(np.float32).min
    return {
        "minus infinity": lambda scores: np.where(later, -np.inf, scores),
        "lowest": lambda scores: np.where(later, lowest, scores),
        "added -1e9": lambda scores: np.where(later, scores - 1e9, scores),
        "added -10000": lambda scores: np.where(later, scores - 10_000, scores),
        "zeros": lambda scores: np.where(later, 0.0, scores),
    }


@pytest.mark.slow
@pytest.mark.parametrize("mask", masks())
def test_masked_scores_are_left_out(mask: str, verify: Verify) -> None:
    """Right ones agree, one wrong one differs, and the direction is still named."""
    keys = RNG.normal(size=ROWS.shape)
    arrays = {"query": ROWS.astype("f4"), "key": keys.astype("f4")}
    right = scores_of(ROWS, keys, range(12), range(12))
    code, found = verify(**arrays, scores=masks()[mask](right).astype("f4"))
    values = only(found)
    assert (code, values["verdict"]) == (0, "agrees")
    assert (values["masked"], values["compared"]) == (2 * 3 * 66, 2 * 3 * 78)
    wrong = right.copy()
    wrong[1, 2, 7, 7] += 0.5
    code, found = verify(**arrays, scores=masks()[mask](wrong).astype("f4"))
    assert (code, only(found)["where"]) == (1, [1, 2, 7, 7])
    backwards = scores_of(ROWS, keys, -np.arange(12), -np.arange(12))
    code, found = verify(**arrays, scores=masks()[mask](backwards).astype("f4"))
    assert (code, mistakes(found)) == (1, [{"kind": "direction"}])


def test_a_mask_hides_no_mistake(verify: Verify) -> None:
    """Zeros elsewhere, some zeros behind, low scores of long rows: all compared."""
    right = scores_of(ROWS, ROWS, range(12), range(12))
    arrays = {"query": ROWS, "key": ROWS}
    assert verify(**arrays, scores=np.tril(np.ones((12, 12))).T * right)[0] == 1
    some = right.copy()
    some[..., 0, 5:] = 0
    assert verify(**arrays, scores=some)[0] == 1
    long = {"query": 100 * ROWS, "key": 100 * ROWS}
    code, found = verify(**long, scores=1e4 * right)
    assert (code, only(found)["masked"]) == (0, 0)
    assert verify(**long, scores=1e4 * np.where(np.eye(12, dtype=bool), -right, right))[0] == 1


def test_scores_that_are_no_numbers_differ(verify: Verify, capsys: Any, tmp_path: Path) -> None:
    """NaN and infinity are the finding; what is masked throughout is refused."""
    right = scores_of(ROWS, ROWS, range(12), range(12))
    for number in (np.nan, np.inf):
        broken = right.copy()
        broken[0, 1, 4, 2] = number
        code, found = verify(query=ROWS, key=ROWS, scores=broken)
        assert (code, only(found)["where"], mistakes(found)) == (1, [0, 1, 4, 2], [])
        assert main(["verify", str(tmp_path / "a.npz")]) == 1
        assert f"scores[0, 1, 4, 2] is {number}" in capsys.readouterr().out
    np.savez(tmp_path / "b.npz", query=ROWS, key=ROWS, scores=np.full(right.shape, -np.inf))
    assert main(["verify", str(tmp_path / "b.npz")]) == 2
    assert "masked throughout" in capsys.readouterr().err


# Tables of cosines and sines


def angles(tokens: int = 20, base: float = 1e4) -> Array:
    return np.multiply.outer(np.arange(tokens), base ** (-np.arange(0, WIDTH, 2) / WIDTH))


def halves(columns: Array) -> Array:
    return np.concatenate([columns, columns], axis=-1)


TABLES: dict[str, tuple[str, Callable[[Array], dict[str, Any]]]] = {
    "a column for each pair": ("pairs", lambda a: {"cos": np.cos(a), "sin": np.sin(a)}),
    "as transformers": (
        "halves",
        lambda a: {"cos": halves(np.cos(a))[None].astype("f4"),
                   "sin": halves(np.sin(a))[None].astype("f4")},
    ),
    "as older transformers": (
        "halves",
        lambda a: {"cos_cached": halves(np.cos(a))[None, None],
                   "sin_cached": halves(np.sin(a))[None, None]},
    ),
    "as GPT-J": (
        "neighbours",
        lambda a: {"cosines": np.repeat(np.cos(a), 2, -1)[:, None],
                   "sines": np.repeat(np.sin(a), 2, -1)[:, None]},
    ),
    "as vLLM": (
        "cos-sin",
        lambda a: {"cos_sin_cache": np.concatenate([np.cos(a), np.sin(a)], -1).astype("f4")},
    ),
    "as Meta": ("complex", lambda a: {"freqs_cis": np.exp(1j * a).astype("c8")}),
    "complex of float64": ("complex", lambda a: {"freqs_cis": np.exp(1j * a)}),
    "bfloat16": (
        "pairs",
        lambda a: {name: (np.ascontiguousarray(f(a), "f4").view("u4") >> 16).astype("u2").view("V2")
                   for name, f in (("cos", np.cos), ("sin", np.sin))},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_checked_as_tables(name: str, verify: Verify, tmp_path: Path) -> None:
    """Right ones agree in each usual form, another base is named, and --layout plays no part."""
    form, table = TABLES[name]
    for words in ((), ("--layout", "half-split")):
        code, found = verify(*words, **table(angles()))
        assert [section["slug"] for section in found["sections"]] == ["verify-table"]
        assert (code, only(found)["verdict"], only(found)["compared"]) == (0, "agrees", 20 * WIDTH)
        assert found["parameters"]["remarks"][0] == {"kind": "table", "form": form}
        assert found["parameters"]["feature_width"] == WIDTH
    code, found = verify(**table(angles(base=5e5)))
    [mistake] = mistakes(found)
    assert (code, mistake["kind"]) == (1, "base")
    assert mistake["base"] == pytest.approx(5e5, rel=2e-2)


def test_wrong_tables_are_explained(verify: Verify) -> None:
    """The sines negated, cosines and sines exchanged, counted from 1, and a factor of both."""
    a = angles()
    for wrong, expected in (
        ({"cos": np.cos(a), "sin": -np.sin(a)}, [{"kind": "direction"}]),
        ({"cos": np.sin(a), "sin": np.cos(a)}, [{"kind": "sine-cosine-exchanged"}]),
        ({"cos": np.cos(a)[1:], "sin": np.sin(a)[1:]}, [{"kind": "offset", "offset": 1}]),
    ):
        code, found = verify(**wrong)
        assert (code, mistakes(found)) == (1, expected)
    code, found = verify(cos=1.25 * np.cos(a), sin=1.25 * np.sin(a))
    [mistake] = mistakes(found)
    assert (code, mistake.pop("kind")) == (1, "attention-factor")
    assert 1.25 in [pytest.approx(figure) for figure in mistake.values()]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main([*words, "--format", "json"])
    return code, *capsys.readouterr()


def test_tables_lie_in_files_of_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An array alone is known by its numbers or by the name of its file; two by their names."""
    a = angles()
    both = np.concatenate([np.cos(a), np.sin(a)], axis=-1)
    for name, array in (
        ("anything.npy", both),
        ("cos_sin_cache.npy", both),
        ("freqs_cis.npy", np.exp(1j * a)),
        ("cos.npy", np.cos(a)),
        ("sin.npy", np.sin(a)),
        ("rows.npy", ROWS[0, 0]),
        ("zeros.npy", np.zeros((3, 4))),
    ):
        np.save(tmp_path / name, array)
    for names in (["anything"], ["cos_sin_cache"], ["freqs_cis"], ["cos", "sin"]):
        paths = [str(tmp_path / f"{name}.npy") for name in names]
        code, out, err = run(capsys, "verify", *paths)
        assert (code, err) == (0, "")
        assert '"slug": "verify-table"' in out
    for name in ("rows", "zeros", "cos"):
        code, out, err = run(capsys, "verify", str(tmp_path / f"{name}.npy"))
        assert (code, out) == (2, "")
        assert 'no array "input"' in err


def test_tables_that_do_not_fit_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Other shapes, an odd width, complex rows."""
    a = angles()
    for arrays, said in (
        ({"cos": np.cos(a), "sin": np.sin(a)[1:]}, '"sin" is of shape [19, 8]'),
        ({"cos_sin_cache": np.ones((3, 5))}, "even width"),
        ({"input": ROWS + 0j, "output": ROWS + 0j}, "of dtype complex128"),
    ):
        np.savez(tmp_path / "a.npz", **arrays)
        code, _, err = run(capsys, "verify", str(tmp_path / "a.npz"))
        assert code == 2
        assert said in err
        assert len(err.splitlines()) == 1


def test_rows_come_before_tables(verify: Verify) -> None:
    """A file with both is verified by its rows, and the names choose the table."""
    a = angles(12)
    arrays = {"input": ROWS, "output": rotated(ROWS, range(12)), "cos": np.cos(a)}
    arrays["sin"] = np.sin(a)
    assert verify(**arrays)[1]["sections"][0]["slug"] == "verify-output"
    code, found = verify("--input-name", "cos", "--output-name", "sin", **arrays)
    assert (code, found["sections"][0]["slug"]) == (0, "verify-table")


def test_positions_belong_to_tables_too(verify: Verify) -> None:
    """A table that starts later, and one of scaled positions."""
    a = angles(30)[10:]
    table = {"cos": np.cos(a), "sin": np.sin(a)}
    assert verify(**table, positions=np.arange(10, 30))[0] == 0
    assert verify("--offset", "10", **table)[0] == 0
    quarter = {"cos": np.cos(a / 4), "sin": np.sin(a / 4)}
    assert verify(**quarter, positions=np.arange(10, 30) / 4)[0] == 0


def test_fewer_queries_than_keys_are_the_last_tokens(verify: Verify) -> None:
    """As with a cache, unless the file says otherwise or they are right from position 0 on."""
    rng = np.random.default_rng(2)
    query, key = rng.normal(size=(1, 4, 2, WIDTH)), rng.normal(size=(1, 4, 16, WIDTH))
    keys = {"key": key, "rotated_key": rotated(key, np.arange(16))}
    given: dict[str, Any]
    for first, given, code, remarks in (
        (14, {}, 0, [{"kind": "last-positions-assumed", "positions": [14, 15]}]),
        (0, {}, 0, []),
        (14, {"query_positions": [0, 1]}, 1, []),
        (13, {}, 1, []),
    ):
        arrays = {"query": query, "rotated_query": rotated(query, [first, first + 1])}
        found = verify("--layout", "adjacent", **keys, **arrays, **given)
        assert (found[0], found[1]["parameters"]["remarks"]) == (code, remarks)
