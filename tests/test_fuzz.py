"""Ten thousand random command lines: no traceback, no warning, no exit code that is not ours."""

import io
import warnings
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rope_cli.cli import output
from rope_cli.cli.commands import rope_report
from rope_cli.cli.completion import SHELLS
from rope_cli.cli.main import main
from rope_cli.cli.options import COLORS, options_of
from rope_cli.renderers import FORMATS, render
from rope_cli.report import build, golden, tracks
from rope_cli.text import LANGUAGES

LINES = 10_000

OPTIONS = sorted(
    {
        name
        for command in (rope_report, *rope_report.commands.values())
        for option in options_of(command)
        for name in option.opts
    }
)
PATHS = ("-", ".", "", "out.txt", "nowhere/out.txt", "empty")
SENSIBLE = {
    "--lang": LANGUAGES,
    "--format": FORMATS,
    "--color": COLORS,
    "--width": ("40", "80", "auto"),
    "-o": PATHS,
    "--output": PATHS,
    "--golden-dir": PATHS,
    "-d": ("2", "8", "3", "1024", "0", "٤"),
    "--feature-width": ("4", "6", "-4", "1e3"),
    "-b": ("10000", "0.5", "1", "nan", "1e15", "-1"),
    "--base": ("5e5", "0", "inf", "1e-9"),
    "--positions": ("0:3", "0,1,7", "5", "9007199254740990", "0:99999", "3:1", ",", "-1"),
    "--shift": ("0", "100000", "9007199254740991", "1.5"),
    "--query": ("1,0,1,0", "1,2;3,4", "0,0", "1e15,-1e15", "nan,1", "rows.npy", "rows.json", ";"),
    "--key": ("1,-1", "1,0,1,0;0,1,0,1;1,1,1,1", "1e16,0", "rows.csv", "zip.npy", "x"),
    "--layout": ("adjacent", "half-split", "mixed"),
    "--dtype": ("float64", "float32", "float16"),
    "--rows": ("summary", "all", "some"),
    "--length": ("1", "131072", "0", "9007199254740993", "x"),
    "--config": ("config.json", "broken.json", "turned.npz", *PATHS),
    "--layer-type": ("full_attention", "", "\n"),
    "--offset": ("0", "1", "9007199254740992", "-1"),
    "--axes": ("tokens,features", "features,tokens", "tokens", "tokens,tokens", "", ",,"),
    "--tolerance": ("1e-3", "1e-300", "1", "0", "nan", "2"),
    "--input-name": ("input", "output", "positions", "\x1b", ""),
    "--output-name": ("output", "input", "\n", ""),
    "--seed": ("0", "7", "-1", "9007199254740993", "x"),
    "--handout": ("questions", "answers", "both"),
}
VALUES = (*LANGUAGES, *FORMATS, *COLORS, *SHELLS, *PATHS, "39", "1e2", "--")
SECTIONS = (*tracks.GROUPS, *tracks.SLUGS)
# No slash, so that every file the command may write stays in the test's own directory.
ANYTHING = st.text(st.characters(codec=None, exclude_characters="/"), max_size=6)
WORD = (
    st.sampled_from((*rope_report.commands, *SECTIONS, *OPTIONS, *VALUES))
    | st.builds("{}={}".format, st.sampled_from(OPTIONS), st.sampled_from(VALUES) | ANYTHING)
    | st.builds("-{}".format, ANYTHING)
    | ANYTHING
).map(lambda word: [word])


def sensible(options: list[str]) -> st.SearchStrategy[list[str]]:
    """An option with a value that could be meant."""
    return st.sampled_from(options).flatmap(
        lambda name: (
            st.sampled_from([[name, value] for value in SENSIBLE[name]])
            if name in SENSIBLE
            else st.just([name])
        )
    )


