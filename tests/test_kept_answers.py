"""A session of predict that goes on another day, and repeats what was wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from rope_cli.classroom.kept_answers import OtherSeed, Progress, read_progress
from rope_cli.classroom.marks import mark_files
from rope_cli.classroom.questions import questions_with
from rope_cli.classroom.selection import select_questions
from rope_cli.classroom.session import Session, run
from rope_cli.user_input.command_errors import CannotWrite

# Answers typed by hand: cos 1, sin 1, and the sine with the wrong sign.
RIGHT = {"one-pair-1": "0.540", "one-pair-2": "0.841", "one-pair-3": "-0.841"}


def session_with(progress: Progress, *lines: str) -> Session:
    """The section one-pair asked with a file, these lines typed."""
    questions = progress.to_ask(select_questions(["one-pair"], progress.seed))
    session = Session(questions, "en", answers=progress.kept(questions), keep=progress.add)
    typed = iter(lines)

    def read_line() -> str:
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    run(read_line, lambda screen: None, session)
    return session


def test_session_goes_on_where_it_ended(tmp_path: Path) -> None:
    """Answers are in the file at once; another session begins at the first question left."""
    path = str(tmp_path / "mine.txt")
    session_with(read_progress(path, None, False), "0.540", "", "0.5", "")
    assert Path(path).read_text() == "one-pair-1: 0.540\none-pair-2: 0.5\n"
    session = session_with(read_progress(path, None, False))
    assert session.questions[session.index].id == "one-pair-3"
    assert (session.right, len(session.answers)) == (1, 2)


def test_again_asks_what_was_not_right(tmp_path: Path) -> None:
    """Wrong, shown and unanswered questions; mark counts the last answer."""
    path = str(tmp_path / "mine.txt")
    session_with(read_progress(path, None, False), "0.540", "", "0.5", "", "s", "")
    again = read_progress(path, None, True)
    session = session_with(again, "0.841", "", "-0.841", "")
    assert [question.id for question in session.questions] == ["one-pair-2", "one-pair-3"]
    assert session.right == 2
    (marks,) = mark_files(path, lambda seed: select_questions(["one-pair"], seed))
    assert marks.right == 3
    assert session_with(read_progress(path, None, True)).questions == ()


def test_seed_is_kept_with_the_answers(tmp_path: Path) -> None:
    """The first line names it, later sessions and mark use it, and another one is refused."""
    path = str(tmp_path / "mine.txt")
    session_with(read_progress(path, 7, False), "0.5")
    assert Path(path).read_text() == "seed 7\none-pair-1: 0.5\n"
    assert read_progress(path, None, False).seed == 7
    (marks,) = mark_files(path, questions_with)
    assert marks.seed == 7
    for seed, named in ((8, 7), (None, None)):
        if named is None:
            assert read_progress(path, seed, False).seed == 7
            continue
        with pytest.raises(OtherSeed, match="the file holds answers for seed 7, and seed 8"):
            read_progress(path, seed, False)


def test_nothing_in_the_file_is_lost(tmp_path: Path) -> None:
    """Answers are added at the end: remarks and other lines stay, also without a last newline."""
    path = tmp_path / "mine.txt"
    path.write_text("# Anna\nnorms-1: 2.41")
    session_with(read_progress(str(path), None, False), "0.540", "")
    assert path.read_text() == "# Anna\nnorms-1: 2.41\none-pair-1: 0.540\n"


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """One sentence, with the folder that is there no longer."""
    folder = tmp_path / "stick"
    folder.mkdir()
    progress = read_progress(str(folder / "mine.txt"), None, False)
    folder.rmdir()
    with pytest.raises(CannotWrite, match="cannot be written"):
        session_with(progress, "0.5")


@pytest.mark.parametrize("name", ["missing/mine.txt", ".", "mine.txt/more.txt"])
def test_progress_that_could_not_be_kept_is_refused_before_the_first_question(
    name: str, tmp_path: Path
) -> None:
    """Not after the first answer; and trying leaves nothing behind."""
    (tmp_path / "mine.txt").write_text("one-pair-1: 0.540\n")
    with pytest.raises(CannotWrite, match="cannot be written"):
        read_progress(str(tmp_path / name), None, False)
    read_progress(str(tmp_path / "mine.txt"), None, False)
    read_progress(str(tmp_path / "new.txt"), None, False)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_questions_come_in_the_order_given() -> None:
    """direction before one-pair if it was named first."""
    slugs = [question.slug for question in select_questions(["direction", "one-pair"], None)]
    assert slugs == ["direction"] * 2 + ["one-pair"] * 3
