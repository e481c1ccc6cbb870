import re
from pathlib import Path

import gymnasium as gym
import pytest

from examples import sb3

ROOT = Path(__file__).resolve().parent.parent


def python_blocks(page: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return [block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "gym.make" in block]


@pytest.mark.parametrize("number", [0, 1, 2])
def test_the_code_of_the_readme_runs(
    number: int, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    block = python_blocks("README.md")[number]
    exec(compile(block.replace("20_000", "512"), "README.md", "exec"), {"gym": gym})  # our own page, as a reader would run it
    assert "print(" not in block or "'J': " in capsys.readouterr().out


def test_the_training_example_prints_the_scores(capsys: pytest.CaptureFixture[str]) -> None:
    sb3.main(512)
    lines = capsys.readouterr().out.split("\n")
    assert [line.split()[0] for line in lines if line] == ["TC", "TA", "TR_D", "J"]
    assert all(0 <= float(line.split()[1]) <= 100 for line in lines if line)
