"""Makes the folder a program: ``python tests/trials``.

Python puts this folder itself on the path. Its modules are a package, ``trials``, so that none of
their names can hide another module; what is tried is the checkout that they lie in.
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    TESTS = Path(__file__).resolve().parent.parent
    sys.path[:1] = [str(TESTS), str(TESTS.parent)]
    from trials.command import main

    sys.exit(main(sys.argv[1:]))
