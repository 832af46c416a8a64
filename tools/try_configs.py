"""Compare ``scaling`` with the installed transformers on files that nobody wrote.

    python tools/try_configs.py 5000            # how many files; about two minutes
    python tools/try_configs.py 5000 --seed 7   # other ones

Each file has a model type that rotates and random keys: shapes, bases, shares, scaling of every
method in old and new style, objects for single kinds of layers, keys that only other types read.
Printed is how many agree, are refused or differ with a warning, and every file that differs without
one, for which the tool ends with 1. It needs torch and transformers, as the recording does.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
METHODS = "default", "linear", "dynamic", "yarn", "longrope", "llama3"
NAMES = "rope_type", "rope_type", "rope_type", "type"
OLD, NEW, BOTH = "rope_scaling", "rope_parameters", "both"
ORIGINAL = "original_max_position_embeddings"
WIDTHS = 32, 48, 64, 80, 96, 128
LENGTHS = 2048, 4096, 8192, 32768, 131072
BASES = 10000, 10000.0, 12345.0, 500000.0, 8e6
SHARES = 0.25, 0.5, 0.75, 1.0
# Keys that some types read and others pass over.
ANYBODYS: dict[str, tuple[Any, ...]] = {
    **{"rotary_pct": SHARES, "rotary_dim": (16, 32, 64), "rotary_emb_base": (5e4,)},
    **{"rope_local_base_freq": (3e4,), "local_rope_theta": (3e4,), "global_rope_theta": (4e5,)},
    **{"swa_rope_theta": (2e4,), "compress_rope_theta": (7e4,), "attention_head_dim": (64, 96)},
    **{"kv_channels": (64, 128), "qk_rope_head_dim": (32, 64), "global_head_dim": (128, 512)},
    **{"rope_interleave": (True, False), "sliding_window": (512,), ORIGINAL: (2048, 4096)},
}
# Keys of a method, how often a file has them, and their values.
OPTIONAL: dict[str, dict[str, tuple[float, tuple[Any, ...]]]] = {
    "dynamic": {ORIGINAL: (0.4, LENGTHS)},
    "yarn": {
        **{ORIGINAL: (0.7, LENGTHS), "attention_factor": (0.15, (1.0, 1.2))},
        **{"beta_fast": (0.3, (8, 16, 64.0)), "beta_slow": (0.3, (0.5, 2, 4))},
        **{"mscale": (0.2, (0.707, 1.0)), "mscale_all_dim": (0.2, (0.5, 1.0))},
        "truncate": (0.15, (True, False)),
    },
    "longrope": {ORIGINAL: (0.5, LENGTHS), "attention_factor": (0.15, (1.1,))},
    "llama3": {
        **{ORIGINAL: (0.9, LENGTHS), "low_freq_factor": (1.0, (1, 1.0, 2.0))},
        "high_freq_factor": (1.0, (4, 4.0, 8.0)),
    },
}
# Float32 rounds blended pairs by up to a few millionths of their value.
RELATIVE = 1e-5


def scaling_object(choose: random.Random, pairs: int) -> dict[str, Any]:
    """What an object says of one method; the lists of LongRoPE fit ``pairs`` or miss by one."""
    method = choose.choice(METHODS)
    rope: dict[str, Any] = {choose.choice(NAMES): method}
    if method != "default" and (method != "longrope" or choose.random() < 0.5):
        rope["factor"] = choose.choice((1.5, 2, 4.0, 8.0, 32, 40.0))
    for key, (often, values) in OPTIONAL.get(method, {}).items():
        if choose.random() < often:
            rope[key] = choose.choice(values)
    if method == "longrope":
        count = pairs + choose.choice((0, 0, 0, 0, 1))
        for name, most in (("short_factor", 1.3), ("long_factor", 40.0)):
            rope[name] = [round(choose.uniform(1.0, most), 3) for _ in range(count)]
    return rope


def random_file(choose: random.Random, model_type: str, kinds: list[str]) -> dict[str, Any]:
    """A file of a type; ``kinds`` are those of its layers if it has several."""
    heads, width = choose.choice((4, 8, 12, 16, 32)), choose.choice(WIDTHS)
    file: dict[str, Any] = {"model_type": model_type, "num_attention_heads": heads}
    file["hidden_size"] = heads * width * choose.choice((1, 1, 1, 2))

    def sometimes(often: float, target: dict[str, Any], key: str, value: Any) -> None:
        if choose.random() < often:
            target[key] = value

    def rope() -> dict[str, Any]:
        found = scaling_object(choose, width // 2)
        sometimes(0.8, found, "rope_theta", choose.choice(BASES))
        sometimes(0.3, found, "partial_rotary_factor", choose.choice(SHARES))
        return found

    sometimes(0.5, file, "head_dim", width)
    sometimes(0.8, file, "max_position_embeddings", choose.choice(LENGTHS))
    for key, values in ANYBODYS.items():
        sometimes(0.06, file, key, choose.choice(values))
    style = choose.choice((OLD, OLD, NEW, NEW, BOTH))
    if style != NEW:
        sometimes(0.7, file, "rope_theta", choose.choice(BASES))
        sometimes(0.6, file, OLD, scaling_object(choose, width // 2))
        sometimes(0.3, file, "partial_rotary_factor", choose.choice(SHARES))
    if style == BOTH:
        sometimes(0.5, file, NEW, {"rope_type": "default", "rope_theta": choose.choice(BASES)})
    if style == NEW and kinds and choose.random() < 0.5:
        file[NEW] = {kind: rope() for kind in kinds if choose.random() < 0.9}
        listed = [choose.choice(kinds) for _ in range(4)]
        file |= {"layer_types": listed, "num_hidden_layers": len(listed)}
    elif style == NEW:
        file[NEW] = rope()
    return file


def trials(seed: int, count: int) -> Iterator[tuple[dict[str, Any], str]]:
    """Files with what comes of each; left out are those that the type's own code refuses."""
    import transformers_code as code
    from tools.recorded import Case, outcome

    choose = random.Random(seed)
    found = {name: (own, code.rotary_class(own)) for name, own in code.config_classes().items()}
    rotating = {name: (own, rotary[1]) for name, (own, rotary) in found.items() if rotary}
    with TemporaryDirectory() as folder:
        for _ in range(count):
            name = choose.choice([*rotating])
            config_class, rotary = rotating[name]
            file = random_file(choose, name, code.kinds_of_layers(config_class))
            computed = code.try_rotations(config_class, file, rotary)
            if computed is not None:
                kinds = {
                    kind: (np.array(rotation.frequencies), rotation.attention_factor)
                    for kind, rotation in computed.items()
                }
                case = Case(str(seed), file, kinds)
                yield file, outcome(case, Path(folder) / "config.json", RELATIVE)


def main() -> int:
    """Count the outcomes, and print the files that differ silently."""
    from tools.recorded import WRONG

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    counts: Counter[str] = Counter()
    for file, result in trials(arguments.seed, arguments.count):
        counts[result] += 1
        if result == WRONG:
            print(json.dumps(file))
    for result, times in counts.most_common():
        print(f"{times:6} {result}")
    return int(counts[WRONG] > 0)


if __name__ == "__main__":
    sys.exit(main())
