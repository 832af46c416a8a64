"""The values of a method of scaling: read from the object that says how to scale, and checked."""

from __future__ import annotations

from dataclasses import dataclass

from rope_cli.scaling import messages
from rope_cli.scaling.json_files import Keys, Read
from rope_cli.scaling.messages import FACTOR, Span
from rope_cli.scaling.warnings import Notes

ORIGINAL = "original_max_position_embeddings"
RATIO = f"max_position_embeddings / {ORIGINAL}"

# The keys that each method reads, besides those that all of them read.
METHOD_KEYS: dict[str, tuple[str, ...]] = {
    "default": (),
    "linear": ("factor",),
    "ntk": ("factor", "alpha"),
    "dynamic": ("factor",),
    "yarn": (
        *("factor", ORIGINAL, "beta_fast", "beta_slow"),
        *("truncate", "attention_factor", "mscale", "mscale_all_dim"),
    ),
    "llama3": ("factor", "low_freq_factor", "high_freq_factor", ORIGINAL),
    "longrope": ("short_factor", "long_factor", ORIGINAL, "factor", "attention_factor"),
    "proportional": ("factor",),
}
COMMON_KEYS = "rope_type", "type", "rope_theta", "partial_rotary_factor"
KNOWN_KEYS = {key for keys in METHOD_KEYS.values() for key in keys}

Values = dict[str, Read]


@dataclass(frozen=True)
class ValueReader:
    """``rope`` is the object of the method; ``outside`` are the keys around it, if they count."""

    rope: Keys
    outside: Keys | None
    maximum: Read
    notes: Notes

    def values(self, method: str, pairs: int) -> Values:
        """The values that the method works with, each under its key; those left out are absent."""
        match method:
            case "linear":
                found: dict[str, Read | None] = {"factor": self.factor()}
            case "ntk":
                found = {"factor": self.factor("alpha", "factor")}
            case "dynamic":
                found = {"factor": self.factor(), ORIGINAL: self.maximum}
            case "proportional":
                one = Read(1.0, "", standard=True)
                found = {"factor": self.rope.number(FACTOR, "factor") or one}
            case "yarn":
                found = self.yarn()
            case "llama3":
                found = self.llama3()
            case "longrope":
                found = self.longrope(pairs)
            case _:
                found = {}
        values = {name: read for name, read in found.items() if read is not None}
        if "factor" in values and values["factor"].value < 1:
            factor = values["factor"]
            self.notes.add(messages.SHRINKS, key=factor.source, value=factor.value)
        return values

    def factor(self, *names: str) -> Read:
        """The factor s, which must be given."""
        return self.rope.needed(FACTOR, *(names or ("factor",)))

    def yarn(self) -> dict[str, Read | None]:
        """The values of YaRN; a factor that is null is the ratio of the two lengths."""
        original = self.original()
        prefix, rope, _ = self.rope.levels[0]
        if "factor" in rope and rope["factor"] is None:
            factor = self.ratio(original)
            self.notes.add(messages.FROM_RATIO, key=f"{prefix}factor", ratio=factor.value)
        else:
            factor = self.factor()
            ratio = self.maximum.value / original.value
            if ratio not in (1, factor.value):
                said = {"value": factor.value, "ratio": ratio}
                self.notes.add(messages.NOT_THE_RATIO, key=factor.source, **said)
        slow = self.rope.number(FACTOR, "beta_slow") or Read(1.0, "", standard=True)
        fast = self.rope.number(FACTOR, "beta_fast") or Read(32.0, "", standard=True)
        if fast.value < slow.value:
            raise self.rope.bad(fast if fast.source else slow, messages.FAST_NOT_BELOW_SLOW)
        truncate = self.rope.find("truncate") or Read(True, "", standard=True)
        if not isinstance(truncate.value, bool):
            raise self.rope.bad(truncate, messages.TRUTH)
        return {
            "factor": factor,
            ORIGINAL: original,
            "beta_fast": fast,
            "beta_slow": slow,
            "truncate": truncate,
            "attention_factor": self.rope.number(FACTOR, "attention_factor"),
            "mscale": self.rope.number(messages.WEIGHT, "mscale"),
            "mscale_all_dim": self.rope.number(messages.WEIGHT, "mscale_all_dim"),
        }

    def llama3(self) -> dict[str, Read | None]:
        """The values of Llama 3; two equal bounds leave no band between them."""
        factor, original = self.factor(), self.original()
        low, high = (
            self.rope.needed(FACTOR, name) for name in ("low_freq_factor", "high_freq_factor")
        )
        if high.value < low.value:
            raise self.rope.bad(high, messages.NOT_BELOW_LOW)
        if high.value == low.value:
            self.notes.add(messages.NO_BAND, key=high.source, value=high.value)
        if original.value >= self.maximum.value and original.source != self.maximum.source:
            said = {"value": original.value, "used_value": self.maximum.value}
            self.notes.add(messages.NOT_LONGER, key=original.source, **said)
        return {
            "factor": factor,
            "low_freq_factor": low,
            "high_freq_factor": high,
            ORIGINAL: original,
        }

    def longrope(self, pairs: int) -> dict[str, Read | None]:
        """The values of LongRoPE, whose lists hold one divisor for each pair."""
        original = self.original()
        return {
            "short_factor": self.divisors("short_factor", pairs),
            "long_factor": self.divisors("long_factor", pairs),
            ORIGINAL: original,
            "factor": self.rope.number(FACTOR, "factor") or self.ratio(original),
            "attention_factor": self.rope.number(FACTOR, "attention_factor"),
        }

    def original(self) -> Read:
        """How many positions the model was first trained on, inside the object or outside it."""
        span: Span = messages.LENGTH_OF_TEXT
        outside = self.outside.number(span, ORIGINAL) if self.outside else None
        inside = self.rope.number(span, ORIGINAL)
        found = outside or inside
        if found is None:
            key = self.rope.levels[0].prefix + ORIGINAL
            self.notes.add(messages.NO_ORIGINAL, key=key, used_value=self.maximum.value)
            return self.rope.within(span, self.maximum)
        self.notes.contradiction(inside, found)
        return found

    def ratio(self, original: Read) -> Read:
        """The factor that the two lengths imply."""
        return self.rope.within(FACTOR, Read(self.maximum.value / original.value, RATIO))

    def divisors(self, name: str, pairs: int) -> Read:
        """A list of as many numbers as there are pairs."""
        found = self.rope.find(name)
        if found is None:
            raise self.rope.missing(name, messages.NUMBERS)
        if not isinstance(found.value, list):
            raise self.rope.bad(found, messages.NUMBERS)
        size = Read(len(found.value), f"len({found.source})")
        if size.value != pairs:
            raise self.rope.bad(size, str(pairs))
        each = [
            self.rope.within(FACTOR, Read(value, f"{found.source}[{at}]")).value
            for at, value in enumerate(found.value)
        ]
        return found._replace(value=tuple(each))
