"""The terms of the report, each with a definition and the section that shows it."""

from __future__ import annotations

from dataclasses import dataclass

from rope_cli.document.spreadsheet import as_csv
from rope_cli.text import Text


@dataclass(frozen=True, slots=True)
class Term:
    """A term in both languages, the slug of the section that shows it, and what it means."""

    en: str
    ru: str
    section: str
    meaning_en: str
    meaning_ru: str

    @property
    def meaning(self) -> Text:
        """The definition."""
        return Text(en=self.meaning_en, ru=self.meaning_ru)


# In the order in which one needs the other: a definition uses terms that stand above it.
TERMS = (
    Term(
        "token",
        "токен",
        "order",
        "A piece of text that a model reads as one unit.",
        "Отрезок текста, с которым модель работает как с единым целым.",
    ),
    Term(
        "row",
        "строка",
        "rotations",
        "The numbers that stand for one token in one of the arrays Q, K and V.",
        "Числа, представляющие один токен в одном из массивов Q, K и V.",
    ),
    Term(
        "query, key, value",
        "запрос, ключ, значение",
        "visibility",
        "The three rows of a token: what it looks for, what it is found by, and what it passes on.",
        "Три строки токена: что он ищет, по чему его находят и что он передаёт.",
    ),
    Term(
        "dot product",
        "скалярное произведение",
        "one-pair",
        "The sum of the products of the coordinates that two rows have at the same places.",
        "Сумма произведений координат с одинаковыми номерами у двух строк.",
    ),
    Term(
        "score",
        "оценка запрос–ключ",
        "one-pair",
        "The dot product of a query with a key, often divided by √d.",
        "Скалярное произведение запроса и ключа; его могут ещё разделить на √d.",
    ),
    Term(
        "diagonal",
        "диагональ",
        "dot-products",
        "The cells of a matrix along a line that falls by one row with each column to the right; "
        "on the main one the numbers of row and column are equal.",
        "Ячейки матрицы вдоль линии, которая с каждым столбцом вправо уходит на строку вниз; на "
        "главной номера строки и столбца равны.",
    ),
    Term(
        "transpose",
        "транспонированная матрица",
        "dot-products",
        "The matrix with rows and columns exchanged, written with a raised ᵀ.",
        "Матрица, у которой строки и столбцы поменялись местами; её обозначают знаком ᵀ.",
    ),
    Term(
        "symmetric",
        "симметричная матрица",
        "dot-products",
        "Equal to its transpose: the number in row m, column n is also in row n, column m.",
        "Матрица, равная своей транспонированной: в строке m и столбце n стоит то же число, что "
        "в строке n и столбце m.",
    ),
    Term(
        "softmax",
        "функция softmax",
        "visibility",
        "A function that converts any numbers into positive weights whose sum is 1, with a larger "
        "weight for a larger number.",
        "Функция, которая делает из любых чисел положительные веса с суммой 1: чем больше "
        "число, тем больше вес.",
    ),
    Term(
        "attention",
        "внимание",
        "visibility",
        "For each token, the sum of all values, weighted by how well their keys match its query.",
        "Для каждого токена — сумма всех значений с весами: чем лучше ключ подходит к запросу, "
        "тем больше вес.",
    ),
    Term(
        "order",
        "порядок",
        "order",
        "Which token comes before which.",
        "Какой токен идёт раньше, какой позже.",
    ),
    Term(
        "absolute position",
        "абсолютная позиция",
        "rotations",
        "The number of a token's place in the text, counted from 0.",
        "Номер места, которое токен занимает в тексте, считая с нуля.",
    ),
    Term(
        "signed difference n-m",
        "знаковая разность позиций n-m",
        "direction",
        "The position of the key minus that of the query: negative for an earlier key.",
        "Номер места ключа минус номер места запроса: для более раннего ключа она отрицательна.",
    ),
    Term(
        "distance",
        "расстояние",
        "same-content",
        "D = m-n for a key that is not later than the query: how many positions back it is, 0 or "
        "more.",
        "D = m-n для ключа, который стоит не позже запроса: на сколько мест он раньше; это 0 или "
        "больше.",
    ),
    Term(
        "equal shift",
        "одинаковый сдвиг",
        "dot-products",
        "The same number added to all positions, which changes none of their differences.",
        "Одно и то же число, прибавленное ко всем позициям; их разности не меняются.",
    ),
    Term(
        "content",
        "содержимое",
        "content",
        "The numbers of a row before its position has any effect on them.",
        "Числа строки до того, как в неё внесена позиция.",
    ),
    Term(
        "pair of coordinates",
        "пара координат",
        "rotations",
        "Two numbers of a row, taken as a point of the plane.",
        "Два числа строки, вместе — точка плоскости.",
    ),
    Term(
        "rotary position embedding",
        "ротационное позиционное кодирование",
        "dot-products",
        "A way to put positions into queries and keys: every pair is rotated by an angle "
        "proportional to the position.",
        "Способ внести позиции в запросы и ключи: каждая пара поворачивается на угол, "
        "пропорциональный позиции.",
    ),
    Term(
        "RoFormer",
        "статья о RoFormer",
        "bound",
        "The paper of 2021 that introduced rotary position embedding, arXiv 2104.09864.",
        "Работа 2021 года, в которой предложено RoPE, arXiv 2104.09864.",
    ),
    Term(
        "counter-clockwise",
        "против часовой стрелки",
        "clocks",
        "The sense in which angles grow: from [1, 0] towards [0, 1] through a quarter circle.",
        "Направление, в котором растут углы: от [1, 0] к [0, 1] на четверть оборота.",
    ),
    Term(
        "rotation matrix",
        "матрица поворота",
        "rotations",
        "R(φ) = [[cos φ, -sin φ], [sin φ, cos φ]]: it moves a point of the plane around the "
        "origin by the angle φ, counter-clockwise.",
        "R(φ) = [[cos φ, -sin φ], [sin φ, cos φ]]: ведёт точку плоскости по окружности "
        "вокруг начала координат, на угол φ против часовой стрелки.",
    ),
    Term(
        "identity",
        "единичная матрица",
        "rotations",
        "The matrix I that changes no row; R(0) is this matrix.",
        "Матрица I, которая не меняет ни одной строки; такова R(0).",
    ),
    Term(
        "transposed rotation",
        "транспонированный поворот",
        "adjoints",
        "R(φ)ᵀ = R(-φ), which undoes R(φ).",
        "R(φ)ᵀ = R(-φ): возвращает то, что повернула R(φ).",
    ),
    Term(
        "orthogonal",
        "ортогональный",
        "norms",
        "Said of a matrix R that its transpose undoes: RᵀR = I.",
        "Так называют матрицу R, действие которой отменяет транспонированная: RᵀR = I.",
    ),
    Term(
        "norm",
        "норма",
        "norms",
        "The length of a row: the square root of the sum of its squared numbers.",
        "Длина строки: корень из суммы квадратов её чисел.",
    ),
    Term(
        "feature width",
        "ширина признаков",
        "frequencies",
        "d, how many numbers a row has.",
        "d — сколько чисел в строке.",
    ),
    Term(
        "head, head width",
        "голова, ширина головы",
        "heads",
        "One of several computations of attention side by side, each with its own part of the "
        "model's rows; d is how wide that part is.",
        "Одна из нескольких частей внимания: каждая работает со своим отрезком строк модели, и d — "
        "ширина этого отрезка.",
    ),
    Term(
        "base",
        "основание частот",
        "base",
        "The number b in θ_j = b^(-2j/d).",
        "Число b в формуле θ_j = b^(-2j/d).",
    ),
    Term(
        "frequency of a pair",
        "частота пары",
        "frequencies",
        "θ_j = b^(-2j/d): the angle in radians by which pair j rotates per position.",
        "θ_j = b^(-2j/d): на сколько радиан пара j поворачивается за одну позицию.",
    ),
    Term(
        "period, full turn",
        "период, оборот",
        "frequencies",
        "2π/θ_j, the number of positions in which pair j goes once around, through 2π radians.",
        "2π/θ_j — за сколько позиций пара j проходит полный круг, 2π радиан.",
    ),
    Term(
        "fast pair, high frequency",
        "быстрая пара, высокая частота",
        "bands",
        "One with a short period: it separates neighbours, but repeats itself far away.",
        "Пара с коротким периодом: различает соседей, но вдали повторяется.",
    ),
    Term(
        "slow pair, low frequency",
        "медленная пара, низкая частота",
        "bands",
        "One with a long period: it hardly moves between neighbours, but stays unambiguous far "
        "away.",
        "Пара с длинным периодом: между соседями почти не движется, зато долго не повторяется.",
    ),
    Term(
        "band",
        "полоса частот",
        "bands",
        "Several consecutive pairs, whose frequencies are close.",
        "Несколько идущих подряд пар с близкими частотами.",
    ),
    Term(
        "adjacent layout",
        "соседние пары",
        "layouts",
        "Pair j holds coordinates 2j and 2j+1.",
        "Пара j составлена из координат 2j и 2j+1.",
    ),
    Term(
        "half-split layout",
        "половинная раскладка",
        "layouts",
        "Pair j holds coordinates j and j+d/2.",
        "Пара j составлена из координат j и j+d/2.",
    ),
    Term(
        "partial rotation",
        "частичный поворот",
        "extension",
        "Only some pairs are rotated; the others do not depend on position.",
        "Поворачивается лишь часть пар; остальные от позиции не зависят.",
    ),
    Term(
        "block-diagonal matrix",
        "блочно-диагональная матрица",
        "dense-vs-pairs",
        "Zero everywhere but in square blocks along its diagonal.",
        "Матрица, у которой вне квадратных блоков вдоль диагонали одни нули.",
    ),
    Term(
        "dense matrix",
        "плотная матрица",
        "dense-vs-pairs",
        "One that is kept and multiplied with all its entries, zeros included.",
        "Матрица, которую хранят и умножают целиком, вместе с нулями.",
    ),
    Term(
        "matrix of dot products",
        "матрица скалярных произведений",
        "dot-products",
        "The matrix whose entry in row m and column n is the score of query m with key n.",
        "Матрица, у которой в строке m и столбце n стоит оценка запроса m и ключа n.",
    ),
    Term(
        "position offset",
        "смещение позиции",
        "shapes",
        "The position of the first token in a block; the tokens after it follow one by one.",
        "Позиция первого токена блока; следующие считаются от неё.",
    ),
    Term(
        "shape, axis",
        "форма, ось",
        "shapes",
        "How many entries an array has in each of its directions; such a direction.",
        "Сколько элементов у массива по каждому из направлений; само такое направление.",
    ),
    Term(
        "refusal",
        "отказ",
        "refusals",
        "A call that ends at once, with the rule and the value at fault, instead of giving a "
        "wrong number.",
        "Вызов, который вместо неверного числа сразу выдаёт сообщение: какое правило нарушено и "
        "каким значением.",
    ),
    Term(
        "permutation equivariance",
        "эквивариантность относительно перестановки",
        "order",
        "When the input rows change places, the output rows change places in the same way and "
        "are otherwise as before.",
        "Если входные строки поменять местами, так же меняются местами и выходные, а сами "
        "остаются прежними.",
    ),
    Term(
        "causal mask, visibility",
        "каузальная маска, видимость",
        "visibility",
        "The rule that a token uses only itself and earlier tokens: all other weights are 0.",
        "Правило: токен использует только себя и более ранние токены, остальные веса равны 0.",
    ),
    Term(
        "added position vector",
        "прибавляемый вектор позиции",
        "additive",
        "A vector for each position, which is added to the row; the row is then not rotated.",
        "Вектор, свой для каждой позиции: его прибавляют к строке, вместо того чтобы её "
        "поворачивать.",
    ),
    Term(
        "sinusoid",
        "синусоида",
        "additive",
        "A vector of sines and cosines of the angles m·θ_j, added to the rows of the first "
        "Transformer.",
        "Прибавляемый вектор позиции в первом Transformer: синусы и косинусы углов m·θ_j.",
    ),
    Term(
        "complex conjugate",
        "комплексно сопряжённое число",
        "complex",
        "The number with the opposite imaginary part: (a+bi)* = a-bi.",
        "Число с противоположной мнимой частью: (a+bi)* = a-bi.",
    ),
    Term(
        "backward pass",
        "обратный проход",
        "adjoints",
        "The computation of a loss's derivatives, from the output to the input.",
        "Вычисление производных функции потерь — от выхода ко входу.",
    ),
    Term(
        "adjoint",
        "сопряжённая величина",
        "adjoints",
        "The derivative of the loss with respect to one number of the computation.",
        "Производная функции потерь по одному из чисел вычисления.",
    ),
    Term(
        "central difference",
        "центральная разность",
        "adjoints",
        "(f(x+h) - f(x-h)) / (2h), for a small h nearly the derivative of f.",
        "(f(x+h) - f(x-h)) / (2h) — приближённое значение производной f.",
    ),
    Term(
        "average, expectation",
        "среднее, математическое ожидание",
        "expectation",
        "The sum of the values of all cases, each multiplied by the probability of its case.",
        "Сумма значений во всех случаях, каждое умножено на вероятность своего случая.",
    ),
    Term(
        "variance",
        "дисперсия",
        "expectation",
        "The expectation of the squared deviation from the average.",
        "Математическое ожидание квадрата отклонения от среднего.",
    ),
    Term(
        "upper bound of a dot product",
        "верхняя граница скалярного произведения",
        "bound",
        "A number that its absolute value provably does not exceed.",
        "Число, которого его модуль не превышает, и это доказано.",
    ),
    Term(
        "decay with distance",
        "убывание с расстоянием",
        "same-content",
        "The score falls as the key moves away; for equal rows with pairs of about the same length "
        "this is true on average, for single keys it is not.",
        "Оценка падает, когда ключ отдаляется; для одинаковых строк с парами примерно одной длины "
        "это верно в среднем, для отдельных ключей — нет.",
    ),
    Term(
        "peak",
        "наибольшее значение",
        "peak",
        "The largest score of a key, at the distance for which the key was made.",
        "Самая большая оценка ключа — на том расстоянии, под которое он построен.",
    ),
    Term(
        "context",
        "контекст",
        "extension",
        "The tokens that a model reads at once; L is their number.",
        "Токены, которые модель читает за один раз; их число — L.",
    ),
    Term(
        "length extrapolation",
        "экстраполяция по длине",
        "extension",
        "The use of a model at positions beyond those it was trained on.",
        "Применение модели в позициях, которых при обучении не было.",
    ),
    Term(
        "position interpolation",
        "интерполяция позиций",
        "extension",
        "All positions are divided by s, so that s times as many fit into the trained range.",
        "Все позиции делятся на s, и в пределах, знакомых модели по обучению, их помещается в s "
        "раз больше.",
    ),
    Term(
        "NTK-aware scaling",
        "NTK-масштабирование",
        "extension",
        "The base is raised until the slowest pair is s times slower; the fastest one stays as "
        "it is.",
        "Основание увеличивают так, чтобы самая медленная пара стала в s раз медленнее; самая "
        "быстрая при этом не меняется.",
    ),
    Term(
        "YaRN",
        "метод YaRN",
        "extension",
        "Fast pairs are kept, slow ones divided by s, those in between blended; cosines and sines "
        "are multiplied by a factor.",
        "Частоты быстрых пар сохраняются, медленных — делятся на s, у промежуточных берётся смесь; "
        "косинусы и синусы умножаются на множитель.",
    ),
    Term(
        "decoder",
        "декодер",
        "whole-model",
        "A model that computes each next token from those before it.",
        "Модель, которая вычисляет каждый следующий токен по предыдущим.",
    ),
    Term(
        "logit",
        "логит",
        "whole-model",
        "The number that a model computes for a possible next token; the larger it is, the more "
        "probable the token.",
        "Число, которое модель вычисляет для возможного следующего токена: чем оно больше, тем "
        "вероятнее токен.",
    ),
    Term(
        "key/value cache",
        "кэш ключей и значений",
        "cache",
        "What a decoder has computed for earlier tokens and keeps, so that it need not compute it "
        "again.",
        "То, что декодер хранит от прежних токенов, чтобы не вычислять заново.",
    ),
    Term(
        "eviction",
        "вытеснение",
        "cache",
        "Old entries are dropped from the cache to make room.",
        "Удаление старых записей из кэша, чтобы освободить место.",
    ),
    Term(
        "precision",
        "точность, число разрядов",
        "precision",
        "How many binary digits a format keeps; the rest is rounded away.",
        "Сколько двоичных разрядов хранит формат; остальное округляется.",
    ),
    Term(
        "check, tolerance",
        "проверка, допуск",
        "bugs",
        "A comparison that the report makes while it computes; the largest difference that it "
        "allows or, after the sign ≥, the least that it demands.",
        "Сравнение, которое отчёт делает при вычислении; наибольшее различие, которое оно "
        "допускает, а после знака ≥ — наименьшее, которого оно требует.",
    ),
    Term(
        "bug",
        "ошибка",
        "bugs",
        "A mistake put into the rotation on purpose, to learn which comparisons reveal it.",
        "Неверное действие, намеренно внесённое в код поворота, чтобы узнать, какие проверки его "
        "выдадут.",
    ),
    Term(
        "claim of a source",
        "утверждение источника",
        "claims",
        "A sentence of the chapter or the note, in our words, with a verdict.",
        "Фраза главы или заметки, пересказанная нашими словами; рядом сказано, верна ли она.",
    ),
    Term(
        "misconception",
        "заблуждение",
        "exercises",
        "A belief that many hold and that is wrong.",
        "Распространённое мнение, которое неверно.",
    ),
)


def terms_csv() -> str:
    """Every term in both languages with its definitions and its section, as CSV."""
    header = ("term_en", "term_ru", "meaning_en", "meaning_ru", "section")
    rows = ((term.en, term.ru, term.meaning_en, term.meaning_ru, term.section) for term in TERMS)
    return as_csv((header, *rows))
