"""The words of the help pages in both languages."""

from __future__ import annotations

from rope_cli.text import Text

USAGE = Text(en="Usage:", ru="Использование:")
COMMANDS_HEADING = Text(en="Commands:", ru="Команды:")
OPTIONS_HEADING = Text(en="Options:", ru="Параметры:")

# A word in capitals stands for what the user types.
METAVARS = {
    "OPTIONS": Text(en="OPTIONS", ru="ПАРАМЕТРЫ"),
    "COMMAND": Text(en="COMMAND", ru="КОМАНДА"),
    "SLUG": Text(en="SLUG", ru="РАЗДЕЛ"),
    "FILE": Text(en="FILE", ru="ФАЙЛ"),
    "DIR": Text(en="DIR", ru="КАТАЛОГ"),
}

SUMMARIES = {
    "rope-report": Text(
        en="Rotary position embeddings (RoPE), taught with numbers that are computed and checked "
        "at this moment. Without a command: show chapter.",
        ru="Ротационное позиционное кодирование (RoPE) на числах, которые вычислены и проверены "
        "прямо сейчас. Без команды: show chapter.",
    ),
    "show": Text(
        en="Print sections, named by slug or by group, in the order given.",
        ru="Напечатать разделы, названные по имени или группой, в заданном порядке.",
    ),
    "list": Text(
        en="List the sections: slug, title and the question each one asks.",
        ru="Перечислить разделы: имя, заголовок и вопрос, который задаёт раздел.",
    ),
    "check": Text(
        en="Compare every section with its golden file, byte for byte.",
        ru="Сравнить каждый раздел с его эталонным файлом, байт в байт.",
    ),
    "scaling": Text(
        en="Print how a real model turns its pairs and scales their frequencies, from its "
        "config.json (Hugging Face).",
        ru="Показать по config.json модели (Hugging Face), как она поворачивает пары и "
        "масштабирует их частоты.",
    ),
    "verify": Text(
        en="Say whether saved arrays are RoPE, which RoPE, and if not, what is wrong: FILE is a "
        ".npz or .json with input and output, or two files.",
        ru="Проверить сохранённые массивы: RoPE ли это, какой именно, а если нет, то где ошибка. "
        "ФАЙЛ — .npz или .json с массивами input и output, или два файла.",
    ),
    "vectors": Text(
        en="Write reference vectors for testing any implementation: inputs, tables, rotated "
        "outputs and adjoints, in both layouts.",
        ru="Записать эталонные векторы для проверки любой реализации: входы, таблицы, повёрнутые "
        "выходы и сопряжённые величины, в обеих раскладках.",
    ),
    "completion": Text(
        en="Print the script that completes commands, options and sections in a shell.",
        ru="Напечатать скрипт автодополнения команд, параметров и разделов для оболочки.",
    ),
}

