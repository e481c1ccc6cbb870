from pathlib import Path

import pytest

from examples import demo
from proactivity_gym.reports.runs import persona_ids


def test_the_demo_shows_every_policy_and_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    demo.main()
    text = capsys.readouterr().out
    assert f"{len(persona_ids())} persona-weeks, means" in text
    shown = {line.split()[1]: line.split()[3::2] for line in text.splitlines() if line.startswith("│")}
    assert set(shown) == set(demo.POLICIES)
    assert shown["oracle"][:4] == ["100.0", "100.0", "100.0", "1.00"]
    assert shown["noop"][:4] == ["0.0", "0.0", "0.0", "0.00"]
    assert (tmp_path / demo.PICTURE).read_bytes().startswith(b"\x89PNG")
    assert str(demo.PICTURE) in text
    assert ".venv/bin/pgym play Education-PersonaA" in text
