"""Pages whose tools the usual environment has."""

import re
from pathlib import Path

from tests.tools.pages import blocks, commands, run, run_code, shortened


def test_the_page_on_vector_environments(tmp_path: Path) -> None:
    first, second = blocks("gymnasium.md", "python")
    assert run_code(first, tmp_path) == ""
    assert re.fullmatch(r"\[[\d. ]+\]\n", run_code(second, tmp_path))


def test_the_page_on_stable_baselines3(tmp_path: Path) -> None:
    (block,) = blocks("stable-baselines3.md", "python")
    assert block.count("learn(20_000)") == 4
    run_code(shortened(block, {"learn(20_000)": "learn(512)", "learning_starts=500": "learning_starts=200"}), tmp_path)
    (command,) = commands("stable-baselines3.md")
    assert run(shortened(command, {"20000": "512"}), tmp_path).startswith("TC ")


def test_the_page_on_cleanrl(tmp_path: Path) -> None:
    (block,) = blocks("cleanrl.md", "python")
    assert run_code(block, tmp_path) == ""
    (command,) = commands("cleanrl.md")
    printed = run(shortened(command, {"200000": "4096"}) + " --episodes 1", tmp_path)
    assert re.search(r"^4096 steps, mean J [\d.]+, \d+ steps/s\nheld out: mean J [\d.]+ over 1 weeks$", printed, re.MULTILINE)
