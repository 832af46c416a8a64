"""Mistakes in pairs, directions, positions and rows, in words."""

from __future__ import annotations

from rope_cli.text import Text
from rope_cli.verify.show.names import Named

SAME_LAYOUT = Text(
    en="pair the coordinates as the weights were trained, or permute the weights",
    ru="объединяйте координаты в пары так же, как при обучении, или переставьте веса",
)
OF_TURNING: dict[str, Named] = {
    "no-rotation": Named(
        Text(en="nothing is rotated", ru="поворота нет"),
        Text(
            en="call the rotation on these rows and keep its result",
            ru="примените поворот к этим строкам и сохраните результат",
        ),
    ),
    "key-not-rotated": Named(
        Text(en="only the query is rotated", ru="повёрнут только запрос"),
        Text(en="rotate queries and keys", ru="поворачивайте и запросы, и ключи"),
    ),
    "query-not-rotated": Named(
        Text(en="only the key is rotated", ru="повёрнут только ключ"),
        Text(en="rotate queries and keys", ru="поворачивайте и запросы, и ключи"),
    ),
    "in-place": Named(
        Text(
            en="the right coordinate is computed from the left one that is already turned",
            ru="правая координата вычислена по уже повёрнутой левой",
        ),
        Text(
            en="compute both coordinates of a pair from the old values, then write them",
            ru="вычисляйте обе координаты пары по старым значениям и только потом записывайте",
        ),
    ),
    "no-sine": Named(
        Text(
            en="the terms with the sine are missing",
            ru="нет слагаемых с синусом",
        ),
        Text(
            en="add the exchanged halves times the sine (rotate_half)",
            ru="прибавьте переставленные половины, умноженные на синус (rotate_half)",
        ),
    ),
    "negated": Named(
        Text(en="every result has the other sign", ru="у каждого результата другой знак"),
        Text(
            en="look for a minus that is applied to both coordinates of a pair",
            ru="поищите минус, применённый к обеим координатам пары",
        ),
    ),
    "other-layout": Named(
        Text(en="the pairs are {layout}", ru="раскладка другая: {layout}"),
        SAME_LAYOUT,
    ),
    "order-out": Named(
        Text(
            en="pairs are read as {layout_in} and written as {layout_out}",
            ru="пары читаются в одной раскладке ({layout_in}), а записываются в другой "
            "({layout_out})",
        ),
        Text(
            en="write each result to the places that its pair was read from; scores are right if "
            "queries and keys are both written this way",
            ru="записывайте результат туда, откуда взята пара; если запросы и ключи записаны "
            "одинаково, оценки верны",
        ),
    ),
    "permuted": Named(
        Text(
            en="the coordinates are permuted before the rotation: {order}, as when weights are "
            "put in the order of the other layout twice",
            ru="перед поворотом координаты переставлены: {order}; так бывает, когда веса дважды "
            "переведены в порядок другой раскладки",
        ),
        Text(
            en="permute the rows of the weights once",
            ru="переставляйте строки весов один раз",
        ),
    ),
    "mixed-layout": Named(
        Text(
            en="the row of angles is repeated as in {angles}, but the pairs are {rotation}",
            ru="углы повторены для одной раскладки ({angles}), а пары образованы по другой "
            "({rotation})",
        ),
        Text(
            en="repeat the angles as the pairs lie: t0 t0 t1 t1 for adjacent, t0 t1 t0 t1 for "
            "half-split",
            ru="повторяйте углы так, как лежат пары: t0 t0 t1 t1 для соседних, t0 t1 t0 t1 для "
            "половинной раскладки",
        ),
    ),
    "direction": Named(
        Text(
            en="the pairs turn the other way: the rotation and its transpose are exchanged",
            ru="пары поворачиваются в другую сторону: поворот и транспонированный поворот "
            "перепутаны",
        ),
        Text(
            en="forward it is left cos - right sin and left sin + right cos; the backward pass "
            "takes the transpose (option --backward)",
            ru="прямой проход: left cos - right sin и left sin + right cos; обратный проход берёт "
            "транспонированный поворот (параметр --backward)",
        ),
    ),
    "offset": Named(
        Text(
            en="every position is off by {offset}",
            ru="все позиции смещены на {offset}",
        ),
        Text(
            en="check where positions start: cached tokens, padding, counting from 1",
            ru="проверьте, откуда отсчитываются позиции: токены в кэше, дополнение (padding), счёт "
            "с 1",
        ),
    ),
    "reversed-positions": Named(
        Text(en="the positions are in reverse order", ru="позиции идут в обратном порядке"),
        Text(
            en="give the positions in the order of the tokens",
            ru="задавайте позиции в порядке токенов",
        ),
    ),
    "slot-positions": Named(
        Text(
            en="a token's place in the array is taken for its position",
            ru="вместо позиции взят номер токена в массиве",
        ),
        Text(
            en="pass the positions (position ids) on to the rotation",
            ru="передавайте в поворот сами позиции (position ids)",
        ),
    ),
    "clamped-positions": Named(
        Text(
            en="every position beyond {last} is taken for {last}",
            ru="каждая позиция после {last} заменена на {last}",
        ),
        Text(
            en="the table of cosines ends there: make it longer, and refuse what is beyond it",
            ru="там кончается таблица косинусов: увеличьте её и отклоняйте то, что дальше",
        ),
    ),
    "wrapped-positions": Named(
        Text(
            en="positions begin again from 0 after every {size}",
            ru="через каждые {size} позиции снова отсчитываются от 0",
        ),
        Text(
            en="count positions over the whole text, not within a block of it",
            ru="считайте позиции по всему тексту, а не внутри его части",
        ),
    ),
    "other-positions": Named(
        Text(
            en="the tokens stand at other positions: {found} instead of {positions}",
            ru="токены стоят на других позициях: {found} вместо {positions}",
        ),
        Text(
            en="compare the positions that your code uses with these",
            ru="сравните с ними позиции, которые использует ваш код",
        ),
    ),
    "axes-exchanged": Named(
        Text(
            en="the heads are rotated as if they were tokens",
            ru="головы поворачиваются так, будто это токены",
        ),
        Text(
            en="exchange the axes of tokens and heads before the rotation, or rotate along the "
            "other axis",
            ru="переставьте оси токенов и голов перед поворотом или поворачивайте вдоль другой оси",
        ),
    ),
    "rotated-twice": Named(
        Text(en="the rows are rotated twice", ru="строки повёрнуты дважды"),
        Text(
            en="rotate once: before the cache or after it, not both",
            ru="поворачивайте один раз: до кэша или после него, но не оба раза",
        ),
    ),
    "sine-cosine-exchanged": Named(
        Text(en="cosine and sine are exchanged", ru="косинус и синус переставлены"),
        Text(
            en="check the order in which the tables are passed",
            ru="проверьте порядок, в котором передаются таблицы",
        ),
    ),
    "degrees": Named(
        Text(
            en="the angle unit is wrong: angles are taken as {taken_as}",
            ru="неверная единица угла: углы приняты за {taken_as}",
        ),
        Text(
            en="pass radians to cos and sin, without converting",
            ru="передавайте в cos и sin радианы, без пересчёта",
        ),
    ),
    "lost-minus": Named(
        Text(
            en="the minus of left cos - right sin is {minus}",
            ru="минус в left cos - right sin {minus}",
        ),
        Text(
            en="left' = left cos - right sin, right' = left sin + right cos",
            ru="left' = left cos - right sin, right' = left sin + right cos",
        ),
    ),
    "low-precision": Named(
        Text(
            en="{rounded} are kept in {dtype}; seen from position {from_position} on",
            ru="{rounded} хранятся в {dtype}; видно начиная с позиции {from_position}",
        ),
        Text(
            en="compute angles, cosines and sines in float32 and round only the result",
            ru="вычисляйте углы, косинусы и синусы в float32 и округляйте только результат",
        ),
    ),
    "some-rows": Named(
        Text(
            en="only the entries {rows} of axis {axis} are wrong",
            ru="неверны только элементы {rows} оси {axis}",
        ),
        Text(
            en="look at what is different about these rows or heads",
            ru="посмотрите, чем отличаются эти строки пакета или головы",
        ),
    ),
}
