"""Golden files: every damage is seen and shown, and only ``check --update`` writes."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from tools.checkout import ROOT
from tools.command import Run

from rope_cli.cli.main import main
from rope_cli.report import golden
from rope_cli.report.golden import Comparison, Directory, Source, State
from rope_cli.report.golden_report import unified_diff
from rope_cli.report.tracks import SLUGS, number_of
from rope_cli.text import LANGUAGES

NAMES = [
    f"{slug}.{language}.{ending}"
    for slug in SLUGS
    for language in LANGUAGES
    for ending in ("txt", "md")
]
VICTIM = "direction.en.txt"
NUMBER = number_of("direction")


@pytest.fixture(scope="module")
def printed() -> dict[str, bytes]:
    """What every case must hold, computed once."""
    return golden.expected_files()


@pytest.fixture
def copy(tmp_path: Path, printed: dict[str, bytes]) -> Path:
    """A directory of golden files that may be damaged."""
    directory = tmp_path / "copy"
    directory.mkdir()
    for name, data in printed.items():
        (directory / name).write_bytes(data)
    return directory


@pytest.fixture(autouse=True)
def _quick(printed: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every command of this file use the cases computed above."""
    monkeypatch.setattr(golden, "expected_files", lambda: dict(printed))


def checked(capsys: pytest.CaptureFixture[str], directory: Path, *words: str, code: int = 1) -> str:
    """What ``check`` prints about a directory."""
    assert main(["check", "--golden-dir", str(directory), *words]) == code
    out, err = capsys.readouterr()
    assert err == ""
    return out


def states(text: str) -> dict[str, str]:
    """The state of every file, from the JSON report of ``check``."""
    section = json.loads(text)["sections"][0]
    return {each["file"]: each["state"] for each in section["values"]["files"]}


@pytest.mark.parametrize(
    "env",
    [
        {},
        {
            "COLUMNS": "20",
            "TERM": "dumb",
            "FORCE_COLOR": "3",
            "LC_ALL": "C",
            "PYTHONIOENCODING": "ascii",
        },
        {"NO_COLOR": "1", "LANG": "ru_RU.UTF-8", "PYTHONIOENCODING": "cp866", "CI": "true"},
    ],
)
def test_golden_files_of_this_checkout_are_true(env: dict[str, str], run: Run) -> None:
    """``rope-report check`` holds in this checkout, whatever surrounds it."""
    process = run("check", env=env)
    assert (process.returncode, process.stderr) == (0, b""), process.stdout.decode(
        "ascii", "replace"
    )
    assert sorted(each.name for each in (ROOT / "golden").iterdir()) == sorted(NAMES)


def test_cases_are_sections_times_languages(printed: dict[str, bytes]) -> None:
    """The list of cases is made from the sections, the languages and the two forms."""
    assert list(printed) == NAMES
    assert all(data.endswith(b"\n") and b"\r" not in data for data in printed.values())