# Most lines have a command and options that it knows; then something else slips in.
QUIET = [name for name in OPTIONS if name not in ("-h", "--help", "--version")]
COMMON = sensible([name for name in QUIET if name not in ("--update", "--golden-dir")])
LINE = st.builds(
    lambda before, command, after: [word for part in (*before, command, *after) for word in part],
    st.lists(COMMON, max_size=2) | st.lists(WORD, max_size=2),
    st.sampled_from(
        [
            *([each] for each in rope_report.commands),
            *(
                [],
                ["show", "norms"],
                ["completion", "zsh"],
                ["check", "--golden-dir", "empty"],
                ["show", "frequencies", "rotations", "dot-products"],
                ["scaling", "config.json"],
                ["scaling", "broken.json"],
                ["verify", "turned.npz"],
                ["verify", "turned.npz", "turned.npz"],
                ["verify", "rows.npy", "rows.json"],
                ["verify", "zip.npy"],
                ["verify", "--frequencies", "one.csv"],
                ["verify", "--frequencies", "broken.json"],
                ["predict", "norms"],
                ["mark", "rows.csv", "norms"],
                ["mark", "broken.json"],
                ["mark", "zip.npy"],
                ["figure", "bound"],
            ),
        ]
    ),
    st.lists(COMMON | st.sampled_from(SECTIONS).map(lambda slug: [slug]), max_size=3)
    | st.lists(sensible(QUIET) | WORD, max_size=5),
)
ENVIRONMENT = st.sampled_from([None, None, "en", "ru", "ru", "xx", "", "\udcff"])
ENCODING = st.sampled_from(["utf-8", "utf-8", "cp1251", "cp866", "koi8-r", "latin-1", "ascii"])


@pytest.fixture(autouse=True)
def _quick_and_harmless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute every report once, stay in one directory, and rewrite no golden file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CI", "true")
    Path("empty").mkdir()
    np.save("rows.npy", np.eye(4))
    Path("rows.json").write_text("[[1, 0.5, -2, 3]]")
    Path("rows.csv").write_text("1,0,0,1\n")
    # Right whatever is expected of them, for a diagnosis takes too long to be made so often.
    np.savez("turned.npz", input=np.zeros((3, 4)), output=np.zeros((3, 4)))
    Path("one.csv").write_text("1\n")
    with zipfile.ZipFile("zip.npy", "w") as archive:
        archive.writestr("rows.npy", b"")
    Path("config.json").write_text(
        '{"head_dim": 8, "rope_theta": 1e4, "max_position_embeddings": 64,'
        ' "rope_scaling": {"rope_type": "linear", "factor": 2}}'
    )
    Path("broken.json").write_text('{"head_dim": [')
    report, listing = lru_cache(build.build), lru_cache(build.listing)
    shown = lambda names, asked=None: report(tracks.expand_groups(names), asked)  # noqa: E731
    monkeypatch.setattr(build, "build", shown)
    monkeypatch.setattr(build, "listing", listing)
    monkeypatch.setattr(golden, "expected_files", lru_cache(golden.expected_files))
    drawn: dict[Any, tuple[Any, str]] = {}

    def rendered(document: Any, *words: str, **looks: Any) -> str:
        key = (id(document), *words, *looks.items())
        if key not in drawn:
            # The document is kept as well, or another one could get its id.
            drawn[key] = document, render(document, *words, **looks)
        return drawn[key][1]

    monkeypatch.setattr(output, "render", rendered)


def outcome(words: list[str], language: str | None, encoding: str) -> tuple[int, bytes, bytes]:
    """Exit code, output and complaints of one command line in this process."""
    out, err = (
        io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors=errors, newline="\n")
        for errors in ("strict", "backslashreplace")
    )
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("error")
        patch.setattr("sys.stdout", out)
        patch.setattr("sys.stderr", err)
        if language is not None:
            patch.setenv("ROPE_REPORT_LANG", language)
        code = main(words)
    out.flush()
    err.flush()
    return code, out.buffer.getvalue(), err.buffer.getvalue()


@pytest.mark.slow
@settings(
    max_examples=LINES,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(words=LINE, language=ENVIRONMENT, encoding=ENCODING)
def test_no_command_line_breaks_the_command(
    words: list[str], language: str | None, encoding: str
) -> None:
    """0 or 1 with output and no complaint, or 2 with one line of complaint and no output."""
    code, out, err = outcome(words, language, encoding)
    if code == 2:
        line = err.decode(encoding)
        assert out == b""
        assert line.startswith("rope-report: ")
        assert line.endswith("\n")
        assert line[:-1].isprintable()
        assert len(line) < 500
    else:
        assert code in (0, 1)
        assert err == b""
        out.decode(encoding)
