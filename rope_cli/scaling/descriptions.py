"""What the checks of a scaling report claim, and how each method works, in words."""

from __future__ import annotations

from rope_cli.document.vocabulary import t

CLAIMS = {
    "frequencies-recomputed": t(
        "every frequency agrees with another form of its formula (relative difference)",
        "каждая частота совпадает с другой записью её формулы (относительная разность)",
    ),
    "attention-factor-recomputed": t(
        "the attention factor agrees with another form of its formula",
        "множитель внимания совпадает с другой записью его формулы",
    ),
    "bands-by-ratio": t(
        "each pair is in the band of which its ratio speaks",
        "каждая пара отнесена к той полосе, о которой говорит отношение частот",
    ),
    "rotated-norm": t(
        "a rotated row is as many times as long as the attention factor says",
        "повёрнутая строка длиннее исходной во столько раз, каков множитель внимания",
    ),
    "score-gain": t(
        "a score depends on n-m alone and gains the square of the attention factor",
        "оценка зависит только от n-m и умножена на квадрат множителя внимания",
    ),
    "first-pair-kept": t(
        "pair 0 keeps its frequency, bit for bit", "частота пары 0 не изменилась ни в одном бите"
    ),
    "last-pair-divided": t(
        "the frequency of the last pair is divided by the whole factor of this length",
        "частота последней пары поделена на полный множитель для этой длины",
    ),
    "ratios-between": t(
        "no pair is changed by more than the factor",
        "ни одна частота не изменена больше чем в s раз",
    ),
    "ratios-never-rise": t(
        "a slower pair is slowed down at least as much as the one before it",
        "каждая пара замедлена не меньше предыдущей",
    ),
    "frequencies-fall": t(
        "each pair still turns more slowly than the one before it",
        "каждая пара по-прежнему медленнее предыдущей",
    ),
    "short-text-unscaled": t(
        "in a text of the original length nothing is scaled, bit for bit",
        "в тексте исходной длины ни один бит частот не меняется",
    ),
    "ramp-in-turns": t(
        "the three cases by wavelength are one ramp in the turns of a pair",
        "три случая по длине волны — это один переход, линейный по числу оборотов",
    ),
    "paper-agrees-outside": t(
        "outside the band the paper's ramp gives the same frequencies",
        "вне переходной полосы формула из статьи даёт те же частоты",
    ),
    "short-list-up-to-original": t(
        "a text of the original length is divided by the short list",
        "в тексте исходной длины частоты делятся на короткий список",
    ),
    "long-list-beyond-original": t(
        "with one position more the whole text is divided by the long list",
        "с одной лишней позицией весь текст переходит на длинный список",
    ),
}
METHOD_SENTENCES = {
    "default": t(
        "Nothing is scaled: pair j turns by b^(-2j/d) radians per position.",
        "Масштабирования нет: пара j поворачивается на b^(-2j/d) радиан за позицию.",
    ),
    "linear": t(
        "Position interpolation: every frequency is divided by s, pair 0 too.",
        "Интерполяция позиций: каждая частота делится на s, частота пары 0 тоже.",
    ),
    "ntk": t(
        "The base grows to {scaled_base}: "
        "pair 0 is kept, the last pair divided by s, the others by a part of it.",
        "Основание растёт до {scaled_base}: "
        "пара 0 сохраняется, частота последней делится на s, остальных — на часть этого множителя.",
    ),
    "dynamic": t(
        "The base follows the text: {scaled_base} for {length} positions. "
        "Up to {turning_length} positions nothing is scaled.",
        "Основание зависит от длины текста: {scaled_base} при длине {length}. "
        "Пока длина не больше {turning_length}, ничего не меняется.",
    ),
    "yarn": t(
        "Pairs up to index {low} are kept, from {high} on divided by s; "
        "between these bounds the divided share grows evenly with the index.",
        "Пары до номера {low} сохраняются, начиная с {high} частота делится на s; "
        "между этими границами доля поделённой частоты растёт равномерно с номером пары.",
    ),
    "llama3": t(
        "Pairs with more than {high} turns in {turning_length} positions are kept, "
        "those with fewer than {low} are divided by s; between, the share follows the turns.",
        "Пары, у которых на длине {turning_length} больше {high} оборотов, сохраняются; где "
        "оборотов меньше {low}, частота делится на s; "
        "между этими границами доля меняется линейно с числом оборотов.",
    ),
    "longrope": t(
        "Each pair has a divisor of its own: from short_factor in a text of at most "
        "{turning_length} positions, from long_factor in a longer one; here {divisors}. "
        "The list counts for the whole text, so keys cached before the switch no longer fit.",
        "У каждой пары свой делитель: из short_factor, если в тексте не больше {turning_length} "
        "позиций, из long_factor, если больше; здесь {divisors}. Список действует на весь текст, "
        "поэтому ключи, сохранённые в кэше до перехода, уже не годятся.",
    ),
    "proportional": t(
        "Only the first {moving} of {pairs} pairs turn; "
        "the exponent keeps the width of the whole head.",
        "Поворачиваются только первые пары, {moving} из {pairs}; "
        "в показателе степени стоит ширина всей головы.",
    ),
}
