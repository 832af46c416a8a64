"""The values of a method of scaling, read from the object that says how to scale, and checked."""

from __future__ import annotations

from dataclasses import dataclass

from rope_cli.scaling import ranges, warnings
from rope_cli.scaling.json_files import ConfigValue, Lookup
from rope_cli.scaling.key_names import CONTEXT_NAMES, ORIGINAL
from rope_cli.scaling.ranges import FACTOR
from rope_cli.scaling.warnings import Warnings

RATIO = f"max_position_embeddings / {ORIGINAL}"

# The keys that each method reads besides those that all methods read.
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
# The attention factors of Phi-3.5-MoE, in short texts and in longer ones.
FACTORS_BY_LENGTH = "short_mscale", "long_mscale"
COMMON_KEYS = "rope_type", "type", "rope_theta", "partial_rotary_factor"
KNOWN_KEYS = {key for keys in METHOD_KEYS.values() for key in keys}


@dataclass(frozen=True)
class ValueReader:
    """Reads the values of a method from ``rope``, the object that names it.

    ``model`` is the model's own object if the original length may stand there too.
    """

    rope: Lookup
    model: Lookup | None
    max_positions: ConfigValue
    warnings: Warnings

    def values(self, method: str, pairs: int) -> dict[str, ConfigValue]:
        """The values of the method by their keys, without those that the config leaves out."""
        match method:
            case "linear":
                values: dict[str, ConfigValue | None] = {"factor": self.factor()}
            case "ntk":
                values = {"factor": self.factor("alpha", "factor")}
            case "dynamic":
                values = {"factor": self.factor(), ORIGINAL: self.known_context()}
            case "proportional":
                values = {"factor": self.rope.number(FACTOR, "factor") or default(1.0)}
            case "yarn":
                values = self.yarn()
            case "llama3":
                values = self.llama3()
            case "longrope":
                values = self.longrope(pairs)
            case _:
                values = {}
        factor = values.get("factor")
        if factor is not None and factor.value < 1:
            self.warnings.add(warnings.FACTOR_BELOW_ONE, key=factor.source, value=factor.value)
        return {name: value for name, value in values.items() if value is not None}

    def doubling(self, model: Lookup) -> dict[str, ConfigValue]:
        """The values of dynamic scaling in steps, by keys of the model itself."""
        original = model.required_number(ranges.ORIGINAL_LENGTH, "seq_length")
        return {
            "factor": default(1.0),
            ORIGINAL: original,
            "doubling": ConfigValue(True, "use_dynamic_ntk"),
        }

    def known_context(self) -> ConfigValue:
        """The number of positions of the model where a method cannot do without it."""
        if is_assumed(self.max_positions):
            model = self.model or self.rope
            raise model.missing_key(CONTEXT_NAMES[0], ranges.POSITIONS.accepted)
        return self.max_positions

    def factor(self, *names: str) -> ConfigValue:
        """The factor s, which is required."""
        return self.rope.required_number(FACTOR, *(names or ("factor",)))

    def yarn(self) -> dict[str, ConfigValue | None]:
        """The values of YaRN."""
        original = self.original()
        factor = self.yarn_factor(original)
        slow = self.rope.number(FACTOR, "beta_slow") or default(1.0)
        fast = self.rope.number(FACTOR, "beta_fast") or default(32.0)
        if fast.value < slow.value:
            wrong = slow if fast.is_default else fast
            raise self.rope.bad_value(wrong, ranges.FAST_NOT_BELOW_SLOW)
        truncate = self.rope.find("truncate") or default(True)
        if not isinstance(truncate.value, bool):
            raise self.rope.bad_value(truncate, ranges.A_TRUTH_VALUE)
        return {
            "factor": factor,
            ORIGINAL: original,
            "beta_fast": fast,
            "beta_slow": slow,
            "truncate": truncate,
            "attention_factor": self.rope.number(FACTOR, "attention_factor"),
            "mscale": self.rope.number(ranges.WEIGHT, "mscale"),
            "mscale_all_dim": self.rope.number(ranges.WEIGHT, "mscale_all_dim"),
        }

    def yarn_factor(self, original: ConfigValue) -> ConfigValue:
        """The factor of YaRN; ``null`` stands for the ratio of the two lengths."""
        prefix, content, _ = self.rope.objects[0]
        if "factor" in content and content["factor"] is None:
            factor = self.ratio(original)
            key = f"{prefix}factor"
            self.warnings.add(warnings.FACTOR_FROM_RATIO, key=key, ratio=factor.value)
            return factor
        factor = self.factor()
        ratio = self.max_positions.value / original.value
        if ratio not in (1, factor.value) and not is_assumed(self.max_positions):
            kind, key = warnings.FACTOR_IS_NOT_RATIO, factor.source
            self.warnings.add(kind, key=key, value=factor.value, ratio=ratio)
        return factor

    def llama3(self) -> dict[str, ConfigValue | None]:
        """The values of Llama 3; with equal bounds no pair is blended."""
        factor, original = self.factor(), self.original()
        low, high = (
            self.rope.required_number(FACTOR, name)
            for name in ("low_freq_factor", "high_freq_factor")
        )
        if high.value < low.value:
            raise self.rope.bad_value(high, ranges.NOT_BELOW_LOW)
        if high.value == low.value:
            self.warnings.add(warnings.EQUAL_BOUNDS, key=high.source, value=high.value)
        if (
            original.value >= self.max_positions.value
            and original.source != self.max_positions.source
        ):
            self.warnings.add(
                warnings.NOTHING_TO_EXTEND,
                key=original.source,
                value=original.value,
                used_value=self.max_positions.value,
            )
        return {
            "factor": factor,
            "low_freq_factor": low,
            "high_freq_factor": high,
            ORIGINAL: original,
        }

    def longrope(self, pairs: int) -> dict[str, ConfigValue | None]:
        """The values of LongRoPE, whose lists hold a divisor for each pair."""
        original = self.original()
        return {
            "short_factor": self.divisors("short_factor", pairs),
            "long_factor": self.divisors("long_factor", pairs),
            ORIGINAL: original,
            "factor": self.rope.number(FACTOR, "factor") or self.ratio(original),
            "attention_factor": self.rope.number(FACTOR, "attention_factor"),
        }

    def factor_by_length(self, original: ConfigValue) -> ConfigValue | None:
        """The attention factor of code that has one for short texts and one for long ones."""
        is_long = self.max_positions.value > original.value
        short, long = (self.rope.number(FACTOR, key) for key in FACTORS_BY_LENGTH)
        if short and long and short.value != long.value:
            self.warnings.add_contradiction(short if is_long else long, long if is_long else short)
        return long if is_long else short

    def original(self) -> ConfigValue:
        """How many positions the model was first trained on, by itself or by the method."""
        of_model = self.model.number(ranges.ORIGINAL_LENGTH, ORIGINAL) if self.model else None
        of_method = self.rope.number(ranges.ORIGINAL_LENGTH, ORIGINAL)
        original = of_model or of_method
        if original is None:
            context = self.known_context()
            kind, key = warnings.ORIGINAL_FROM_CONTEXT, self.rope.objects[0].prefix + ORIGINAL
            self.warnings.add(kind, key=key, used_value=context.value)
            return self.rope.check_range(ranges.ORIGINAL_LENGTH, context)
        self.warnings.add_contradiction(of_method, original)
        return original

    def ratio(self, original: ConfigValue) -> ConfigValue:
        """The factor that follows from the two lengths."""
        ratio = self.known_context().value / original.value
        return self.rope.check_range(FACTOR, ConfigValue(ratio, RATIO))

    def divisors(self, name: str, pairs: int) -> ConfigValue:
        """A list of one number for each pair."""
        divisors = self.rope.find(name)
        if divisors is None:
            raise self.rope.missing_key(name, ranges.NUMBERS)
        if not isinstance(divisors.value, list):
            raise self.rope.bad_value(divisors, ranges.NUMBERS)
        size = ConfigValue(len(divisors.value), f"len({divisors.source})")
        if size.value != pairs:
            raise self.rope.bad_value(size, str(pairs))
        entries = (
            ConfigValue(divisor, f"{divisors.source}[{index}]")
            for index, divisor in enumerate(divisors.value)
        )
        checked = tuple(self.rope.check_range(FACTOR, entry).value for entry in entries)
        return divisors._replace(value=checked)


def is_assumed(max_positions: ConfigValue) -> bool:
    """Whether neither the file nor its type of model says how many positions there are."""
    return max_positions.is_default and not max_positions.source


def default(value: float | bool) -> ConfigValue:
    """The value of a key that a config may leave out."""
    return ConfigValue(value, "", is_default=True)
