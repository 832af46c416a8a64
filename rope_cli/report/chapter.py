"""The chapter track: its sections in teaching order, each with its title and its question."""

from rope_cli.text import Heading, Text

CHAPTER: dict[str, Heading] = {
    "one-pair": Heading(
        Text(en="One pair by hand", ru="Одна пара вручную"),
        Text(
            en="q = [1, 0] stands at position m, k = [0, 1] at position n, and the pair turns by 1 "
            "radian per position. What is their dot product after the rotation at (m,n) = "
            "(0,0), (1,0), (3,2) and (0,1)?",
            ru="q = [1, 0] стоит в позиции m, k = [0, 1] — в позиции n, пара поворачивается на 1 "
            "радиан за позицию. Чему равно их скалярное произведение после поворота при (m,n) = "
            "(0,0), (1,0), (3,2) и (0,1)?",
        ),
    ),
    "frequencies": Heading(
        Text(en="How fast each pair turns", ru="Скорости поворота пар"),
        Text(
            en="Which pair turns faster, and how many positions does a full turn of each take?",
            ru="Какая пара поворачивается быстрее и сколько позиций занимает полный оборот каждой?",
        ),
    ),
    "rotations": Heading(
        Text(en="Turning rows", ru="Поворот строк"),
        Text(
            en="The row [1, 0, 1, 0] stands at positions 0, 1 and 2. What becomes of it at each of "
            "them, and at which one does nothing happen?",
            ru="Строка [1, 0, 1, 0] стоит в позициях 0, 1 и 2. Во что она перейдёт в каждой из них "
            "и в какой не изменится вовсе?",
        ),
    ),
    "dot-products": Heading(
        Text(
            en="From absolute turns to signed differences",
            ru="От абсолютных поворотов к разности позиций",
        ),
        Text(
            en="The same row stands at every position, as query and as key. Which of the nine dot "
            "products are equal, and which change when all positions move by 3?",
            ru="Во всех позициях стоит одна и та же строка — и запрос, и ключ. Какие из девяти "
            "скалярных произведений равны и какие изменятся, если все позиции сдвинуть на 3?",
        ),
    ),
    "direction": Heading(
        Text(en="The sign matters", ru="Знак разности важен"),
        Text(
            en="Let every query be [1, 0, 1, 0] and every key [0, 1, 0, 1]. Is the matrix of dot "
            "products still symmetric?",
            ru="Пусть каждый запрос равен [1, 0, 1, 0], а каждый ключ — [0, 1, 0, 1]. Останется ли "
            "матрица скалярных произведений симметричной?",
        ),
    ),
    "norms": Heading(
        Text(en="Length is kept", ru="Норма сохраняется"),
        Text(
            en="Does a row grow longer, shorter, or neither when it is rotated?",
            ru="Станет ли строка после поворота длиннее, короче или не изменит длины?",
        ),
    ),
    "shapes": Heading(
        Text(en="Shapes are kept", ru="Формы сохраняются"),
        Text(
            en="The last position of the table is 5. May a block without tokens start at position "
            "6?",
            ru="Последняя позиция таблицы — 5. Может ли блок без токенов начинаться с позиции 6?",
        ),
    ),
    "refusals": Heading(
        Text(en="What must be refused", ru="Что отклоняется"),
        Text(
            en="Width 3, base 0, an offset of -1, a table of 2^60 positions: which of these could "
            "quietly give a wrong number if nobody looked?",
            ru="Ширина 3, основание 0, смещение -1, таблица на 2^60 позиций: что из этого могло бы "
            "незаметно дать неверное число?",
        ),
    ),
    "adjoints": Heading(
        Text(
            en="Backward by the transposed rotation",
            ru="Обратный проход транспонированным поворотом",
        ),
        Text(
            en="The loss is a weighted sum of the rotated rows. Which rotation carries the output "
            "adjoints back to the inputs, and for which row can a wrong direction not be seen?",
            ru="Функция потерь — взвешенная сумма повёрнутых строк. Какой поворот переносит "
            "выходные сопряжённые величины ко входам и для какой строки неверное направление "
            "незаметно?",
        ),
    ),
    "additive": Heading(
        Text(en="Adding and turning", ru="Сложение и поворот"),
        Text(
            en="A position vector is added to the row before the dot product instead of turning "
            "it. Does an equal shift still keep the score?",
            ru="Вместо поворота к строке до скалярного произведения прибавляют вектор позиции. "
            "Сохранит ли одинаковый сдвиг оценку?",
        ),
    ),
    "order": Heading(
        Text(en="Attention without order", ru="Внимание без порядка"),
        Text(
            en="Three tokens change places. Without position information, do the outputs of "
            "attention change, move along, or stay where they were?",
            ru="Три токена поменялись местами. Если сведений о позиции нет, выходы внимания "
            "изменятся, переставятся вместе с токенами или останутся на своих местах?",
        ),
    ),
    "visibility": Heading(
        Text(en="Visibility is separate", ru="Маска отдельно, поворот отдельно"),
        Text(
            en="Can the rotation hide a future key? And if V were rotated too, would an equal "
            "shift still leave the output alone?",
            ru="Может ли поворот скрыть будущий ключ? И если повернуть ещё и V, останется ли выход "
            "прежним при одинаковом сдвиге?",
        ),
    ),
    "heads": Heading(
        Text(en="The same rotation in every head", ru="Один поворот во всех головах"),
        Text(
            en="A model of width 8 has two heads of width 4. Does its second head begin with a "
            "fast pair or with a slow one?",
            ru="В модели ширины 8 две головы ширины 4. С какой пары начинается вторая голова — с "
            "быстрой или с медленной?",
        ),
    ),
    "exercises": Heading(
        Text(en="Nine questions and a misconception", ru="Девять вопросов и одно заблуждение"),
        Text(
            en="Answer each of the nine before you read its line.",
            ru="Ответьте на каждый из девяти вопросов, прежде чем читать строку с ответом.",
        ),
    ),
}
