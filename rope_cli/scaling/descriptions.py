"""The words of the report about a model: titles, what the checks claim, how each method works."""

from __future__ import annotations

from rope_cli.text import Text

TITLE = Text(en="How the pairs of this model turn", ru="Как поворачиваются пары этой модели")
QUESTION = Text(
    en="Which pairs keep their speed in the longer context, and by how much do the others slow "
    "down?",
    ru="Какие пары сохранят скорость в длинном контексте и во сколько раз замедлятся остальные?",
)
PLAIN_QUESTION = Text(
    en="How many pairs complete no turn within the context?",
    ru="Сколько пар не успевают сделать ни одного оборота в пределах контекста?",
)
CLAIMS = {
    "frequencies-recomputed": Text(
        en="every frequency agrees with another form of its formula (relative difference)",
        ru="каждая частота совпадает с другой записью её формулы (относительная разность)",
    ),
    "attention-factor-recomputed": Text(
        en="the attention factor agrees with another form of its formula",
        ru="множитель внимания совпадает с другой записью его формулы",
    ),
    "bands-by-ratio": Text(
        en="each pair is in the band of which its ratio speaks",
        ru="каждая пара отнесена к той полосе, о которой говорит отношение частот",
    ),
    "rotated-norm": Text(
        en="a rotated row is as many times as long as the attention factor says",
        ru="повёрнутая строка длиннее исходной во столько раз, каков множитель внимания",
    ),
    "score-gain": Text(
        en="a score depends on n-m alone and gains the square of the attention factor",
        ru="оценка зависит только от n-m и умножена на квадрат множителя внимания",
    ),
    "first-pair-kept": Text(
        en="pair 0 keeps its frequency, bit for bit",
        ru="частота пары 0 не изменилась ни в одном бите",
    ),
    "last-pair-divided": Text(
        en="the frequency of the last pair is divided by the whole factor of this length",
        ru="частота последней пары поделена на полный множитель для этой длины",
    ),
    "ratios-between": Text(
        en="no pair is changed by more than the factor",
        ru="ни одна частота не изменена больше чем в s раз",
    ),
    "ratios-never-rise": Text(
        en="a slower pair is slowed down at least as much as the one before it",
        ru="каждая пара замедлена не меньше предыдущей",
    ),
    "frequencies-fall": Text(
        en="each pair still turns more slowly than the one before it",
        ru="каждая пара по-прежнему медленнее предыдущей",
    ),
    "short-text-unscaled": Text(
        en="in a text of the original length nothing is scaled, bit for bit",
        ru="в тексте исходной длины ни один бит частот не меняется",
    ),
    "ramp-in-turns": Text(
        en="the three cases by wavelength are one ramp in the turns of a pair",
        ru="три случая по длине волны — это один переход, линейный по числу оборотов",
    ),
    "paper-agrees-outside": Text(
        en="outside the band the paper's ramp gives the same frequencies",
        ru="вне переходной полосы формула из статьи даёт те же частоты",
    ),
    "short-list-up-to-original": Text(
        en="a text of the original length is divided by the short list",
        ru="в тексте исходной длины частоты делятся на короткий список",
    ),
    "long-list-beyond-original": Text(
        en="with one position more the whole text is divided by the long list",
        ru="с одной лишней позицией весь текст переходит на длинный список",
    ),
}
HOW = {
    "default": Text(
        en="Nothing is scaled: pair j turns by b^(-2j/d) radians per position.",
        ru="Масштабирования нет: пара j поворачивается на b^(-2j/d) радиан за позицию.",
    ),
    "linear": Text(
        en="Position interpolation: every frequency is divided by s, pair 0 too.",
        ru="Интерполяция позиций: каждая частота делится на s, частота пары 0 тоже.",
    ),
    "ntk": Text(
        en="The base grows to {scaled_base}: pair 0 is kept, the last pair divided by s, the "
        "others by a part of it.",
        ru="Основание растёт до {scaled_base}: пара 0 сохраняется, частота последней делится на s, "
        "остальных — на часть этого множителя.",
    ),
    "dynamic": Text(
        en="The base follows the text: {scaled_base} for {length} positions. Up to "
        "{turning_length} positions nothing is scaled.",
        ru="Основание зависит от длины текста: {scaled_base} при длине {length}. Пока длина не "
        "больше {turning_length}, ничего не меняется.",
    ),
    "yarn": Text(
        en="Pairs up to index {low} are kept, from {high} on divided by s; between these bounds "
        "the divided share grows evenly with the index.",
        ru="Пары до номера {low} сохраняются, начиная с {high} частота делится на s; между этими "
        "границами доля поделённой частоты растёт равномерно с номером пары.",
    ),
    "llama3": Text(
        en="Pairs with more than {high} turns in {turning_length} positions are kept, those with "
        "fewer than {low} are divided by s; between, the share follows the turns.",
        ru="Пары, у которых на длине {turning_length} больше {high} оборотов, сохраняются; где "
        "оборотов меньше {low}, частота делится на s; между этими границами доля меняется линейно "
        "с числом "
        "оборотов.",
    ),
    "longrope": Text(
        en="Each pair has a divisor of its own: from short_factor in a text of at most "
        "{turning_length} positions, from long_factor in a longer one; here {divisors}. The list "
        "counts for the whole text, so keys cached before the switch no longer fit.",
        ru="У каждой пары свой делитель: из short_factor, если в тексте не больше {turning_length} "
        "позиций, из long_factor, если больше; здесь {divisors}. Список действует на весь текст, "
        "поэтому ключи, сохранённые в кэше до перехода, уже не годятся.",
    ),
    "proportional": Text(
        en="Only the first {moving} of {pairs} pairs turn; the exponent keeps the width of the "
        "whole head.",
        ru="Поворачиваются только первые пары, {moving} из {pairs}; в показателе степени стоит "
        "ширина всей головы.",
    ),
}
NO_TURN = Text(
    en="Before scaling, {still} of {pairs} pairs complete no turn in {turning_length} positions.",
    ru="До масштабирования {still} из {pairs} пар не успевают сделать ни одного оборота на длине "
    "{turning_length}.",
)
PLAIN_NO_TURN = Text(
    en="{still} of {pairs} pairs complete no turn in {turning_length} positions.",
    ru="{still} из {pairs} пар не успевают сделать ни одного оборота на длине {turning_length}.",
)
ROW_OF_ONE = Text(
    en="The attention factor is 1: a rotated row keeps its length.",
    ru="Множитель внимания равен 1: повёрнутая строка сохраняет длину.",
)
LONGER_ROW = Text(
    en="Cosines and sines are multiplied by the attention factor {a}: a rotated row is that many "
    "times as long, and a query-key score gains its square, {gain}.",
    ru="Косинусы и синусы умножаются на множитель внимания {a}: повёрнутая строка становится во "
    "столько же раз длиннее, а оценка запрос–ключ умножается на его квадрат, {gain}.",
)
PART_OF_HEAD = Text(
    en="Only {rotary} of a head's {head} coordinates are rotated; the others stay as they are.",
    ru="Поворачиваются только {rotary} из {head} координат головы, остальные не меняются.",
)
LATENT = Text(
    en="Multi-head latent attention multiplies every score once more before the softmax, by "
    "M(mscale_all_dim)^2 = {factor}, where M(m) = 0.1 m ln s + 1.",
    ru="Внимание с латентным представлением (MLA) ещё раз умножает каждую оценку перед softmax, на "
    "M(mscale_all_dim)^2 = {factor}, где M(m) = 0.1 m ln s + 1.",
)
ELSEWHERE = Text(
    en="What other code computes for this config:",
    ru="Что по этой же конфигурации вычисляет другой код:",
)
NOWHERE = Text(
    en="No implementation known to this report computes other numbers for this config, rounding "
    "apart: tables in float32 differ by about 1e-7.",
    ru="Известные этому отчёту реализации вычисляют по этой конфигурации те же числа, если не "
    "считать округления: таблицы в float32 отличаются примерно на 1e-7.",
)
FILE = Text(
    en="{file}: model type {model}, context of {maximum} positions, here a text of {length}.",
    ru="{file}: тип модели {model}, длина контекста {maximum}, длина текста {length}.",
)
NO_MODEL = Text(en="not given", ru="не указан")
WARNINGS = Text(en="Warnings about the file:", ru="Предупреждения о файле:")
KINDS = {
    "unknown": Text(en="unknown", ru="неизвестно"),
    "ignored": Text(en="ignored", ru="не читается"),
    "contradictory": Text(en="contradictory", ru="противоречие"),
    "assumed": Text(en="assumed", ru="принято"),
}
THE_RATIO = Text(en="context / L", ru="контекст / L")
EVERY_PAIR = Text(en="prints every pair", ru="напечатает все пары")
BASICS = Text(en="how fast each pair turns", ru="скорости поворота пар")
