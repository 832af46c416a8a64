"""The dialogue without a terminal: lines go in, screens come out.

A learner commits to an answer before anything is shown, and cannot change it afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from rope_cli.classroom.answers import Judgement, judge
from rope_cli.classroom.question import Question
from rope_cli.classroom.screens import HINT, Page
from rope_cli.document.blocks import Line, Phrase
from rope_cli.document.vocabulary import t
from rope_cli.text import Text

COMMIT_FIRST = t(
    "Commit to an answer first, even a guess; s shows the right one.",
    "Сначала ответьте, хотя бы наугад; s покажет верный ответ.",
)
COMMITTED = t("You have already answered; Enter goes on.", "Вы уже ответили; Enter — дальше.")
SEEN = t("The answer has already been shown; Enter goes on.", "Ответ уже показан; Enter — дальше.")
FIRST = t("This is the first question.", "Это первый вопрос.")
# The same keys while a Russian keyboard layout is on.
RUSSIAN_KEYS = str.maketrans("рыий", "hsbq")
NOT_ANSWERED = Judgement(False, None, None)
# What was typed, or None if the answer was only shown, and its judgement.
GivenAnswer: TypeAlias = "tuple[str | None, Judgement]"


class Session:
    """The question or the reveal that the learner has reached, and the answers so far.

    ``screen()`` is what to show, ``take(line)`` goes on; ``finished`` after the last reveal or
    the key ``q``. The session begins with ``answers`` by index, at the first question without
    one, and calls ``keep`` with each new answer, ``None`` for one that was only shown.
    """

    def __init__(
        self,
        questions: Sequence[Question],
        language: str,
        width: int = 80,
        height: int = 24,
        ascii_only: bool = False,
        answers: Mapping[int, GivenAnswer] | None = None,
        keep: Callable[[Question, str | None], object] = lambda question, text: None,
    ) -> None:
        self.questions = tuple(questions)
        self.page = Page(language, width, height, ascii_only)
        self.answers: dict[int, GivenAnswer] = dict(answers or {})
        self.keep = keep
        open_questions = (i for i in range(len(self.questions)) if i not in self.answers)
        self.index = next(open_questions, max(len(self.questions) - 1, 0))
        # Questions whose hint is shown, which it is until the reveal.
        self.hinted: set[int] = set()
        self.note: Line | None = None
        self.finished = not self.questions

    @property
    def revealed(self) -> bool:
        """Whether the current question shows its answer."""
        return self.index in self.answers

    @property
    def why_closed(self) -> Text:
        """Why the question takes no answer any more: one was typed, or the right one shown."""
        return SEEN if self.answers[self.index][0] is None else COMMITTED

    def screen(self) -> str:
        """The current screen, at most ``height - 1`` lines: the last one is for typing."""
        if self.finished:
            return self.score()
        question = self.questions[self.index]
        header = self.page.header(question, self.index, len(self.questions), self.right)
        if self.revealed:
            return self.page.reveal(question, header, *self.answers[self.index], self.note)
        hint = Phrase(HINT, {"hint": question.hint}) if self.index in self.hinted else None
        return self.page.question(question, header, hint, self.note)

    def take(self, line: str) -> None:
        """An answer, an empty line, or one of the keys h, s, b, q."""
        self.note = None
        typed = line.strip()
        keys = {"h": self.hint, "s": self.show, "b": self.back, "q": self.quit, "": self.enter}
        if not self.finished:
            keys.get(typed.lower().translate(RUSSIAN_KEYS), lambda: self.answer(typed))()

    def answer(self, typed: str) -> None:
        """Commit to an answer; one that cannot be read may be typed again."""
        if self.revealed:
            self.note = self.why_closed
            return
        judgement = judge(self.questions[self.index], typed)
        if judgement.value is None:
            self.note = judgement.reason
        else:
            self.answers[self.index] = (typed, judgement)
            self.keep(self.questions[self.index], typed)

    def enter(self) -> None:
        """Go on after a reveal; before it, ask for an answer."""
        if not self.revealed:
            self.note = COMMIT_FIRST
        elif self.index + 1 == len(self.questions):
            self.finished = True
        else:
            self.index += 1

    def hint(self) -> None:
        """Show the hint with the question."""
        if self.revealed:
            self.note = self.why_closed
        else:
            self.hinted.add(self.index)

    def show(self) -> None:
        """Show the answer; the question counts as done, not as right."""
        if self.revealed:
            self.note = self.why_closed
        else:
            self.answers[self.index] = (None, NOT_ANSWERED)
            self.keep(self.questions[self.index], None)

    def back(self) -> None:
        """Go to the question before."""
        if self.index == 0:
            self.note = FIRST
        else:
            self.index -= 1

    def quit(self) -> None:
        """Leave; the score is shown."""
        self.finished = True

    @property
    def right(self) -> int:
        """How many answers were right so far."""
        return sum(judgement.right for _, judgement in self.answers.values())

    def tally(self) -> tuple[tuple[str, int, int], ...]:
        """Slug, right answers and questions so far of every section that was reached."""
        counts: dict[str, list[int]] = {}
        for index, (_, judgement) in sorted(self.answers.items()):
            count = counts.setdefault(self.questions[index].slug, [0, 0])
            count[0] += judgement.right
            count[1] += 1
        return tuple((slug, right, total) for slug, (right, total) in counts.items())

    def score(self) -> str:
        """The screen of the score."""
        shown = sum(typed is None for typed, _ in self.answers.values())
        unanswered = len(self.questions) - len(self.answers)
        return self.page.score(self.tally(), shown, unanswered)


def run(read_line: Callable[[], str], write: Callable[[str], object], session: Session) -> bool:
    """Write a screen and read a line until the session, the input or an interrupt ends it.

    ``read_line`` raises ``EOFError`` at the end of the input. Returns whether the learner
    interrupted the session.
    """
    interrupted = False
    try:
        while not session.finished:
            write(session.screen() + "\n")
            session.take(read_line())
    except (EOFError, KeyboardInterrupt) as end:
        interrupted = isinstance(end, KeyboardInterrupt)
        session.quit()
        # The cursor stands behind what was typed last.
        write("\n")
    write(session.score() + "\n")
    return interrupted
