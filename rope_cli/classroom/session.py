"""The dialogue as a machine without a terminal: lines go in, screens come out.

An answer is committed before anything is shown, and stays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rope_cli.classroom.answers import Judged, judge
from rope_cli.classroom.question import Asked
from rope_cli.classroom.screens import HINT, Page
from rope_cli.document.blocks import Line, Phrase
from rope_cli.document.vocabulary import t
from rope_cli.text import Text

COMMIT_FIRST = t(
    "Commit to an answer first; a guess will do (s shows the answer).",
    "Сначала дайте ответ, хотя бы наугад (s покажет верный).",
)
COMMITTED = t("Your answer stands; Enter goes on.", "Ответ уже дан; Enter — дальше.")
SEEN = t("The answer has been shown; Enter goes on.", "Ответ уже показан; Enter — дальше.")
FIRST = t("This is the first question.", "Это первый вопрос.")
# The same keys while a Russian keyboard layout is on.
RUSSIAN_KEYS = str.maketrans("рыий", "hsbq")
NOT_ANSWERED = Judged(False, None, None)


class Session:
    """Where the learner stands: a question, or its reveal; and every answer that was given.

    ``screen()`` shows it, ``take(line)`` moves on; ``finished`` after the last reveal or ``q``.
    """

    def __init__(
        self,
        asked: Sequence[Asked],
        language: str,
        width: int = 80,
        height: int = 24,
        ascii_only: bool = False,
    ) -> None:
        self.asked = tuple(asked)
        self.page = Page(language, width, height, ascii_only)
        self.at = 0
        # What was typed for a question, or None if it was only shown; and how it was judged.
        self.given: dict[int, tuple[str | None, Judged]] = {}
        # The questions whose hint was asked for: it stays until the reveal.
        self.hinted: set[int] = set()
        self.note: Line | None = None
        self.finished = not self.asked

    @property
    def revealed(self) -> bool:
        """Whether the current question shows its answer."""
        return self.at in self.given

    @property
    def stands(self) -> Text:
        """Why nothing more can be answered: an answer was given, or shown."""
        return SEEN if self.given[self.at][0] is None else COMMITTED

    def screen(self) -> str:
        """The current screen, at most ``height - 1`` lines: the last one is for typing."""
        if self.finished:
            return self.score()
        asked = self.asked[self.at]
        head = self.page.head(asked, self.at, len(self.asked), self.right)
        if self.revealed:
            return self.page.reveal(asked, head, *self.given[self.at], self.note)
        hint = Phrase(HINT, {"hint": asked.hint}) if self.at in self.hinted else None
        return self.page.question(asked, head, hint, self.note)

    def take(self, line: str) -> None:
        """An answer, an empty line, or one of the keys h, s, b, q."""
        self.note = None
        typed = line.strip()
        keys = {"h": self.hint, "s": self.show, "b": self.back, "q": self.quit, "": self.enter}
        if not self.finished:
            keys.get(typed.lower().translate(RUSSIAN_KEYS), lambda: self.answer(typed))()

    def answer(self, typed: str) -> None:
        """Commit to an answer; what cannot be read is no answer yet."""
        if self.revealed:
            self.note = self.stands
            return
        judged = judge(self.asked[self.at], typed)
        if judged.value is None:
            self.note = judged.reason
        else:
            self.given[self.at] = (typed, judged)

    def enter(self) -> None:
        """Go on after a reveal; before it, ask for an answer."""
        if not self.revealed:
            self.note = COMMIT_FIRST
        elif self.at + 1 == len(self.asked):
            self.finished = True
        else:
            self.at += 1

    def hint(self) -> None:
        """Show the hint with the question."""
        if self.revealed:
            self.note = self.stands
        else:
            self.hinted.add(self.at)

    def show(self) -> None:
        """Show the answer; the question counts as asked, not as right."""
        if self.revealed:
            self.note = self.stands
        else:
            self.given[self.at] = (None, NOT_ANSWERED)

    def back(self) -> None:
        """Go to the question before."""
        if self.at == 0:
            self.note = FIRST
        else:
            self.at -= 1

    def quit(self) -> None:
        """Leave; the score is shown."""
        self.finished = True

    @property
    def right(self) -> int:
        """How many answers were right so far."""
        return sum(judged.right for _, judged in self.given.values())

    def tally(self) -> tuple[tuple[str, int, int], ...]:
        """Slug, right answers and asked questions of every section that was reached."""
        counts: dict[str, list[int]] = {}
        for at in sorted(self.given):
            count = counts.setdefault(self.asked[at].slug, [0, 0])
            count[0] += self.given[at][1].right
            count[1] += 1
        return tuple((slug, right, asked) for slug, (right, asked) in counts.items())

    def score(self) -> str:
        """Right of asked, by section."""
        shown = sum(typed is None for typed, _ in self.given.values())
        return self.page.score(self.tally(), shown, len(self.asked) - len(self.given))


def run(read_line: Callable[[], str], write: Callable[[str], object], session: Session) -> bool:
    """Show, read, and so on until the end, which is also that of the input or an interrupt.

    ``read_line`` raises ``EOFError`` when there is nothing more to read. Returns whether it was
    interrupted.
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
