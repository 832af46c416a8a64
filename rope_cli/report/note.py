"""The note track: its sections in teaching order, each with its title and its question."""

from rope_cli.text import Heading, Text

NOTE: dict[str, Heading] = {
    "complex": Heading(
        Text(en="The complex-number view", ru="Комплексная запись"),
        Text(
            en="Read a pair of coordinates as one complex number: q = 1+2i, k = 3-i. Which of the "
            "two is their dot product, Re(qk) or Re(qk*)? The star means the complex conjugate.",
            ru="Прочтём пару координат как одно комплексное число: q = 1+2i, k = 3-i. Какое из "
            "двух чисел равно их скалярному произведению, Re(qk) или Re(qk*)? Звёздочка — знак "
            "комплексного сопряжения.",
        ),
    ),
    "dense-vs-pairs": Heading(
        Text(en="One large matrix or small pairs", ru="Одна большая матрица или маленькие пары"),
        Text(
            en="A vector of width d = 128 is rotated. How many multiplications does that take with "
            "the full matrix R, and how many pair by pair?",
            ru="Поворачивается вектор ширины d = 128. Сколько умножений уйдёт на это с полной "
            "матрицей R и сколько — при счёте по парам?",
        ),
    ),
    "layouts": Heading(
        Text(en="Two layouts, one score", ru="Две раскладки, одна оценка"),
        Text(
            en="The paper pairs coordinate 2j with 2j+1, much code pairs j with j+d/2. Is one of "
            "them a mistake, and do both give the same score for the same rows?",
            ru="В статье координата 2j образует пару с 2j+1, во многих программах j — с j+d/2. "
            "Есть ли тут ошибка и дадут ли обе раскладки одну оценку для одних и тех же строк?",
        ),
    ),
    "clocks": Heading(
        Text(en="Pairs as clock hands", ru="Пары как стрелки часов"),
        Text(
            en="The hand of the fast pair moves by 1 radian per position. After how many positions "
            "does it stand exactly where it began?",
            ru="Стрелка быстрой пары сдвигается на 1 радиан за позицию. Через сколько позиций она "
            "окажется ровно там, где начала?",
        ),
    ),
    "content": Heading(
        Text(en="Content still counts", ru="Содержимое важно"),
        Text(
            en="n-m is the same. Is the score the same too, whatever stands in the rows?",
            ru="Разность n-m одна и та же. Будет ли и оценка одной и той же, что бы ни стояло в "
            "строках?",
        ),
    ),
    "shift-one": Heading(
        Text(en="Shift only one", ru="Сдвиг одной позиции"),
        Text(
            en="The key stays where it is, the query moves. Must the score change?",
            ru="Ключ остаётся на месте, запрос сдвигается. Обязана ли оценка измениться?",
        ),
    ),
    "common-shift": Heading(
        Text(en="Shift both positions", ru="Одинаковый сдвиг обеих позиций"),
        Text(
            en="Add 3 to every position: what changes, the rotated rows, their scores, or both? "
            "And what if you add a million, or a million million?",
            ru="Прибавьте 3 ко всем позициям: что изменится — повёрнутые строки, их оценки или то "
            "и другое? А если прибавить миллион или триллион?",
        ),
    ),
    "same-content": Heading(
        Text(en="Equal contents and distance", ru="Одинаковое содержимое и расстояние"),
        Text(
            en="Query and key are the same row, and the key stands D positions before the query. "
            "Does the score fall with every step? With the chapter's row, is a key at D = 6 "
            "weaker than the direct neighbour at D = 1?",
            ru="Запрос и ключ — одна и та же строка, ключ стоит на D позиций раньше запроса. "
            "Падает ли оценка с каждым шагом? Слабее ли для строки из главы ключ при D = 6, чем "
            "ближайший сосед при D = 1?",
        ),
    ),
    "bound": Heading(
        Text(en="The decay bound", ru="Верхняя граница и убывание"),
        Text(
            en="RoFormer proves an upper bound of the dot product, and the bound falls with "
            "distance. Does that mean that the dot product falls?",
            ru="В RoFormer доказана верхняя граница скалярного произведения, и с расстоянием она "
            "падает. Значит ли это, что падает и само скалярное произведение?",
        ),
    ),
    "expectation": Heading(
        Text(en="What is the average score?", ru="Чему в среднем равна оценка"),
        Text(
            en="Query and key are independent: each of their four coordinates is +1 or -1, all "
            "cases equally likely. Does the mean of their dot product fall as the distance D "
            "grows?",
            ru="Запрос и ключ независимы: каждая из четырёх координат равна +1 или -1, все случаи "
            "равновероятны. Падает ли среднее их скалярного произведения, когда растёт "
            "расстояние D?",
        ),
    ),
    "peak": Heading(
        Text(en="A key that prefers a distance", ru="Ключ, предпочитающий расстояние"),
        Text(
            en="Can content be chosen so that a key 256 positions away scores more than every "
            "nearer one?",
            ru="Можно ли подобрать содержимое так, чтобы ключ на расстоянии 256 получал больше, "
            "чем любой более близкий?",
        ),
    ),
    "bands": Heading(
        Text(en="Fast and slow pairs", ru="Быстрые и медленные пары"),
        Text(
            en="Are the first pairs the low or the high frequencies? And which pairs still tell D "
            "= 1000 from D = 2000?",
            ru="Первые пары — это низкие частоты или высокие? И какие пары ещё отличают D = 1000 "
            "от D = 2000?",
        ),
    ),
    "base": Heading(
        Text(en="Changing the base", ru="Основание частот"),
        Text(
            en="Base 500000 instead of 10000: what happens to pair 0, and what to the last pair? "
            "And which pair is the fast one when the base is below 1?",
            ru="Основание 500000 вместо 10000: что будет с парой 0 и что — с последней? А какая "
            "пара самая быстрая, если основание меньше 1?",
        ),
    ),
    "extension": Heading(
        Text(en="Longer contexts", ru="Расширение контекста"),
        Text(
            en="A model was trained on 4096 positions and is to read four times as many. Which "
            "pair keeps its speed when all positions are divided by 4, which with NTK-aware "
            "scaling, which with YaRN?",
            ru="Модель обучена на 4096 позициях, а читать должна вчетверо больше. Какая пара "
            "сохранит скорость, если разделить все позиции на 4, какая — при "
            "NTK-масштабировании, какая — в YaRN?",
        ),
    ),
    "whole-model": Heading(
        Text(en="Shift the whole decoder", ru="Сдвиг всего декодера"),
        Text(
            en="A decoder has read six tokens. Add 1000 to all their position numbers, or put two "
            "more words in front of them: which of the two changes its next token?",
            ru="Декодер прочитал шесть токенов. Прибавим 1000 ко всем номерам позиций — или "
            "поставим перед токенами ещё два слова. Что из этого изменит следующий токен?",
        ),
    ),
    "cache": Heading(
        Text(en="Keys in the cache", ru="Ключи в кэше"),
        Text(
            en="A decoder writes one token at a time and keeps its rotated keys. When the next "
            "token comes, must the kept keys be rotated again? Which token would notice a "
            "mistake first?",
            ru="Декодер пишет по одному токену и хранит уже повёрнутые ключи. Нужно ли "
            "поворачивать их снова, когда приходит следующий токен? И какой токен первым "
            "заметит ошибку?",
        ),
    ),
    "precision": Heading(
        Text(en="When digits run out", ru="Когда не хватает разрядов"),
        Text(
            en="A program keeps positions in bfloat16. Which position comes after 256? And how "
            "wrong can a cosine get when only the angles are kept in fewer bits?",
            ru="Программа хранит позиции в bfloat16. Какая позиция идёт после 256? И насколько "
            "неверным станет косинус, если в меньшем числе битов хранить одни лишь углы?",
        ),
    ),
    "bugs": Heading(
        Text(en="Which check catches which bug?", ru="Какая проверка ловит какую ошибку?"),
        Text(
            en="Norms are kept, position 0 changes nothing, an equal shift keeps the scores: all "
            "three hold. Is the rotation right?",
            ru="Нормы сохраняются, позиция 0 ничего не меняет, одинаковый сдвиг не меняет оценок — "
            "все три проверки пройдены. Верен ли поворот?",
        ),
    ),
    "claims": Heading(
        Text(en="Claims of the sources", ru="Проверка утверждений"),
        Text(
            en="Early dimensions turn fast: is that the low-frequency part? Does the expected dot "
            "product fall with distance? Say true, false, or true on a condition.",
            ru="Ранние размерности поворачиваются быстро: это низкочастотная часть? Убывает ли с "
            "расстоянием математическое ожидание скалярного произведения? Верно, неверно или "
            "верно при условии?",
        ),
    ),
    "glossary": Heading(
        Text(en="Words and letters", ru="Слова и обозначения"),
        Text(
            en="Which of these is a distance and which has a sign: n-m, m-n, D? And is θ a "
            "frequency or the inverse of one?",
            ru="Что из этого расстояние, а что имеет знак: n-m, m-n, D? И что такое θ — частота "
            "или величина, обратная ей?",
        ),
    ),
}