def test_case_is_what_the_command_prints(
    printed: dict[str, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    """A golden file is a part of what ``show`` prints, byte for byte."""
    for language in LANGUAGES:
        assert main(["show", "norms", "--lang", language]) == 0
        assert printed[f"norms.{language}.txt"].decode().rstrip() in capsys.readouterr().out
        assert main(["show", "norms", "--lang", language, "--format", "markdown"]) == 0
        assert printed[f"norms.{language}.md"].decode().rstrip() in capsys.readouterr().out


@pytest.mark.parametrize("language", LANGUAGES)
def test_same_files_hold(language: str, copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Undamaged files are counted, with --verbose each is named, and no difference is shown."""
    text = checked(capsys, copy, "--lang", language, code=0)
    assert not any(name in text for name in NAMES)
    assert re.search(rf": {len(NAMES)}; (all are the same|все совпадают)\.", text)
    listed = checked(capsys, copy, "--lang", language, "--verbose", code=0)
    assert all(name in listed for name in NAMES)
    assert "+++" not in text + listed
    report = json.loads(checked(capsys, copy, "--format=json", code=0))
    assert set(states(json.dumps(report)).values()) == {"same"}
    (check,) = report["sections"][0]["checks"]
    assert (check["name"], check["holds"]) == ("golden-files-same", True)
    assert check["compared"] == len(NAMES)


DAMAGES = {
    "digit": (b"0.941304", b"0.941305", "-│ m=1         │  0.941304".replace(" ", "␣"), None),
    "tab": (b"Predict first: ", b"Predict first:\t", "-Predict␣first:<TAB>", "+Predict␣first:␣"),
    "trailing blank": (b"[direction]\n", b"[direction] \n", "[direction]␣\n", "[direction]\n"),
    "missing blank": (b"Predict first", b"Predictfirst", "-Predictfirst:␣", "+Predict␣first:␣"),
    "carriage return": (b"[direction]\n", b"[direction]\r\n", "[direction]<CR>\n", None),
    "no last line feed": (b"\n", None, "<no LF>\n", None),
    "two last line feeds": (None, b"\n", "\n-\n", None),
    "byte order mark": (None, b"\xef\xbb\xbf", f"-<BOM>{NUMBER}.", f"+{NUMBER}."),
    "no UTF-8": (b"first", b"f\xffrst", "f<byte FF>rst", "+Predict␣first"),
    "control sign": (b"first", b"f\x1b[31mirst", "f<U+001B>[31mirst", None),
    "no-break blank": (b"Predict first", b"Predict\xc2\xa0first", "Predict<U+00A0>first", None),
    "zero-width sign": (b"first", b"fi\xe2\x80\x8brst", "fi<U+200B>rst", None),
    "line separator": (b"first", b"fi\xe2\x80\xa8rst", "fi<U+2028>rst", None),
    "vertical tab": (b"first", b"fi\x0brst", "fi<U+000B>rst", None),
}


def damage(data: bytes, kind: str) -> bytes:
    """The bytes of a golden file after something happened to them."""
    before, after, _, _ = DAMAGES[kind]
    if before is None:
        return data + b"\n" if after == b"\n" else (after or b"") + data
    if after is None:
        return data.removesuffix(before)
    assert before in data
    return data.replace(before, after, 1)


@pytest.mark.parametrize("kind", [kind for kind in DAMAGES if kind != "digit"])
def test_damage_is_shown(
    kind: str, copy: Path, printed: dict[str, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    """Each kind of damage is a difference that shows what is wrong, and nothing else changes."""
    (copy / VICTIM).write_bytes(damage(printed[VICTIM], kind))
    text = checked(capsys, copy)
    _, _, removed, added = DAMAGES[kind]
    assert removed in text
    assert added is None or added in text
    assert "+++" in text
    found = states(checked(capsys, copy, "--format=json"))
    assert {name for name, state in found.items() if state != "same"} == {VICTIM}
    assert found[VICTIM] == "differs"


def test_changed_digit_is_shown(
    copy: Path, printed: dict[str, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    """A changed digit shows both numbers, one under the other."""
    changed = printed[VICTIM].replace(b"0.941304", b"0.941305", 1)
    (copy / VICTIM).write_bytes(changed)
    lines = checked(capsys, copy).splitlines()
    (removed,) = [line for line in lines if line.startswith("-") and "0.941305" in line]
    (added,) = [line for line in lines if line.startswith("+") and "0.941304" in line]
    assert lines.index(added) == lines.index(removed) + 1
    assert " " not in removed
    assert f"--- golden/{VICTIM}" in lines
    assert f"+++ printed/{VICTIM}" in lines


def test_only_what_differs_is_listed(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without --verbose the table names the damaged file and no other."""
    (copy / VICTIM).write_bytes(b"wrong")
    text = checked(capsys, copy)
    rows = [line for line in text.splitlines() if line.startswith("│") and ".en." in line]
    assert [row.split()[1] for row in rows] == [VICTIM]
    assert f"Files compared: {len(NAMES)}; the same: {len(NAMES) - 1}." in text
    assert f'in "{copy}"' in text.replace("\n", " ")


def test_changes_are_marked_inside_a_line() -> None:
    """Carets stand below what changed; of a long line the changed words are repeated."""

    def marked(old: str, new: str) -> tuple[str, ...]:
        return unified_diff(Comparison("x", f"{old}\n".encode(), f"{new}\n".encode()))[3:]

    assert marked("a 0.12 b", "a 0.17 b") == ("-a␣0.12␣b", "+a␣0.17␣b", "?     ^")
    assert marked("one two", "one to") == ("-one␣two", "+one␣to", "?     ^")
    assert marked("m = 3", "m  = 3") == ("-m␣=␣3", "+m␣␣=␣3", "? ^")
    words = [f"word{number}" for number in range(30)]
    removed, added, marks = marked(" ".join(words), " ".join([*words[:20], "other", *words[21:]]))
    assert (removed[0], added[0]) == ("-", "+")
    assert marks == '? "word20" -> "other"'
    assert len(marked("nothing", "is alike: 12345")) == 2
    both = unified_diff(Comparison("x", b"ab1\nab2\n", b"ab3\nab4\n"))[3:]
    assert both == ("-ab1", "-ab2", "+ab3", "?  ^", "+ab4", "?  ^")


def test_an_overlooked_directory_is_named(
    copy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another ./golden is named, unless the files to compare with were chosen by name."""
    used = Directory(copy, Source.CHECKOUT)
    monkeypatch.setattr(golden, "find_directory", lambda golden_dir: used)
    warning = "The directory ./golden in the current directory was not used"
    other = copy.parent / "elsewhere"
    (other / "golden").mkdir(parents=True)
    monkeypatch.chdir(other)
    assert main(["check"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert warning in text
    assert "rope-report check --golden-dir golden" in text
    copy.rename(copy.parent / "golden")
    used = Directory(copy.parent / "golden", Source.CHECKOUT)
    monkeypatch.chdir(copy.parent)
    assert main(["check"]) == 0
    assert warning not in " ".join(capsys.readouterr().out.split())
    monkeypatch.undo()
    monkeypatch.chdir(other)
    assert golden.overlooked_directory(Directory(used.path, Source.GIVEN)) is None


def test_crlf_is_shown_on_every_line(
    copy: Path, printed: dict[str, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that was checked out with CRLF shows it."""
    (copy / VICTIM).write_bytes(printed[VICTIM].replace(b"\n", b"\r\n"))
    text = checked(capsys, copy)
    assert text.count("<CR>\n") == printed[VICTIM].count(b"\n")


def test_missing_and_orphan_are_failures(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A missing file, a file of no section, a hidden one and a directory are named and fail."""
    (copy / VICTIM).unlink()
    (copy / "direction.de.txt").write_text("Richtung")
    (copy / ".hidden").write_text("")
    (copy / "directory").mkdir()
    found = states(checked(capsys, copy, "--format=json"))
    assert found.pop(VICTIM) == "missing"
    for name in ("direction.de.txt", ".hidden", "directory"):
        assert found.pop(name) == "orphan"
    assert set(found.values()) == {"same"}
    assert "ORPHAN" in checked(capsys, copy)
    assert "ОТСУТСТВУЕТ" in checked(capsys, copy, "--lang=ru")


@pytest.mark.parametrize("encoding", ["ascii", "cp1251", "koi8-r", "utf-8"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_difference_reaches_every_stream(
    encoding: str, language: str, copy: Path, printed: dict[str, bytes], run: Run
) -> None:
    """A difference in the file of either language is shown on a stream that lacks its letters."""
    for other in LANGUAGES:
        name = f"direction.{other}.txt"
        (copy / name).write_bytes(printed[name].replace(b"0.941304", b"0.941305", 1))
    words = ("check", "--golden-dir", str(copy), "--lang", language)
    process = run(*words, env={"PYTHONIOENCODING": encoding})
    if language == "ru" and encoding == "ascii":
        assert process.returncode == 2
        return
    text = process.stdout.decode(encoding)
    assert (process.returncode, process.stderr) == (1, b"")
    assert text.count("0.941305") >= 2
    assert text.count("+++ printed/") == 2


def test_ascii_difference_tells_similar_signs_apart() -> None:
    """Where two signs share an ASCII form, the difference shows their numbers instead."""
    rules = Comparison("x", "a ─ b\n".encode(), b"a - b\n")
    assert unified_diff(rules)[3:] == ("-a␣─␣b", "+a␣-␣b", "?  ^")
    assert unified_diff(rules, ascii_only=True)[3:] == ("-a_<U+2500>_b", "+a_-_b")
    table = Comparison("x", "│ 1 │ м\n".encode(), "│ 2 │ м\n".encode())
    assert unified_diff(table, ascii_only=True)[3:] == ("-|_1_|_м", "+|_2_|_м", "?  ^")


# Update


def test_update_writes_what_differs_and_names_it(
    copy: Path, printed: dict[str, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    """Damaged and missing files are written, and named; files that are right are not touched."""
    (copy / VICTIM).write_bytes(b"wrong")
    (copy / "norms.ru.txt").unlink()
    untouched = (copy / "norms.en.txt").stat()
    report = json.loads(checked(capsys, copy, "--update", "--format=json", code=0))
    files = report["sections"][0]["values"]["files"]
    assert [each["file"] for each in files if each["written"]] == [VICTIM, "norms.ru.txt"]
    assert {each.name: each.read_bytes() for each in copy.iterdir()} == printed
    assert (copy / "norms.en.txt").stat().st_mtime_ns == untouched.st_mtime_ns
    assert (copy / "norms.en.txt").stat().st_ino == untouched.st_ino


@pytest.mark.parametrize("language", LANGUAGES)
def test_update_says_which_files(
    language: str, copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In text, a written file has a state of its own."""
    (copy / VICTIM).write_bytes(b"wrong")
    text = checked(capsys, copy, "--update", "--lang", language, code=0)
    (line,) = [line for line in text.splitlines() if "written" in line or "записан" in line]
    assert VICTIM in line


def test_update_makes_the_directory(
    tmp_path: Path, printed: dict[str, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    """A directory that is not there yet is made."""
    new = tmp_path / "new" / "golden"
    checked(capsys, new, "--update", code=0)
    assert {each.name: each.read_bytes() for each in new.iterdir()} == printed


def test_update_leaves_orphans(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What belongs to no section is reported, fails, and stays."""
    (copy / "orphan").write_text("precious")
    assert "ORPHAN" in checked(capsys, copy, "--update", code=1)
    assert (copy / "orphan").read_text() == "precious"


def test_update_is_refused_under_ci(
    copy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With CI set nothing is written; CI set to nothing counts as unset."""
    (copy / VICTIM).write_bytes(b"wrong")
    monkeypatch.setenv("CI", "true")
    assert main(["check", "--update", "--golden-dir", str(copy)]) == 2
    assert 'CI is "true"' in capsys.readouterr().err
    assert (copy / VICTIM).read_bytes() == b"wrong"
    monkeypatch.setenv("CI", "")
    checked(capsys, copy, "--update", code=0)


def test_update_of_the_package_is_refused(
    copy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The files that were installed with the command are not rewritten."""
    monkeypatch.setattr(
        golden, "find_directory", lambda golden_dir: Directory(copy, Source.PACKAGE)
    )
    (copy / VICTIM).write_bytes(b"wrong")
    assert main(["check", "--update"]) == 2
    assert "accepted: check --update --golden-dir DIR" in capsys.readouterr().err
    assert (copy / VICTIM).read_bytes() == b"wrong"


def test_update_fails_in_one_line(
    tmp_path: Path, copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A place that cannot be read or written is one line and exit code 2."""
    (tmp_path / "file").write_text("")
    shutil.rmtree(copy)
    for directory in (tmp_path / "file", tmp_path / "file" / "below"):
        assert main(["check", "--update", "--golden-dir", str(directory)]) == 2
        assert "cannot be read: it is not a directory" in capsys.readouterr().err
    assert main(["check", "--golden-dir", str(copy)]) == 2
    assert "cannot be read: no such file or directory" in capsys.readouterr().err


def test_unreadable_case_is_one_line(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A directory in the place of a golden file is named."""
    (copy / VICTIM).unlink()
    (copy / VICTIM).mkdir()
    assert main(["check", "--golden-dir", str(copy)]) == 2
    err = capsys.readouterr().err
    assert VICTIM in err
    assert "cannot be read: it is a directory" in err


def test_checkout_is_known_by_its_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """golden/ beside the package counts only if this project's pyproject.toml is there too."""
    monkeypatch.setattr(golden, "PACKAGE", tmp_path / "rope_cli")
    packaged = Directory(tmp_path / "rope_cli" / "_golden", Source.PACKAGE)
    (tmp_path / "golden").mkdir()
    assert golden.find_directory() == packaged
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "another"\n')
    assert golden.find_directory() == packaged
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    assert golden.find_directory() == Directory(tmp_path / "golden", Source.CHECKOUT)
    assert golden.find_directory("here") == Directory(Path("here"), Source.GIVEN)


def test_states_follow_from_bytes() -> None:
    """Same, differs, missing, orphan: nothing else can be."""
    assert Comparison("x", b"a", b"a").state is State.SAME
    assert Comparison("x", b"a", b"b").state is State.DIFFERS
    assert Comparison("x", None, b"b").state is State.MISSING
    assert Comparison("x", None, None).state is State.ORPHAN


ZIPPED = """
import sys
sys.path.insert(0, sys.argv[1])
from rope_cli.report import golden
from rope_cli.user_input.command_errors import CannotRead
assert golden.__file__.startswith(sys.argv[1])
expected = {"norms.en.txt": b"right", "norms.ru.txt": b"other", "shapes.en.txt": b""}
try:
    for case in golden.compare(golden.find_directory(), expected):
        print(case.name, case.state.value)
except CannotRead as refusal:
    print(refusal.sentence("en"))
"""


@pytest.mark.slow
def test_golden_files_of_a_zip_file_are_read(tmp_path: Path) -> None:
    """The package may lie in a zip file, as zipapp packs it; without the files, a line says so."""
    archive = tmp_path / "package.pyz"
    with zipfile.ZipFile(archive, "w") as packed:
        for path in (ROOT / "rope_cli").rglob("*.py"):
            packed.write(path, path.relative_to(ROOT))
    words = [sys.executable, "-c", ZIPPED, str(archive)]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def printed_by_package() -> list[str]:
        output = subprocess.run(
            words, env=environment, cwd=tmp_path, capture_output=True, text=True
        )
        assert output.returncode == 0, output.stderr
        return output.stdout.splitlines()

    [line] = printed_by_package()
    assert "_golden" in line
    assert "no such file or directory" in line
    with zipfile.ZipFile(archive, "a") as packed:
        packed.writestr("rope_cli/_golden/norms.en.txt", "right")
        packed.writestr("rope_cli/_golden/norms.ru.txt", "wrong")
        packed.writestr("rope_cli/_golden/old.txt", "")
    assert printed_by_package() == [
        "norms.en.txt same",
        "norms.ru.txt differs",
        "shapes.en.txt missing",
        "old.txt orphan",
    ]


def test_advice_names_the_directory_that_was_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What ``check`` advises works: it repeats --golden-dir, and speaks of orphans alone if so."""
    assert main(["check", "--golden-dir", str(tmp_path), "--width", "1000"]) == 1
    assert f'check --update --golden-dir "{tmp_path}"' in capsys.readouterr().out
    assert main(["check", "--update", "--golden-dir", str(tmp_path)]) == 0
    (tmp_path / "stray").touch()
    capsys.readouterr()
    assert main(["check", "--golden-dir", str(tmp_path)]) == 1
    said = capsys.readouterr().out
    assert "delete it yourself" in said
    assert "--update" not in said
