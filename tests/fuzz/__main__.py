"""Makes the folder a program: ``python tests/fuzz --minutes 30``.

Python puts this folder itself on the path; its modules are a package, ``fuzz``.
"""

import os
import sys
from pathlib import Path

if __name__ == "__main__":
    # A worker is one of as many as there are processors.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    TESTS = Path(__file__).resolve().parent.parent
    sys.path[:1] = [str(TESTS), str(TESTS.parent)]
    from fuzz.workers import main

    sys.exit(main(sys.argv[1:]))
