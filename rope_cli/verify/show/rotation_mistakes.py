"""Mistakes in pairs, directions, positions and rows, in words."""

from __future__ import annotations

from rope_cli.document.vocabulary import t
from rope_cli.verify.show.names import Named

SAME_LAYOUT = t(
    "pair the coordinates as the weights were trained, or permute the weights",
    "объединяйте координаты в пары так же, как при обучении, или переставьте веса",
)
OF_TURNING: dict[str, Named] = {
    "no-rotation": Named(
        t("nothing is rotated", "поворота нет"),
        t(
            "call the rotation on these rows and keep its result",
            "примените поворот к этим строкам и сохраните результат",
        ),
    ),
    "key-not-rotated": Named(
        t("only the query is rotated", "повёрнут только запрос"),
        t("rotate queries and keys", "поворачивайте и запросы, и ключи"),
    ),
    "query-not-rotated": Named(
        t("only the key is rotated", "повёрнут только ключ"),
        t("rotate queries and keys", "поворачивайте и запросы, и ключи"),
    ),
    "in-place": Named(
        t(
            "the right coordinate is computed from the left one that is already turned",
            "правая координата вычислена по уже повёрнутой левой",
        ),
        t(
            "compute both coordinates of a pair from the old values, then write them",
            "вычисляйте обе координаты пары по старым значениям и только потом записывайте",
        ),
    ),
    "no-sine": Named(
        t("the terms with the sine are missing", "нет слагаемых с синусом"),
        t(
            "add the exchanged halves times the sine (rotate_half)",
            "прибавьте переставленные половины, умноженные на синус (rotate_half)",
        ),
    ),
    "negated": Named(
        t("every result has the other sign", "у каждого результата другой знак"),
        t(
            "look for a minus that is applied to both coordinates of a pair",
            "поищите минус, применённый к обеим координатам пары",
        ),
    ),
    "other-layout": Named(
        t("the pairs are {layout}", "раскладка другая: {layout}"),
        SAME_LAYOUT,
    ),
    "order-out": Named(
        t(
            "pairs are read as {layout_in} and written as {layout_out}",
            "пары читаются в одной раскладке ({layout_in}), а записываются в другой ({layout_out})",
        ),
        t(
            "write each result to the places that its pair was read from; scores are right if "
            "queries and keys are both written this way",
            "записывайте результат туда, откуда взята пара; если запросы и ключи записаны "
            "одинаково, оценки верны",
        ),
    ),
    "permuted": Named(
        t(
            "the coordinates are permuted before the rotation: {order}, as when weights are "
            "put in the order of the other layout twice",
            "перед поворотом координаты переставлены: {order}; так бывает, когда веса дважды "
            "переведены в порядок другой раскладки",
        ),
        t("permute the rows of the weights once", "переставляйте строки весов один раз"),
    ),
    "mixed-layout": Named(
        t(
            "the row of angles is repeated as in {angles}, but the pairs are {rotation}",
            "углы повторены для одной раскладки ({angles}), а пары образованы по другой "
            "({rotation})",
        ),
        t(
            "repeat the angles as the pairs lie: t0 t0 t1 t1 for adjacent, t0 t1 t0 t1 for "
            "half-split",
            "повторяйте углы так, как лежат пары: t0 t0 t1 t1 для соседних, t0 t1 t0 t1 для "
            "половинной раскладки",
        ),
    ),
    "direction": Named(
        t(
            "the pairs turn the other way: the rotation and its transpose are exchanged",
            "пары поворачиваются в другую сторону: поворот и транспонированный поворот перепутаны",
        ),
        t(
            "forward it is left cos - right sin and left sin + right cos; the backward pass "
            "takes the transpose (option --backward)",
            "прямой проход: left cos - right sin и left sin + right cos; обратный проход берёт "
            "транспонированный поворот (параметр --backward)",
        ),
    ),
    "offset": Named(
        t("every position is off by {offset}", "все позиции смещены на {offset}"),
        t(
            "check where positions start: cached tokens, padding, counting from 1",
            "проверьте, откуда отсчитываются позиции: токены в кэше, дополнение (padding), счёт "
            "с 1",
        ),
    ),
    "reversed-positions": Named(
        t("the positions are in reverse order", "позиции идут в обратном порядке"),
        t("give the positions in the order of the tokens", "задавайте позиции в порядке токенов"),
    ),
    "slot-positions": Named(
        t(
            "a token's place in the array is taken for its position",
            "вместо позиции взят номер токена в массиве",
        ),
        t(
            "pass the positions (position ids) on to the rotation",
            "передавайте в поворот сами позиции (position ids)",
        ),
    ),
    "clamped-positions": Named(
        t(
            "every position beyond {last} is taken for {last}",
            "каждая позиция после {last} заменена на {last}",
        ),
        t(
            "the table of cosines ends there: make it longer, and refuse what is beyond it",
            "там кончается таблица косинусов: увеличьте её и отклоняйте то, что дальше",
        ),
    ),
    "wrapped-positions": Named(
        t(
            "positions begin again from 0 after every {size}",
            "через каждые {size} позиции снова отсчитываются от 0",
        ),
        t(
            "count positions over the whole text, not within a block of it",
            "считайте позиции по всему тексту, а не внутри его части",
        ),
    ),
    "other-positions": Named(
        t(
            "the tokens stand at other positions: {found} instead of {positions}",
            "токены стоят на других позициях: {found} вместо {positions}",
        ),
        t(
            "compare the positions that your code uses with these",
            "сравните с ними позиции, которые использует ваш код",
        ),
    ),
    "axes-exchanged": Named(
        t(
            "the heads are rotated as if they were tokens",
            "головы поворачиваются так, будто это токены",
        ),
        t(
            "exchange the axes of tokens and heads before the rotation, or rotate along the "
            "other axis",
            "переставьте оси токенов и голов перед поворотом или поворачивайте вдоль другой оси",
        ),
    ),
    "rotated-twice": Named(
        t("the rows are rotated twice", "строки повёрнуты дважды"),
        t(
            "rotate once: before the cache or after it, not both",
            "поворачивайте один раз: до кэша или после него, но не оба раза",
        ),
    ),
    "sine-cosine-exchanged": Named(
        t("cosine and sine are exchanged", "косинус и синус переставлены"),
        t(
            "check the order in which the tables are passed",
            "проверьте порядок, в котором передаются таблицы",
        ),
    ),
    "degrees": Named(
        t(
            "the angle unit is wrong: angles are taken as {taken_as}",
            "неверная единица угла: углы приняты за {taken_as}",
        ),
        t(
            "pass radians to cos and sin, without converting",
            "передавайте в cos и sin радианы, без пересчёта",
        ),
    ),
    "lost-minus": Named(
        t("the minus of left cos - right sin is {minus}", "минус в left cos - right sin {minus}"),
        t(
            "left' = left cos - right sin, right' = left sin + right cos",
            "left' = left cos - right sin, right' = left sin + right cos",
        ),
    ),
    "low-precision": Named(
        t(
            "{rounded} are kept in {dtype}; seen from position {from_position} on",
            "{rounded} хранятся в {dtype}; видно начиная с позиции {from_position}",
        ),
        t(
            "compute angles, cosines and sines in float32 and round only the result",
            "вычисляйте углы, косинусы и синусы в float32 и округляйте только результат",
        ),
    ),
    "some-rows": Named(
        t(
            "only the entries {rows} of axis {axis} are wrong",
            "неверны только элементы {rows} оси {axis}",
        ),
        t(
            "look at what is different about these rows or heads",
            "посмотрите, чем отличаются эти строки пакета или головы",
        ),
    ),
}
