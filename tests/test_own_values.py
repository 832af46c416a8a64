"""The reader's own values: every section holds with them, or says that it keeps the chapter's."""

from __future__ import annotations

import io
import json
import math
import pickle
import struct
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rope_cli.errors import RopeError
from rope_cli.example.parameters import EVERYTHING, PARAMETERS, Parameters
from rope_cli.example.user_values import parameters_from
from rope_cli.experiments.bugs import BUGS
from rope_cli.renderers import render
from rope_cli.report import build, tracks
from rope_cli.user_input.numbers import InvalidNumber, InvalidPositions

USING = [slug for slug in tracks.SLUGS if build.used_parameters(build.section_module(slug))]


def asked(**values: str) -> Parameters:
    return parameters_from(values)


def failed(parameters: Parameters, slugs: list[str] = USING) -> list[str]:
    return [check.name for check in build.build(slugs, parameters).checks if not check.holds]


def test_nothing_given_is_the_chapter() -> None:
    """Without options the parameters are the chapter's, and none is the reader's."""
    assert parameters_from({}) == Parameters()
    assert parameters_from({"base": None, "rows": None}).given == frozenset()


def test_values_are_read_as_typed() -> None:
    """Each option gives its parameter, and the header can tell which were given."""
    parameters = asked(
        feature_width="8",
        base="5e5",
        positions="0:3,7,100:102",
        shift="100000",
        query="1,2,3,4,5,6,7,8",
        key="1,0,1,0,1,0,1,0;" * 5 + "0,1,0,1,0,1,0,1",
        layout="half-split",
        dtype="float32",
        rows="all",
    )
    assert parameters.feature_width == 8
    assert parameters.base == 500000.0
    assert parameters.positions == (0, 1, 2, 7, 100, 101)
    assert parameters.shift == 100_000
    assert parameters.query == ((1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0),)
    assert parameters.key is not None
    assert len(parameters.key) == 6
    assert parameters.layout == "half-split"
    assert parameters.dtype == "float32"
    assert parameters.every_row
    assert parameters.given == EVERYTHING


def test_the_width_follows_from_the_rows() -> None:
    """Rows of six numbers need no --feature-width."""
    assert asked(query="1,2,3,4,5,6").feature_width == 6


@pytest.mark.parametrize("suffix", [".npy", ".csv", ".json"])
def test_rows_come_from_a_file(suffix: str, tmp_path: Path) -> None:
    """The three kinds of file give the rows that were saved in them."""
    rows = np.array([[1.0, -0.5, 0.25, 3.0], [0.0, 1e-3, 2.0, 7.0], [1.0, 1.0, 1.0, 1.0]])
    path = tmp_path / f"rows{suffix}"
    if suffix == ".npy":
        np.save(path, rows)
    elif suffix == ".csv":
        np.savetxt(path, rows, delimiter=",")
    else:
        path.write_text(json.dumps(rows.tolist()))
    assert asked(query=str(path)).query == tuple(map(tuple, rows.tolist()))


def saved(array: Any, **options: Any) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, **options)
    return buffer.getvalue()


def zipped(**arrays: Any) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **(arrays or {"rows": np.eye(4)}))
    return buffer.getvalue()


def with_header(descr: str, shape: str, data: bytes = bytes(32)) -> bytes:
    """A .npy file with a header written by hand."""
    header = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}}}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


ROWS = np.array([[1.0, -0.5, 0.25, 2.0], [0.0, 0.125, 2.0, 4.0]])
# By hand: 3F80 is 1, BF00 -0.5, 3E80 0.25, 4000 2, 0 0, 3E00 0.125, 4080 4.
BFLOAT16_BITS = np.array([[0x3F80, 0xBF00, 0x3E80, 0x4000], [0, 0x3E00, 0x4000, 0x4080]], "<u2")


@pytest.mark.parametrize(
    ("name", "data"),
    {
        "of-python-2.npy": with_header("'<f8'", "(2L, 4L)", ROWS.tobytes()),
        "big-endian.npy": saved(ROWS.astype(">f4")),
        "columns-first.npy": saved(np.asfortranarray(ROWS)),
        "bfloat16.npy": saved(BFLOAT16_BITS.view("V2")),
        "a-zip.npy": zipped(rows=ROWS),
        "several.npy": zipped(query=ROWS, key=np.eye(4)),
        "quoted.csv": b'"1","-0.5","0.25","2"\r\n"0","0.125","2","4"\r\n',
        "blanks.csv": b"1 -0.5 0.25 2\n\n0 0.125 2 4",
        "mark.csv": b"\xef\xbb\xbf1,-0.5,.25,2\n0,0.125,2,4\n",
        "object.json": b'{"query": [[1, -0.5, 0.25, 2], [0, 0.125, 2, 4]], "d": 4}',
    }.items(),
)
def test_rows_come_from_whatever_the_file_really_is(name: str, data: bytes, tmp_path: Path) -> None:
    """The content decides, as for ``verify``; numpy's warnings never show."""
    path = tmp_path / name
    path.write_bytes(data)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = asked(query=str(path), positions="0,1").query
    assert found == ((1.0, -0.5, 0.25, 2.0), (0.0, 0.125, 2.0, 4.0))


