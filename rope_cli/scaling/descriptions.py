"""What the checks of a scaling report claim, and how each method works, in words."""

from __future__ import annotations

from rope_cli.document.vocabulary import t

CLAIMS = {
    "frequencies-recomputed": t(
        "every frequency agrees with another form of its formula (relative difference)",
        "каждая частота совпадает с вычисленной по другой записи формулы (относительная разность)",
    ),
    "attention-factor-recomputed": t(
        "the attention factor agrees with another form of its formula",
        "множитель внимания совпадает с вычисленным по другой записи формулы",
    ),
    "bands-by-ratio": t(
        "each pair is in the band its ratio implies",
        "каждая пара отнесена к той полосе, которая следует из отношения её частот",
    ),
    "rotated-norm": t(
        "rotation multiplies the length of a row by the attention factor",
        "при повороте длина строки умножается на множитель внимания",
    ),
    "score-gain": t(
        "a score depends on the positions only through n-m and is multiplied by the square of the "
        "attention factor",
        "оценка зависит от позиций только через n-m и умножена на квадрат множителя внимания",
    ),
    "first-pair-kept": t(
        "pair 0 keeps its frequency, bit for bit", "частота пары 0 не изменилась ни в одном бите"
    ),
    "last-pair-divided": t(
        "the frequency of the last pair is divided by the whole factor for this length",
        "частота последней пары поделена на полный множитель для этой длины",
    ),
    "ratios-between": t(
        "no frequency changes by more than the factor s",
        "ни одна частота не изменилась больше чем в s раз",
    ),
    "ratios-never-rise": t(
        "each pair is slowed down at least as much as the one before it",
        "каждая пара замедлена не меньше, чем предыдущая",
    ),
    "frequencies-fall": t(
        "each pair is still slower than the one before it",
        "каждая пара по-прежнему медленнее предыдущей",
    ),
    "short-text-unscaled": t(
        "up to the original length no frequency changes, bit for bit",
        "до исходной длины ни одна частота не меняется ни в одном бите",
    ),
    "ramp-in-turns": t(
        "keeping, blending and dividing are one rule, linear in the full turns of a pair between "
        "its two bounds",
        "три случая, различаемые по периоду, — это одно правило, линейное по числу оборотов между "
        "двумя границами",
    ),
    "paper-agrees-outside": t(
        "outside its ramp the rule of the paper gives the same frequencies",
        "вне переходной полосы формула из статьи даёт те же частоты",
    ),
    "short-list-up-to-original": t(
        "at the original length the frequencies are divided by the short list",
        "при исходной длине частоты делятся на числа короткого списка",
    ),
    "long-list-beyond-original": t(
        "one position more, and the frequencies are divided by the long list everywhere",
        "стоит добавить одну позицию, и все частоты делятся на числа длинного списка",
    ),
}
METHOD_SENTENCES = {
    "default": t(
        "Nothing is scaled: pair j rotates by b^(-2j/d) radians per position.",
        "Масштабирования нет: пара j поворачивается на b^(-2j/d) радиан за позицию.",
    ),
    "linear": t(
        "Position interpolation: every frequency is divided by s, even that of pair 0.",
        "Интерполяция позиций: каждая частота делится на s, даже частота пары 0.",
    ),
    "ntk": t(
        "The base grows to {scaled_base}. Pair 0 keeps its frequency, the frequency of the last "
        "pair is divided by s, and those between are divided by less than s.",
        "Основание растёт до {scaled_base}. Частота пары 0 сохраняется, частота последней пары "
        "делится на s, а частоты между ними — на число, меньшее s.",
    ),
    "dynamic": t(
        "The base depends on the length of the sequence: for length {length} it is {scaled_base}. "
        "Up to length {turning_length} nothing is scaled.",
        "Основание зависит от длины последовательности: при длине {length} оно равно "
        "{scaled_base}. Пока длина не больше {turning_length}, ничего не меняется.",
    ),
    "yarn": t(
        "Pairs up to index {low} keep their frequency, and from index {high} on it is divided by "
        "s. Between the two it is a mixture of both, in which the share of the divided frequency "
        "grows linearly with the index.",
        "У пар с номерами не больше {low} частота сохраняется, у пар с номерами не меньше {high} — "
        "делится на s. Между ними доля поделённой частоты линейно растёт с номером.",
    ),
    "llama3": t(
        "The rule counts the full turns of a pair over {turning_length} positions. Above {high} "
        "the frequency is kept, below {low} it is divided by s, and between the two it is a "
        "mixture of both, whose weights are linear in the number of full turns.",
        "Всё зависит от числа оборотов пары на длине {turning_length}. Если их больше {high}, "
        "частота сохраняется, если меньше {low} — делится на s, а между этими границами новая "
        "частота — смесь прежней и поделённой, и их доли линейно зависят от числа оборотов.",
    ),
    "longrope": t(
        "Each pair has a divisor of its own. Up to length {turning_length} it comes from "
        "short_factor, beyond that from long_factor; here from {divisors}. The list applies to the "
        "whole sequence, so keys that were cached before the switch no longer fit.",
        "У каждой пары свой делитель. До длины {turning_length} он берётся из short_factor, дальше "
        "— из long_factor; здесь из {divisors}. Список действует на всю последовательность, "
        "поэтому ключи, попавшие в кэш до перехода, уже не годятся.",
    ),
    "proportional": t(
        "The first pairs are rotated, {moving} of {pairs}, and the others are not. The exponent "
        "keeps the width of the whole head.",
        "Поворачиваются только первые пары: {moving} из {pairs}. В показателе степени стоит ширина "
        "всей головы.",
    ),
}