DETAILS = {
    "rope-report": (
        Text(
            en="Exit codes: 0 every check holds; 1 a check or a comparison fails; 2 the input is "
            "refused, or a file cannot be read or written; 130 interrupted.",
            ru="Коды завершения: 0 — все проверки пройдены; 1 — не пройдена проверка или "
            "сравнение; 2 — ввод отклонён, либо файл нельзя прочитать или записать; "
            "130 — прервано.",
        ),
    ),
    "show": (
        Text(en="Groups: {groups}.", ru="Группы: {groups}."),
        Text(en="Sections: {slugs}.", ru="Разделы: {slugs}."),
    ),
    "check": (
        Text(
            en="Golden files are taken from --golden-dir, else from the golden directory of the "
            "checkout, else from the installed package. Exit code 1: a file differs, is missing, "
            "or belongs to no section.",
            ru="Эталонные файлы берутся из каталога --golden-dir, иначе из каталога golden рабочей "
            "копии, иначе из установленного пакета. Код завершения 1: файл отличается, отсутствует "
            "или не относится ни к одному разделу.",
        ),
    ),
    "scaling": (
        Text(
            en="Methods: default, linear, ntk, dynamic, yarn, llama3, longrope, proportional, and "
            "any share of the head; M-RoPE and axial rotation are refused. Two of them look at the "
            "length: dynamic and longrope.",
            ru="Методы: default, linear, ntk, dynamic, yarn, llama3, longrope, proportional, "
            "поворачиваться может и часть головы; M-RoPE и осевой поворот (axial) отклоняются. От "
            "длины текста зависят два метода: dynamic и longrope.",
        ),
    ),
    "verify": (
        Text(
            en="Other names that are known: query with rotated_query, key with rotated_key; "
            "positions, [tokens] or [batch, tokens]. Without --axes the tokens are sought on the "
            "last axis but one and on the one before it. Without --config and --base the base is "
            "10000; without --layout either layout agrees.",
            ru="Известны и другие имена: query и rotated_query, key и rotated_key; positions, "
            "[токены] или [пакет, токены]. Без --axes токены ищутся на предпоследней оси и на оси "
            "перед ней. Без --config и --base основание равно 10000; без --layout подходит любая "
            "раскладка.",
        ),
        Text(
            en="Exit codes: 0 the arrays agree, 1 they differ, 2 the input is refused.",
            ru="Коды завершения: 0 — массивы совпадают, 1 — не совпадают, 2 — ввод отклонён.",
        ),
    ),
    "vectors": (
        Text(
            en="A FILE named .npz gets arrays with all bits, any other name and standard output "
            "get JSON.",
            ru="В ФАЙЛ с именем .npz записываются массивы со всеми битами, в другой файл и в "
            "стандартный вывод — JSON.",
        ),
    ),
    "completion": (
        Text(
            en='bash, zsh: eval "$(rope-report completion bash)"; '
            "fish: rope-report completion fish | source.",
            ru='bash, zsh: eval "$(rope-report completion bash)"; '
            "fish: rope-report completion fish | source.",
        ),
    ),
}

