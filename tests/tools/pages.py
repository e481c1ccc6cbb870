"""The pages on other tools, as a reader runs them: their commands and their code, each in a process of its own."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = ROOT / "docs" / "tools"
PREPARING = (".venv", "python -m venv", "pip install")
"""How commands begin that install: what runs these tests has done so."""


def blocks(page: str, language: str) -> list[str]:
    """Return the blocks of a page in one language."""
    text = (PAGES / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def commands(page: str) -> list[str]:
    """Return the commands of a page, but for those that install."""
    lines = [line for block in blocks(page, "console") for line in block.splitlines()]
    return [line for line in lines if not line.startswith(PREPARING)]


def shortened(text: str, shorter: dict[str, str]) -> str:
    """Return a text with figures that take minutes replaced; each must be there."""
    for long, short in shorter.items():
        assert long in text, f"{long!r} is not on the page any more"
        text = text.replace(long, short)
    return text


def run(command: str, folder: Path, **environment: str) -> str:
    """Run a command of a page and return what it printed; files of the repository are found as from its root."""
    words = [str(ROOT / word) if word.startswith("examples/") else word for word in shlex.split(command)]
    return run_words([sys.executable if word == "python" else word for word in words], folder, **environment)


def run_code(code: str, folder: Path) -> str:
    """Run code of a page and return what it printed."""
    (folder / "page.py").write_text(code, encoding="utf-8")
    return run_words([sys.executable, "page.py"], folder)


def run_words(words: list[str], folder: Path, **environment: str) -> str:
    """Run a program in a folder and return what it printed."""
    binaries = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    known = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "PATH": binaries} | environment
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300, check=False, env=known)
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout
