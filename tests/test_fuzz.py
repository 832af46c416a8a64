"""Random cases of every kind: no traceback, no warning, no exit code that is not ours, no hang.

``python tests/fuzz --minutes 30`` tries many more; what it finds is tried here ever after.
"""

import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest
from fuzz import processes, workers
from fuzz.case import Case, keep, kept
from fuzz.classes import problem_of_marks
from fuzz.sweeps import MEMORY_LINES, OPTIONS, damage_sweep
from fuzz.trial import broken_promise, own_folder, problem_of

from rope_cli.cli.commands import rope_report
from rope_cli.cli.main import main
from rope_cli.cli.options import PathName
from rope_cli.cli.output import Reader
from rope_cli.report import build

pytestmark = pytest.mark.slow

CASES = 600


@pytest.fixture(scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One folder for all cases, where every report is computed once."""
    with own_folder(tmp_path_factory.mktemp("fuzz")):
        yield


@pytest.mark.usefixtures("_folder")
def test_no_case_breaks_the_command() -> None:
    """Command lines and damaged files give a report, or one line of refusal."""
    cases = [workers.case_of(0, number) for number in range(CASES)]
    problems = [(problem_of(case), number) for number, case in enumerate(cases)]
    assert [found for found in problems if found[0]] == []
    assert sum(bool(case.files) for case in cases) == CASES * 2 // 3


@pytest.mark.usefixtures("_folder")
@pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in kept()])
def test_what_was_wrong_once_is_right(case: Case) -> None:
    """A case that broke the command stays mended."""
    assert problem_of(case) is None


@pytest.mark.usefixtures("_folder")
@pytest.mark.parametrize(
    ("failure", "expected"),
    [(ZeroDivisionError("x"), "ZeroDivisionError at "), (MemoryError(), "takes more than 10737")],
)
def test_traceback_is_found_made_small_and_kept(
    failure: BaseException, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command that breaks is a problem; the case that stays has only the words that matter."""

    def listing() -> None:
        raise failure

    monkeypatch.setattr(build, "contents", listing)
    case = Case(("--lang", "ru", "list", "--ascii"), {"a.txt": b"1\n" * 50})
    problem = problem_of(case)
    assert problem is not None
    assert problem.startswith(expected)
    small = workers.smallest(case, problem, problem_of)
    assert (small.words, small.files) == (("list",), {"a.txt": b""})
    keep(small, problem, tmp_path)
    assert [stored for _, stored in kept(tmp_path)] == [small]
    monkeypatch.undo()
    assert problem_of(small) is None


@pytest.mark.parametrize(
    ("words", "code"),
    [("x.so: failed to map segment from shared object", 2), ("No module named 'x'", None)],
)
def test_library_without_room_is_lack_of_memory(
    words: str,
    code: int | None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A compiled module that memory does not hold is refused; no other failure is."""

    def listing() -> None:
        raise ImportError(words)

    monkeypatch.setattr(build, "contents", listing)
    if code is None:
        with pytest.raises(ImportError):
            main(["list"])
    else:
        assert main(["list"]) == code
        assert "not enough memory" in capsys.readouterr().err


@pytest.mark.usefixtures("_folder")
def test_warning_and_hang_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """So are a warning of numpy and a command that does not end."""
    monkeypatch.setattr("fuzz.trial.SECONDS", 0.1)
    case = Case(("list",))

    def hang() -> None:
        while True:
            pass

    monkeypatch.setattr(build, "contents", hang)
    assert problem_of(case) == "takes more than 0.1 s"
    monkeypatch.setattr("fuzz.trial.SECONDS", 5)
    monkeypatch.setattr(build, "contents", lambda: np.float64(1) / np.float64(0))
    assert str(problem_of(case)).startswith("RuntimeWarning at ")


@pytest.mark.parametrize(
    ("code", "out", "err", "expected"),
    [
        (0, b"x", b"", None),
        (2, b"", b"rope-report: no\n", None),
        (2, b"x", b"rope-report: no\n", "with output"),
        (2, b"", b"", "no line"),
        (2, b"", b"no\n", "no line"),
        (2, b"", b"rope-report: a\nb\n", "does not print"),
        (1, b"x", b"warning", "beside the report"),
        (3, b"", b"", "exit code 3"),
        (None, b"", b"", "exit code None"),
    ],
)
def test_promise_is_looked_at(code: object, out: bytes, err: bytes, expected: str | None) -> None:
    """Each way to break the promise has its sentence."""
    problem = broken_promise(code, out, err, "utf-8")
    assert problem is None if expected is None else expected in str(problem)


@pytest.mark.parametrize(
    ("form", "out", "expected"),
    [
        ("text", "anna  3/3\nboris 0/3\n", None),
        ("text", "anna  3/3\nboris \x1b[2J\n", "a control character in the marks: '\\x1b'"),
        ("text", "anna  3/3\nboris \u202e\n", "a control character in the marks: '\\u202e'"),
        ("text", "anna  3/3\n", "a student is lost: boris"),
        ("csv", "student,given\nanna,-5e-1\nboris,+1/2\n", None),
        ("csv", "student,given\nanna,=1\nboris,1\n", "a formula in the marks: '=1'"),
        ("csv", "student,given\nanna, -1+a\nboris,1\n", "a formula in the marks: ' -1+a'"),
        ("csv", "student,given\nanna,＝1\nboris,1\n", "a formula in the marks: '＝1'"),
        ("csv", "student,given\nanna,boris\n", "a student is lost: boris"),
        (
            "json",
            '{"sections": [{"values": {"students": [{"student": "boris"}]}}]}',
            "a student is lost: anna",
        ),
    ],
)
def test_marks_of_a_class_are_looked_at(form: str, out: str, expected: str | None) -> None:
    """What a terminal, a spreadsheet or a teacher must not get."""
    files = {"class/anna.txt": b"", "class/boris": b""}
    case = Case(("mark", "class", "--format", form), files)
    assert problem_of_marks(case, out) == expected


def test_workers_count_and_keep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that dies of its case leaves the case, and the others' counts stay."""

    def problem_of(case: Case) -> str | None:
        if case == workers.case_of(7, 4):
            signal.raise_signal(signal.SIGKILL)
        return None

    monkeypatch.setattr(workers, "problem_of", problem_of)
    monkeypatch.setattr(workers, "random_process_problem", lambda random: None)
    lines, files, _, problems = workers.try_for(0.5, 2, 7, tmp_path)
    assert problems == 1
    assert files > lines > 3
    [(_, case)] = kept(tmp_path)
    assert case == workers.case_of(7, 4)


def test_trial_without_an_end_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that goes on is ended and told; the worker that started it goes on."""
    monkeypatch.setattr(processes, "SECONDS", 0.5)
    monkeypatch.setattr(processes, "COMMAND", (sys.executable, "-c", "import time; time.sleep(99)"))
    begin = time.monotonic()
    memory = processes.MEMORIES[-1]
    problem = workers.problem_of_process(lambda: processes.with_little_memory(("x",), memory))
    assert "timed out after 0.5 seconds" in str(problem)
    assert time.monotonic() - begin < 30


@pytest.mark.usefixtures("_folder")
def test_damage_before_every_option_is_read_or_refused() -> None:
    """A share of the sweep: a report, or one line of refusal, and every option has both."""
    cases = list(damage_sweep(step=307))
    assert [case for case in cases if problem_of(case)] == []
    assert {len(case.files) for case in cases} == {1}
    assert len({case.words for case in cases}) > 3 * len(OPTIONS)


def test_every_option_that_takes_a_file_is_swept() -> None:
    """None is forgotten but the file that predict keeps at a terminal."""
    taking, swept = {("figure", "slug")}, set()
    for name, command in rope_report.commands.items():
        for parameter in command.params:
            if isinstance(parameter.type, PathName) and parameter.type.kind == "file":
                taking.add((name, str(parameter.name)))
    for name, *words in OPTIONS:
        command = rope_report.commands[name]
        words = [word for word in words if word != "rows.npy"]
        values = command.make_context(name, words, obj=Reader("en", 80, False)).params
        swept |= {(name, key) for key, value in values.items() if value in ("FILE", ("FILE",))}
    outputs = {(name, "output") for name in rope_report.commands}
    assert swept == taking - outputs - {("predict", "progress")}


VECTORS = ("vectors", "-d", "64", "--positions", "0:360", "-o", "file.npz")


@pytest.mark.parametrize("words", [*MEMORY_LINES[::12], VECTORS])
def test_little_memory_is_a_right_answer_or_one_line(words: tuple[str, ...]) -> None:
    """A share of the sweep of memory."""
    assert processes.with_little_memory(words, processes.MEMORIES[0]) is None


def test_faulty_streams_signals_and_little_memory() -> None:
    """A few processes, each under a fault; the program tries them without end."""
    words = ("show", "norms", "--format", "json")
    assert processes.with_slow_reader(words, "1", blocking=False) is None
    assert processes.with_full_disk(words, "1", 4096, file=False) is None
    assert processes.with_signal(words, signal.SIGINT, 0.2) is None
    assert processes.with_little_memory(words, 2**30) is None
    assert processes.random_process_problem(Random(1)) is None