GARBAGE_FILES = {
    "objects.npy": saved(np.array([{"a": 1}], dtype=object), allow_pickle=True),
    "pickle.npy": pickle.dumps([[1.0, 0.0]]),
    "rank0.npy": saved(np.float64(1.0)),
    "rank3.npy": saved(np.zeros((2, 2, 2))),
    "complex.npy": saved(np.zeros((1, 4), dtype=complex)),
    "text.npy": saved(np.array([["a", "b"]])),
    "nan.npy": saved(np.array([[1.0, np.nan]])),
    "empty.npy": saved(np.zeros((0, 4))),
    "zip.npy": zipped()[:-5],
    "two.npy": zipped(a=np.eye(4), b=np.eye(4)),
    "subarray.npy": with_header("('<f8', (2,))", "(1, 2)"),
    "python-2.npy": with_header("'<f8'", "(1L, 4L"),
    "list.npy": saved(np.eye(4)).replace(b"'descr': '<f8'", b"[]      : '<f8'"),
    "huge.npy": with_header("'<f8'", "(10000000000000000000000000000000,)"),
    "no-number.npy": with_header("'<f8'", "('a', 4)"),
    "many.npy": with_header("'<f4'", "(4097, 1024)", bytes(4097 * 4096)),
    "many.csv": b"1,1\n" * (2**21 + 1),
    "strings.json": b'[["1", "0"]]',
    "truth.json": b"[[true, false]]",
    "cut.npy": saved(np.zeros((3, 4)))[:-5],
    "nothing.npy": b"",
    "ragged.csv": b"1,2\n1,2,3\n",
    "words.csv": b"one,two\n",
    "latin.csv": b"\xe9,1\n",
    "quote.csv": b'"1,2\n',
    "nothing.csv": b"",
    "list.json": b'["a", "b"]',
    "object.json": b'{"a": [[1, 2]], "b": [[1, 2]]}',
    "nan.json": b"[[NaN, 1]]",
    "deep.json": b"[" * 5000 + b"]" * 5000,
    "huge.json": b"[[1" + b"0" * 400 + b", 1]]",
    "digits.json": b"[[1" + b"0" * 6000 + b", 1]]",
    "ragged.json": b"[[1, 2], [1]]",
    "null.json": b"[[null, 1]]",
    "cut.json": b"[[1, 2]",
    "nothing.json": b"",
}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name == "many.csv" else ())
        for name in GARBAGE_FILES
    ],
)
def test_a_bad_file_is_refused(name: str, tmp_path: Path) -> None:
    """Whatever is in the file, the refusal is one line in both languages."""
    path = tmp_path / name
    path.write_bytes(GARBAGE_FILES[name])
    with pytest.raises(RopeError) as refusal:
        asked(query=str(path))
    for language in ("en", "ru"):
        assert "\n" not in refusal.value.sentence(language)


@pytest.mark.parametrize("name", ["missing.npy", "directory.csv"])
def test_a_file_that_cannot_be_read_is_refused(name: str, tmp_path: Path) -> None:
    """A missing file and a directory are told apart by their reason."""
    (tmp_path / "directory.csv").mkdir()
    with pytest.raises(RopeError, match="cannot be read"):
        asked(query=str(tmp_path / name))


@pytest.mark.parametrize(
    ("option", "values"),
    {
        "feature_width": ["", "-4", "4.0", "four", "1026", "1" * 30, "٤", "3", "0"],
        "base": ["", "0", "-1", "nan", "inf", "1e16", "1e-10", "1_0", "0x10", "e", "1e999"],
        "positions": [
            "",
            ",",
            "-1",
            "1.5",
            "3:3",
            "3:1",
            "0:3,2",
            "0,0",
            "0:1048577",
            "0:1048570,1048580:1048590",
            "9007199254740993",
            "0:",
            ":3",
            "a",
            "1;2",
        ],
        "shift": ["", "-1", "1.5", "9007199254740993", "nan"],
        "query": ["", "1,0;1", "1,,0", "nan,1", "1e16,0", "a,b", "1,0,1", ";", "1 0"],
    }.items(),
)
def test_bad_values_are_refused(option: str, values: list[str]) -> None:
    """Each is refused with one line, in both languages, and never read as something else."""
    for value in values:
        with pytest.raises(RopeError) as refusal:
            build.build(["rotations"], asked(**{option: value}))
        for language in ("en", "ru"):
            assert "\n" not in refusal.value.sentence(language)


