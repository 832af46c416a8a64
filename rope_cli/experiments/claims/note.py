"""What the note claims."""

from __future__ import annotations

from rope_cli.document.vocabulary import t
from rope_cli.example.worked_example import FIRST_COLUMN
from rope_cli.experiments.claims import attending, counting, numbers
from rope_cli.experiments.claims.claim import Claim, conditional, right, unjudged, wrong
from rope_cli.experiments.claims.numbers import HEAD_BASE, HEAD_WIDTH

CLAIMS: tuple[Claim, ...] = (
    right(
        "N1",
        "dot-products",
        lambda example: float(example.shifted_dot_products[0, 1]),
        t("absolute turns; score after +3 stays", "углы абсолютны; оценка после +3 та же"),
    ),
    conditional(
        "N2",
        "visibility",
        attending.causal_weight,
        t("attention is the dot product", "внимание — это скалярное произведение"),
        t(
            "then comes 1/√d, the mask and softmax: a causal weight of the chapter's matrix",
            "потом ещё 1/√d, маска и softmax: каузальный вес по матрице главы",
        ),
    ),
    conditional(
        "N3",
        "order",
        attending.gap_by_mask,
        t(
            "without positions the score knows meaning only",
            "без позиций оценка знает только смысл",
        ),
        t(
            "in the first layer without a mask; a causal mask tells two equal tokens apart by",
            "в первом слое и без маски; каузальная маска разводит два равных токена на",
        ),
    ),
    right(
        "N4",
        "complex",
        numbers.complex_score(8, 5),
        t("a score g(q, k, m-n): here at (8,5)", "оценка g(q, k, m-n): здесь в (8,5)"),
    ),
    conditional(
        "N5",
        "complex",
        lambda example: (numbers.Q * numbers.K).real,
        t("q·k = Re(q k*)", "q·k = Re(q k*)"),
        t(
            "for one pair, and one factor must be conjugated; without it 1 becomes",
            "для одной пары, и один множитель обязательно сопряжён; иначе вместо 1 будет",
        ),
    ),
    right(
        "N6",
        "complex",
        numbers.complex_real_part(numbers.Q, 5),
        t("f(q, m) = q e^(imθ): real part", "f(q, m) = q e^(imθ): веществ. часть"),
    ),
    right(
        "N7",
        "complex",
        numbers.complex_score(5, 2),
        t("the score is Re(q k* e^(i(m-n)θ))", "оценка равна Re(q k* e^(i(m-n)θ))"),
        t(
            "the note's m-n and the chapter's n-m agree: conjugation turns the sign",
            "m-n в заметке и n-m в главе согласны: сопряжение меняет знак",
        ),
    ),
    conditional(
        "N8",
        "clocks",
        numbers.score((1.0, 0.0), (1.0, 0.0), 711, 0),
        t("the score holds nothing but m-n", "в оценке есть только m-n"),
        t(
            "of positions; content stays. And a pair hardly tells 711 from 1: cos 711",
            "из позиций; содержимое остаётся. И пара почти не отличает 711 от 1: cos 711",
        ),
    ),
    right(
        "N9",
        "complex",
        numbers.complex_real_part(1, 5),
        t("e^(imθ) is the 2 x 2 turn: cos 3.5", "e^(imθ) — поворот 2 x 2: cos 3.5"),
    ),
    conditional(
        "N10",
        "heads",
        lambda example: example.embedding_for(HEAD_WIDTH, 1, HEAD_BASE).pairs,
        t("d is far above 2: d/2 planes", "d намного больше 2: d/2 плоскостей"),
        t(
            "d is the width of a head, often 128, and some models rotate a part of it",
            "d — ширина головы, часто 128, и некоторые модели поворачивают лишь её часть",
        ),
    ),
    wrong(
        "N11",
        "expectation",
        numbers.greatest_score(31),
        t("falling frequencies are a penalty on distance", "убывание частот — штраф за расстояние"),
        t(
            "speeds fall from pair to pair, no score is punished: of all rows of 1 and -1 the "
            "greatest score at distance 31 is above that at 1",
            "от пары к паре падают скорости, а оценку никто не штрафует: среди всех строк из 1 и "
            "-1 наибольшая оценка на расстоянии 31 выше, чем на 1",
        ),
        numbers.greatest_score(1),
    ),
    conditional(
        "N12",
        "base",
        numbers.period(63, 128, 500000.0),
        t("the base is usually 10000", "основание обычно 10000"),
        t(
            "in LLaMA 1 and 2; in LLaMA 3 it is 500000, and the slowest pair needs so many "
            "positions for a turn",
            "в LLaMA 1 и 2; в LLaMA 3 оно 500000, и самой медленной паре на оборот "
            "нужно столько позиций",
        ),
    ),
    wrong(
        "N13",
        "bands",
        numbers.turns(0),
        t(
            "early dimensions are the low-frequency part",
            "ранние размерности — низкочастотная часть",
        ),
        t(
            "they are the HIGH-frequency part: turns of pair 0 in 4096 positions",
            "это ВЫСОКОчастотная часть: оборотов пары 0 за 4096 позиций",
        ),
        numbers.turns(63),
    ),
    wrong(
        "N14",
        "base",
        numbers.period(63, 128, 10000.0),
        t(
            "late dimensions are the high-frequency part",
            "поздние размерности — высокочастотная часть",
        ),
        t(
            "they are the LOW-frequency part: positions in a turn of pair 63",
            "это НИЗКОчастотная часть: позиций на один оборот пары 63",
        ),
        numbers.period(0, 128, 10000.0),
    ),
    conditional(
        "N15",
        "bands",
        numbers.unfinished_pairs,
        t(
            "slow pairs catch long-range dependencies",
            "медленные пары улавливают дальние зависимости",
        ),
        t(
            "far away only they are unambiguous; but so many of 64 finish no turn in 4096 and "
            "hardly know positions",
            "вдали лишь они однозначны; но столько из 64 не делают за 4096 и одного оборота и "
            "позиций почти не знают",
        ),
    ),
    wrong(
        "N16",
        "same-content",
        numbers.score(FIRST_COLUMN, FIRST_COLUMN, 6, 0),
        t(
            "the expected dot product falls as m-n grows",
            "математическое ожидание убывает с ростом m-n",
        ),
        t(
            "for independent q and k of mean 0 it is 0 everywhere; for equal ones it falls only on "
            "average: the chapter's row at distance 6 is above that at 1",
            "для независимых q и k со средним 0 оно всюду 0; для равных убывает лишь в среднем: "
            "строка главы на расстоянии 6 даёт больше, чем на 1",
        ),
        numbers.score(FIRST_COLUMN, FIRST_COLUMN, 1, 0),
    ),
    conditional(
        "N17",
        "peak",
        numbers.score_of_preferred(16),
        t("so far tokens get less weight", "поэтому дальние токены получают меньший вес"),
        t(
            "if contents are alike; a key can be made to prefer any distance: this one 16",
            "если содержимое схоже; ключ можно построить под любое расстояние, этот — под 16",
        ),
    ),
    right(
        "N18",
        "dense-vs-pairs",
        counting.multiplication_ratio,
        t("no dense product: multiplications, times", "без плотной матрицы умножений меньше в"),
        t(
            "for one vector, d = 128; [-q1, q0] is the adjacent layout, not the only one",
            "для одного вектора, d = 128; [-q1, q0] — соседние пары, а бывают и другие",
        ),
    ),
    conditional(
        "N19",
        "dot-products",
        attending.output_move("queries-and-keys"),
        t("RoPE unites absolute and relative", "RoPE объединяет абсолютное и относительное"),
        t(
            "absolute on the way in, relative in the score; outputs keep no position: shift by 3",
            "абсолютное на входе, относительное в оценке; в выходе позиции нет: сдвиг на 3",
        ),
    ),
    conditional(
        "N20",
        "additive",
        lambda example: len(("BLOOM", "MPT", "GPT-2", "GPT-3", "OPT")),
        t("nearly all modern large models use RoPE", "RoPE есть почти у всех крупных моделей"),
        t(
            "a survey has its date; BLOOM, MPT, GPT-2, GPT-3, OPT do without, in number",
            "у обзора есть дата; BLOOM, MPT, GPT-2, GPT-3, OPT обошлись без него, числом",
        ),
    ),
    conditional(
        "N21",
        "extension",
        lambda example: HEAD_BASE * 4.0 ** (HEAD_WIDTH / (HEAD_WIDTH - 2)),
        t("train short, use long: NTK-aware, YaRN", "учить коротко, применять длинно: NTK, YaRN"),
        t(
            "RoPE alone does not extrapolate; NTK-aware by 4 enlarges the base 10000 to",
            "сам RoPE не экстраполирует; NTK с множителем 4 увеличивает основание 10000 до",
        ),
    ),
    unjudged(
        "N22",
        "complex",
        numbers.rotated_coordinate((1.0, 0.0), 1, 0),
        t("this is the formula in the illustration", "это формула из иллюстрации"),
        t(
            "there is no illustration in the text; the formula must be R(mθ), here its cos 1",
            "иллюстрации в тексте нет; речь, видимо, об R(mθ), вот её cos 1",
        ),
    ),
)
