"""What the note claims."""

from __future__ import annotations

from rope_cli.document.vocabulary import t
from rope_cli.experiments.claims import attending, counting, numbers
from rope_cli.experiments.claims.claim import Claim, conditional, right, unjudged, wrong
from rope_cli.experiments.claims.numbers import HEAD_BASE, HEAD_WIDTH

CLAIMS: tuple[Claim, ...] = (
    right(
        "N1",
        "dot-products",
        lambda example: float(example.shifted_dot_products[0, 1]),
        t(
            "Rotations by absolute positions make the score relative: neighbours keep {number} "
            "after a shift.",
            "Повороты по абсолютным позициям делают оценку относительной: соседи и после сдвига "
            "дают {number}.",
        ),
    ),
    conditional(
        "N2",
        "visibility",
        attending.causal_weight,
        t(
            "The key step of attention is the dot product.",
            "Главное действие внимания — скалярное произведение.",
        ),
        t(
            "Then come the division by √d, the mask and softmax: of the three tokens, token 1 "
            "gives itself the weight {number}.",
            "За ним идут деление на √d, маска и softmax: из трёх токенов токен 1 даёт самому себе "
            "вес {number}.",
        ),
    ),
    conditional(
        "N3",
        "whole-model",
        attending.gap_by_mask,
        t(
            "Without positions the score depends on the meaning of the tokens alone.",
            "Без позиций оценка зависит только от смысла токенов.",
        ),
        t(
            "True in the first layer. Under a causal mask the outputs of two equal tokens differ "
            "by up to {number}, and the next layer computes its scores from these.",
            "Верно для первого слоя. Под каузальной маской выходы двух одинаковых токенов "
            "различаются на величину до {number}, а по ним вычисляет оценки следующий слой.",
        ),
    ),
    right(
        "N4",
        "complex",
        numbers.complex_score(8, 5),
        t(
            "The score is a function g(q, k, m-n): at (8,5) it is {number}, as at (5,2).",
            "Оценка — функция g(q, k, m-n): в (8,5) она равна {number}, как и в (5,2).",
        ),
    ),
    conditional(
        "N5",
        "complex",
        lambda example: (numbers.Q * numbers.K).real,
        t("q·k = Re(q k*).", "q·k = Re(q k*)."),
        t(
            "True for one pair, and one factor must be conjugated: without the star the result "
            "for q = 1+2i and k = 3-i is {number} instead of 1.",
            "Верно для одной пары, и один множитель должен быть сопряжён: у q = 1+2i и k = 3-i без "
            "звёздочки вместо 1 получится {number}.",
        ),
    ),
    right(
        "N6",
        "complex",
        numbers.complex_real_part(numbers.Q, 5),
        t(
            "f(q, m) = q e^(imθ): for m = 5 its real part is {number}.",
            "f(q, m) = q e^(imθ): при m = 5 вещественная часть равна {number}.",
        ),
    ),
    right(
        "N7",
        "complex",
        numbers.complex_score(5, 2),
        t("The score is Re(q k* e^(i(m-n)θ)).", "Оценка равна Re(q k* e^(i(m-n)θ))."),
        t(
            "The chapter writes n-m instead, and both are right: conjugating k changes the sign "
            "of its angle. Either form gives {number}.",
            "В главе вместо этого n-m, и верно то и другое: сопряжение меняет знак угла у k. Обе "
            "записи дают {number}.",
        ),
    ),
    conditional(
        "N8",
        "clocks",
        numbers.score((1.0, 0.0), (1.0, 0.0), 711, 0),
        t("The score contains m-n alone.", "Оценка содержит только m-n."),
        t(
            "It contains no other trace of the positions, but it depends on content too. And one "
            "pair can lose the difference: cos 711 = {number} is nearly cos 1.",
            "Из позиций — да, но важно и содержимое. И одна пара может потерять разность: "
            "cos 711 = {number}, почти как cos 1.",
        ),
    ),
    right(
        "N9",
        "complex",
        numbers.complex_imaginary_part(numbers.Q, 5),
        t(
            "Multiplying by e^(imθ) is the 2×2 rotation: both give q the second coordinate "
            "{number} at m = 5.",
            "Умножение на e^(imθ) — поворот 2×2: у q при m = 5 вторая координата в обоих случаях "
            "{number}.",
        ),
    ),
    conditional(
        "N10",
        "bands",
        lambda example: example.embedding_for(HEAD_WIDTH, 1, HEAD_BASE).pairs,
        t(
            "d is far larger than 2, and there are d/2 planes.",
            "d намного больше 2, а плоскостей d/2.",
        ),
        t(
            "True if d is the width of one head; for d = 128 the number of planes is {number}. "
            "Some models rotate only a part of the head.",
            "Верно, если d — ширина одной головы; при d = 128 плоскостей {number}. Некоторые "
            "модели поворачивают лишь часть головы.",
        ),
    ),
    wrong(
        "N11",
        "expectation",
        numbers.greatest_score(31),
        t(
            "Falling frequencies are a penalty on distance.",
            "Убывание частот — это штраф за расстояние.",
        ),
        t(
            "Speeds fall from pair to pair, but that puts no penalty on distance: of all rows of "
            "1 and -1 the largest score at D = 31 is {number}, above {rival} at D = 1.",
            "От пары к паре падает скорость, а за расстояние никто не штрафует: среди всех строк "
            "из 1 и -1 наибольшая оценка при D = 31 равна {number}, больше, чем {rival} при D = 1.",
        ),
        numbers.greatest_score(1),
    ),
    conditional(
        "N12",
        "base",
        numbers.period(63, 128, 500000.0),
        t("The base is usually 10000.", "Основание обычно равно 10000."),
        t(
            "It is in LLaMA 1 and 2. In Llama 3 it is 500000, and the slowest pair has a period "
            "of {number} positions.",
            "Так в LLaMA 1 и 2. В Llama 3 оно равно 500000, и период самой медленной пары — "
            "{number} позиции.",
        ),
    ),
    wrong(
        "N13",
        "bands",
        numbers.turns(0),
        t(
            "Early dimensions are the low-frequency part.",
            "Ранние размерности — низкочастотная часть.",
        ),
        t(
            "They are the high-frequency part: in 4096 positions pair 0 makes {number} full "
            "turns, pair 63 only {rival}.",
            "Это высокочастотная часть: за 4096 позиций пара 0 делает {number} оборота, а пара 63 "
            "— только {rival}.",
        ),
        numbers.turns(63),
    ),
    wrong(
        "N14",
        "base",
        numbers.period(63, 128, 10000.0),
        t(
            "Late dimensions are the high-frequency part.",
            "Поздние размерности — высокочастотная часть.",
        ),
        t(
            "They are the low-frequency part: the period of pair 63 is {number} positions, that "
            "of pair 0 only {rival}.",
            "Это низкочастотная часть: период пары 63 — {number} позиции, а пары 0 — всего "
            "{rival}.",
        ),
        numbers.period(0, 128, 10000.0),
    ),
    conditional(
        "N15",
        "bands",
        numbers.unfinished_pairs,
        t(
            "Slow pairs capture long-range dependencies.",
            "Медленные пары улавливают дальние зависимости.",
        ),
        t(
            "Only their cosines stay monotone over long distances, but a model must learn to use "
            "that. Of 64 pairs, {number} make less than one full turn within 4096 positions.",
            "Лишь у них косинус падает и на больших расстояниях, но пользоваться этим модель "
            "должна научиться. Из 64 пар {number} не делают полного оборота за 4096 позиций.",
        ),
    ),
    wrong(
        "N16",
        "expectation",
        numbers.mean_of_equal_rows(5),
        t(
            "The expected dot product falls as m-n grows.",
            "Математическое ожидание скалярного произведения убывает с ростом m-n.",
        ),
        t(
            "For independent q and k of mean 0 it is 0 at every distance. For equal ones it can "
            "rise: from {rival} at D = 2 to {number} at D = 5.",
            "Для независимых q и k со средним 0 оно на любом расстоянии равно 0. Для равных оно "
            "может и расти: от {rival} при D = 2 до {number} при D = 5.",
        ),
        numbers.mean_of_equal_rows(2),
    ),
    conditional(
        "N17",
        "peak",
        numbers.score_of_preferred(16),
        t(
            "Distant tokens therefore have smaller weights.",
            "Поэтому веса далёких токенов меньше.",
        ),
        t(
            "True on average for equal rows whose pairs have about the same length. But a key can "
            "be made for any distance: the one made for D = 16 scores {number} there, more than "
            "anywhere else.",
            "В среднем верно для одинаковых строк с парами примерно одной длины. Но ключ можно "
            "построить под любое расстояние: у построенного под D = 16 оценка там наибольшая, "
            "{number}.",
        ),
    ),
    right(
        "N18",
        "dense-vs-pairs",
        counting.multiplication_ratio,
        t(
            "Nobody multiplies by the dense matrix: a swap with a sign, [-q1, q0], is enough.",
            "На плотную матрицу никто не умножает: достаточно перестановки со знаком, [-q1, q0].",
        ),
        t(
            "For one vector of width 128 this takes fewer multiplications by a factor of "
            "{number}; [-q1, q0] is the adjacent layout, and there are others.",
            "Для одного вектора ширины 128 умножений меньше в {number} раза; [-q1, q0] — соседние "
            "пары, но бывают и другие.",
        ),
    ),
    conditional(
        "N19",
        "visibility",
        attending.output_move("queries-and-keys"),
        t(
            "RoPE unites absolute and relative positions.",
            "RoPE объединяет абсолютные и относительные позиции.",
        ),
        t(
            "Absolute positions go in, and the score depends on their difference. Outputs do not "
            "depend on where the numbering starts: after a shift by 3 they are the same (largest "
            "change {number}).",
            "На входе позиции абсолютные, а оценка зависит от их разности. От того, с какого "
            "номера начинается счёт, выходы не зависят: после сдвига на 3 они те же (наибольшее "
            "отличие {number}).",
        ),
    ),
    conditional(
        "N20",
        "extension",
        None,
        t(
            "Nearly all modern large models use RoPE.",
            "RoPE используют почти все современные большие модели.",
        ),
        t(
            "Such a statement needs a date, and there are exceptions: BLOOM and MPT add a bias "
            "that depends on distance, GPT-2, GPT-3 and OPT a learned vector.",
            "Насколько это верно, зависит от года, и есть исключения: BLOOM и MPT прибавляют к "
            "оценке поправку на расстояние, GPT-2, GPT-3 и OPT — к строке обучаемый вектор.",
        ),
    ),
    conditional(
        "N21",
        "extension",
        lambda example: HEAD_BASE * 4.0 ** (HEAD_WIDTH / (HEAD_WIDTH - 2)),
        t(
            "With NTK-aware scaling or YaRN a model can be trained on short texts and used on "
            "long ones.",
            "С NTK-масштабированием или YaRN модель можно обучить на коротких текстах и применять "
            "к длинным.",
        ),
        t(
            "RoPE by itself guarantees nothing at longer lengths, so its frequencies are changed: "
            "NTK-aware scaling by 4 raises the base from 10000 to {number}.",
            "Само RoPE ничего не гарантирует на большей длине, поэтому меняют его частоты: "
            "NTK-масштабирование с множителем 4 увеличивает основание с 10000 до {number}.",
        ),
    ),
    unjudged(
        "N22",
        "rotations",
        numbers.rotated_coordinate((1.0, 0.0), 1, 0),
        t("This is the formula of the illustration.", "Это формула с иллюстрации."),
        t(
            "The text has no illustration. The formula is probably that of R(φ), whose first "
            "entry at φ = 1 is {number}.",
            "Иллюстрации в тексте нет. Видимо, это формула R(φ), у которой первый элемент при "
            "φ = 1 равен {number}.",
        ),
    ),
)