def test_rows_must_fit() -> None:
    """A row of another width, and too few rows, are refused by name."""
    with pytest.raises(RopeError, match="feature width, 8"):
        build.build(["norms"], asked(feature_width="8", query="1,0,1,0"))
    with pytest.raises(RopeError, match="has rows: 2;"):
        build.build(["norms"], asked(query="1,0,1,0;0,1,0,1"))


def test_scores_that_cancel_are_right_all_the_same() -> None:
    """The bound follows the norms: orthogonal rows have a score of 0 and still hold."""
    for query, key in (("1e6,1e6,0,0", "1e6,-1e6,0,0"), ("3000,1000,7000,0", "1000,-3000,0,5000")):
        assert failed(asked(positions="0", query=query, key=key, shift="12345")) == []


def test_what_float64_cannot_tell_is_refused() -> None:
    """Angles beyond 2^43 radians, and rows beyond the memory that is allowed, are refused."""
    # 2^43 - 1 is left for the shift, and 2^43 - 3 for a position that the chapter's shift moves.
    with pytest.raises(RopeError, match=r"--shift is \d+; .* from 0 to 8796093022207$"):
        asked(positions="0,1", shift="9007199254740000")
    with pytest.raises(RopeError, match=r'--positions is "0,9\d+"; .* beyond 8796093022205$'):
        asked(positions="0,9007199254740000")
    # 1e-9^(-2/4) = 31622.8 radians per position: 2^43 / 31622.8 = 278156884.6
    with pytest.raises(RopeError, match=r"beyond 278156881$"):
        asked(positions="300000000", base="1e-9")
    asked(positions="278156881", base="1e-9")
    with pytest.raises(RopeError, match="rows all"):
        asked(positions="0:65", rows="all")


def test_the_shift_counts_for_the_last_position() -> None:
    """Positions and shift together stay within 2^43, at 1 radian per position."""
    with pytest.raises(RopeError, match=r"--shift is 1000000; accepted: .* from 0 to 199$"):
        asked(positions="8796093022000:8796093022010", shift="1000000")


@pytest.mark.parametrize(
    "values",
    [
        {"feature_width": "3"},
        {"base": "0"},
        {"positions": "3:1"},
        {"positions": "0,9007199254740000"},
        {"shift": "-1"},
        {"shift": "9007199254740000"},
        {"query": "1,2,3"},
        {"key": "1,2,3"},
        {"key": "1,2,3,4", "feature_width": "8"},
        {"query": "1,2;3,4"},
        {"rows": "all", "positions": "0:65"},
    ],
    ids=str,
)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_refusal_names_the_option(values: dict[str, str], language: str) -> None:
    """Whoever typed a value finds it by the option that the refusal begins with."""
    with pytest.raises(RopeError) as refusal:
        asked(**values)
    option = "--" + next(iter(values)).replace("_", "-")
    assert refusal.value.sentence(language).startswith(option)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    width=st.integers(1, 32).map(lambda half: str(2 * half)),
    base=st.floats(1.001, 1e8).map(repr),
    start=st.integers(0, 10**9),
    tokens=st.integers(1, 12),
    shift=st.integers(0, 10**9),
    layout=st.sampled_from(["adjacent", "half-split"]),
    dtype=st.sampled_from(["float64", "float32"]),
    scale=st.sampled_from([1e-3, 1.0, 1e3]),
)
def test_every_check_holds_with_any_values(
    width: str,
    base: str,
    start: int,
    tokens: int,
    shift: int,
    layout: str,
    dtype: str,
    scale: float,
) -> None:
    """The bounds follow the stated rule, so right mathematics passes whatever is asked for."""
    turned = ",".join(repr(scale * math.cos(1.0 + 7 * at)) for at in range(int(width)))
    row = ",".join(repr(scale * math.sin(1.0 + 7 * at)) for at in range(int(width)))
    parameters = asked(
        feature_width=width,
        base=base,
        positions=f"{start}:{start + tokens}",
        shift=str(shift),
        query=row,
        key=turned,
        layout=layout,
        dtype=dtype,
    )
    assert failed(parameters) == []


@pytest.mark.parametrize("base", ["1", "0.5", "0.01"])
def test_bases_of_one_and_less_are_possible(base: str) -> None:
    """At base 1 all pairs turn alike, below it later pairs are faster; every check holds."""
    assert failed(asked(base=base, feature_width="8")) == []


def test_the_adapted_bound_still_catches_a_bug() -> None:
    """Turning the key the other way is noticed with the reader's values as well."""
    parameters = asked(feature_width="8", base="500", positions="5:9", shift="1000")
    for bug in BUGS:
        document = build.build(USING, parameters, bug.example_type)
        assert not document.holds, bug.name


