"""Where the checkout lies that the tests belong to, and copies of it that may be changed."""

import shutil
import stat
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MADE_BY_TOOLS = (".git", "__pycache__", ".*_cache", ".hypothesis", ".venv", "dist", "build")


def copy_tree(source: Path, target: Path) -> None:
    """Copy a folder without what tools have left in it; a read-only one can be written then."""
    shutil.copytree(source, target, ignore=shutil.ignore_patterns(*MADE_BY_TOOLS))
    for path in (target, *target.rglob("*")):
        path.chmod(path.stat().st_mode | stat.S_IWUSR)
