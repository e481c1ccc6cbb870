from proactivity_gym.scenarios import catalogue
from tests.cli.pgym import pgym, refused
from tests.sim.tiny import PATH


def test_a_file_is_shown_for_its_first_persona() -> None:
    result = pgym("show", str(PATH))
    assert result.exit_code == 0
    assert result.stdout.startswith("Tiny: Two days of errands (version 1)\n")
    assert "TASKS" not in result.stdout


def test_authors_see_hidden_truth() -> None:
    text = pgym("show", str(PATH), "--author").stdout
    assert text.startswith(pgym("show", str(PATH)).stdout)
    assert "TASKS: latent" in text
    assert "expected: A SUGGEST" in text


def test_an_id_shows_its_persona() -> None:
    persona = catalogue.load("Education").personas[1]
    for arguments in (["ProactivityGym/Education-PersonaB-v0"], ["Education", "--persona", "B"]):
        assert f"  * B {persona.name}" in pgym("show", *arguments).stdout


def test_authors_see_every_personas_depth() -> None:
    assert "expected: A NOOP, B NOOP, C NOOP" in pgym("show", "Education", "--author").stdout


def test_what_is_not_there_is_refused() -> None:
    assert "--persona 'B': " in refused(pgym("show", str(PATH), "--persona", "B"))
    assert "no scenario is called 'Atlantis'" in refused(pgym("show", "Atlantis"))


def test_a_level_of_difficulty_is_shown_or_refused() -> None:
    texts = [pgym("show", "Travel", "--difficulty", level).stdout for level in ("easy", "standard", "hard")]
    assert texts[1] == pgym("show", "Travel").stdout
    assert texts[0] != texts[1]
    assert "--difficulty 'mad': choose one of easy, standard, hard" in refused(pgym("show", "Travel", "--difficulty", "mad"))