OPTIONS = {
    "--lang": Text(
        en="language; by default the variable ROPE_REPORT_LANG, else en",
        ru="язык; по умолчанию переменная ROPE_REPORT_LANG, иначе en",
    ),
    "--format": Text(en="form of the report; text by default", ru="вид отчёта; по умолчанию text"),
    "--output": Text(
        en='write to FILE (UTF-8), whole or not at all; "-" is standard output',
        ru='записать в ФАЙЛ (UTF-8): целиком или без изменений; "-" — стандартный вывод',
    ),
    "--width": Text(
        en="columns, {least} to {most}, or auto for those of the terminal; 80 by default",
        ru="число столбцов от {least} до {most}; auto — как у терминала; по умолчанию 80",
    ),
    "--color": Text(
        en="colours; auto heeds the terminal, NO_COLOR and FORCE_COLOR",
        ru="цвета; auto учитывает терминал, NO_COLOR и FORCE_COLOR",
    ),
    "--ascii": Text(
        en="draw every sign except letters in ASCII",
        ru="все знаки, кроме букв, из набора ASCII",
    ),
    "--feature-width": Text(
        en="your feature width d instead of the chapter's 4",
        ru="ваша ширина признаков d вместо 4 из главы",
    ),
    "--base": Text(
        en="your frequency base instead of the chapter's 100",
        ru="ваше основание частот вместо 100 из главы",
    ),
    "--positions": Text(
        en="your positions, as 0:3 or 0,1,7", ru="ваши позиции, например 0:3 или 0,1,7"
    ),
    "--shift": Text(en="your equal shift of all positions", ru="ваш одинаковый сдвиг всех позиций"),
    "--query": Text(
        en="your query rows: 1,0,1,0;0,1,0,1 or a .npy, .csv or .json file",
        ru="ваши строки запросов: 1,0,1,0;0,1,0,1 или файл .npy, .csv, .json",
    ),
    "--key": Text(
        en="your key rows, given in the same way", ru="ваши строки ключей, в том же виде"
    ),
    "--layout": Text(
        en="which coordinates form a pair: neighbours, or halves",
        ru="какие координаты образуют пару: соседние или из двух половин",
    ),
    "--dtype": Text(en="type of the rotated numbers", ru="тип поворачиваемых чисел"),
    "--rows": Text(
        en="summary shortens long tables, all prints every row",
        ru="summary сокращает длинные таблицы, all печатает все строки",
    ),
    "--length": Text(
        en="positions of the text, 1 to 2^53; by default the whole context of the model",
        ru="длина текста в позициях, от 1 до 2^53; по умолчанию весь контекст модели",
    ),
    "--config": Text(
        en="take width, base and scaling from the config.json of a model",
        ru="взять ширину, основание и масштабирование из config.json модели",
    ),
    "--layer-type": Text(
        en="which layers, if the config scales several types differently",
        ru="какие слои, если в конфигурации разные виды масштабируются по-разному",
    ),
    "--offset": Text(
        en="position of the first token; the others follow it",
        ru="позиция первого токена; остальные идут следом",
    ),
    "--axes": Text(
        en="names of the axes, such as batch,tokens,heads,features",
        ru="имена осей, например batch,tokens,heads,features",
    ),
    "--tolerance": Text(
        en="accepted error as a share of a pair's length, instead of what the dtype allows",
        ru="допустимая ошибка в долях длины пары вместо той, которую допускает тип чисел",
    ),
    "--input-name": Text(en="name of the array that went in", ru="имя массива, поданного на вход"),
    "--output-name": Text(
        en="name of the array that came out", ru="имя массива, полученного на выходе"
    ),
    "--backward": Text(
        en="the arrays are adjoints: expect the transposed rotation",
        ru="массивы — сопряжённые величины: ожидать транспонированный поворот",
    ),
    "--frequencies": Text(
        en="FILE is a plain list of inverse frequencies",
        ru="ФАЙЛ — простой список обратных частот",
    ),
    "--update": Text(
        en="rewrite the golden files; refused when CI is set",
        ru="переписать эталонные файлы; недоступно, если задана переменная CI",
    ),
    "--golden-dir": Text(
        en="take the golden files from DIR",
        ru="взять эталонные файлы из каталога КАТАЛОГ",
    ),
    "--version": Text(en="print the version", ru="напечатать версию"),
    "--help": Text(en="print this page", ru="напечатать эту справку"),
}
# Options that mean something else to some commands.
WIDTH_ROTATED = Text(en="how many coordinates are rotated", ru="сколько координат поворачивается")
BASE_10000 = Text(
    en="base of the frequencies, 10000 by default", ru="основание частот, по умолчанию 10000"
)
OPTIONS_OF = {
    "verify": {
        "--feature-width": WIDTH_ROTATED,
        "--base": BASE_10000,
        "--positions": Text(
            en="positions of the tokens, as 0:16 or 0,1,7; by default those of the file, else "
            "from 0",
            ru="позиции токенов, например 0:16 или 0,1,7; по умолчанию из файла, иначе от 0",
        ),
        "--dtype": Text(
            en="type in which the numbers were computed; bfloat16 also for its bits as uint16",
            ru="тип, в котором вычислены числа; bfloat16 — и для битов в виде uint16",
        ),
        "--length": Text(
            en="positions of the text, for scaling that depends on it; by default up to the last "
            "token",
            ru="длина текста в позициях, если от неё зависит масштабирование; по умолчанию до "
            "последнего токена",
        ),
    },
    "vectors": {
        "--feature-width": Text(
            en="width of the rows, 8 by default", ru="ширина строк, по умолчанию 8"
        ),
        "--base": BASE_10000,
        "--positions": Text(
            en="positions of the tokens, as 0:16 or 0,1,7; by default 5-9, 12, 200, 201",
            ru="позиции токенов, например 0:16 или 0,1,7; по умолчанию 5-9, 12, 200, 201",
        ),
        "--length": Text(
            en="positions of the text, for scaling that depends on it; by default up to the last "
            "position",
            ru="длина текста в позициях, если от неё зависит масштабирование; по умолчанию до "
            "последней позиции",
        ),
    },
}
