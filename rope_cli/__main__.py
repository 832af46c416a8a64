"""``python -m rope_cli`` is the same command as ``rope-report``."""

import sys

from rope_cli.cli import main

sys.exit(main())