def test_a_section_says_which_values_it_keeps() -> None:
    """A section that cannot use a value says so in a line, in both languages."""
    document = build.build(["one-pair", "direction"], asked(positions="0:5", base="50"))
    english, russian = (render(document, "text", language, width=200) for language in ("en", "ru"))
    assert "Your values that this section does not use: base, positions." in english
    assert "Your values that this section does not use: positions." in english
    assert (
        "Ваши значения, которые в этом разделе не используются: основание частот, позиции."
        in russian
    )
    assert "Your values: base b = 50.\n" in english
    assert "The chapter's values: feature width d = 4, pairs 2, adjacent layout" in english
    assert "Ваши параметры: основание b = 50.\n" in russian
    assert "Параметры примера из главы: ширина признаков d = 4, число пар 2" in russian


def test_width_of_the_rows_is_said_to_follow_from_them() -> None:
    """Nobody typed it: neither a value of the reader's nor one that a section leaves unused."""
    parameters = asked(query="1,2,3,4,5,6")
    english, russian = (
        render(build.build(["one-pair", "norms"], parameters), "text", language, width=200)
        for language in ("en", "ru")
    )
    assert (
        "Your values: queries [1, 2, 3, 4, 5, 6]. Your rows give the feature width d = 6, pairs 3."
    ) in english
    assert "Your values that this section does not use: queries." in english
    assert "The chapter's values: base b = 100" in english
    assert "[1, 2, 3, 4, 5, 6]. Из ваших строк: ширина признаков d = 6, число пар 3." in russian
    document = build.build(["norms"], asked(query="1,2,3,4", feature_width="4"))
    typed = render(document, "text", "en", width=200)
    assert "Your values: feature width d = 4, pairs 2, queries [1, 2, 3, 4].\n" in typed


def test_large_inputs_are_summarised_and_rows_all_is_not() -> None:
    """Forty positions and twenty pairs show their ends and say how many are left out."""
    short = render(
        build.build(["rotations"], asked(feature_width="40", positions="0:40")), "text", "en"
    )
    whole = render(
        build.build(["rotations"], asked(feature_width="40", positions="0:40", rows="all")),
        "text",
        "en",
    )
    assert "... 34 more" in short
    assert "... 14 more" in short
    assert "more" not in whole
    assert whole.count("\n") > 2 * 40 * 20 > short.count("\n")


def test_far_positions_need_no_table_from_zero() -> None:
    """Rows near the greatest angle that is accepted are rotated at once."""
    document = build.build(["rotations"], asked(positions="8000000000000:8000000000003"))
    assert document.holds


@pytest.mark.parametrize(
    ("positions", "shift", "most"),
    [("0:3", 2**53, 2**43 - 2), ("7", 2**43 - 6, 2**43 - 7), (str(2**43), 1, 0)],
)
def test_shift_that_is_too_large_is_itself_blamed(positions: str, shift: int, most: int) -> None:
    """The positions alone are accepted, so the refusal names the shift and what is left for it."""
    with pytest.raises(InvalidNumber) as caught:
        asked(positions=positions, shift=str(shift))
    accepted = f"accepted: a whole number from 0 to {most}" if most else "accepted: only 0"
    assert caught.value.sentence("en") == f"--shift is {shift}; {accepted}"


def test_shift_that_nobody_typed_is_not_blamed() -> None:
    """Positions that the chapter's shift of 3 takes too far are refused themselves."""
    with pytest.raises(InvalidPositions) as caught:
        asked(positions=f"0,{2**53}")
    assert caught.value.sentence("en").startswith(f'--positions is "0,{2**53}"; accepted: rising')


# Another value for each parameter that a reader can give, which changes what a section holds.
OTHER_VALUES = {
    "feature_width": "8",
    "base": "50",
    "layout": "half-split",
    "positions": "0,1,7",
    "shift": "5",
    "query": "1,2,3,4",
    "key": "1,2,3,4",
    "dtype": "float32",
    "every_row": "all",
}


def takes(slug: str) -> frozenset[str]:
    return build.used_parameters(build.section_module(slug))


@pytest.mark.parametrize("name", sorted(EVERYTHING))
def test_section_that_takes_everything_uses_each_value(name: str) -> None:
    """A parameter that is added, and that such a section takes and ignores, fails here."""
    takers = [slug for slug in USING if takes(slug) == EVERYTHING]
    assert {"rotations", "dot-products", "norms"} <= set(takers)
    long = {"feature_width": "20", "positions": "0:20"} if name == "every_row" else {}
    key = PARAMETERS[name].key
    for slug in takers:
        before, after = (
            render(build.build([slug], asked(**long, **values)), "text", "en").partition("[")[2]
            for values in ({}, {key: OTHER_VALUES[name]})
        )
        assert before != after, slug
