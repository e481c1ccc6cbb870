from rich.console import Console

from proactivity_gym.reports import tables
from proactivity_gym.reports.comparison import How, compare, planned_of
from proactivity_gym.reports.runs import INFRA_ERROR, Row
from proactivity_gym.reports.summary import of_counts, summaries
from tests.reports.test_comparison import row as comparison_row
from tests.reports.test_summary import planned, row


def printed(rows: list[Row], n: int, unit: str) -> str:
    console = Console(width=160, record=True, file=None, quiet=False)
    with console.capture() as capture:
        console.print(tables.of_run(summaries(planned("p", n), rows), unit))
    return capture.get()


def test_a_cell_is_mean_and_interval() -> None:
    text = printed([row(scenario="S", TC=40.0, TR_H=None), row(scenario="T", TC=60.0, seed=1, TR_H=None)], 2, "scenario")
    lines = text.splitlines()
    assert lines[1].split()[:5] == ["p", "2", "of", "2", "50.0"]
    assert lines[2].split("]")[0].strip() == "[0.0, 100.0"
    assert "bootstrap clustered by scenario, scaled by Student's t over scenarios" in text
    assert "They are over episodes of too few scenarios: treat with care." in text
    assert "INCOMPLETE" not in text


def test_three_scenarios_need_no_warning() -> None:
    rows = [row(seed=i, scenario=name, J=i / 4, wasted_minutes=[0.0, 3.0, 900.0][i]) for i, name in enumerate("STU")]
    text = printed(rows, 3, "scenario")
    assert "too few scenarios" not in text
    assert "[0.0, " in text
    assert "[-" not in text


def test_one_scenario_is_said_to_be_one() -> None:
    assert "There is one scenario only" in printed([row(seed=0, J=0.1), row(seed=1, J=0.3)], 2, "seed")


def test_no_interval_is_said_to_be_none() -> None:
    text = printed([row()], 1, "seed")
    assert "no confidence intervals" in text
    assert "[" not in text


def test_failures_are_counted_by_kind_with_both_conventions() -> None:
    text = printed([row(seed=0, J=0.6), row(seed=1, status=INFRA_ERROR)], 3, "seed")
    assert "p: 3 planned, 1 scored, 1 infra_error, 1 interrupted; J 0.300 with failed episodes as 0" in text
    assert "INCOMPLETE" in text


def test_an_interrupted_run_is_no_failure() -> None:
    assert "with failed episodes" not in printed([row(seed=0, J=0.6)], 3, "seed")


def test_episodes_without_a_value_are_told() -> None:
    text = printed([row(seed=0, TA=None), row(seed=1)], 2, "seed")
    assert "p: episodes without a value are left out: TA in 1" in text


def test_scenarios_that_are_given_are_said_to_be() -> None:
    rows = [row(seed=seed, scenario=name, J=0.1 + seed / 5) for name in "ST" for seed in range(2)]
    notes = tables.notes(of_counts({"p": 4}, rows, "seed"), "seed")
    assert "clustered by seed within each scenario" in notes[0]
    assert notes[1].startswith("The scenarios are taken as given")
    assert not any("too few scenarios" in note for note in notes)


def test_names_of_runs_that_begin_alike_are_told_apart() -> None:
    names = [f"runs/Travel-PersonaB-v0__maskable_ppo__{seed}__20260101T000000/model.zip" for seed in (1, 2)]
    rows = [comparison_row(name, "S", seed, 0.5) for name in names for seed in range(2)]
    found = compare(planned_of([each.key for each in rows]), rows, How("seed", names[0], None))
    console = Console(width=120)
    with console.capture() as capture:
        console.print(tables.scores(found.summaries))
    lines = capture.get().splitlines()
    assert len(lines) > 3, "the names do not fit into one line"
    column = "".join(line[: lines[0].index("scored")].strip() for line in lines)
    assert all(name in column for name in names)


def test_a_hostile_name_moves_no_cursor() -> None:
    name = "\x1b[2Jmine\r"
    rows = [comparison_row(policy, "S", seed, 0.5) for policy in (name, "rules") for seed in range(2)]
    found = compare(planned_of([each.key for each in rows]), rows, How("seed", name, None))
    console = Console(width=160)
    with console.capture() as capture:
        console.print(tables.of_comparison(found, "J"))
    assert "<U+001B>[2Jmine<U+000D>" in capture.get()
    assert "\x1b" not in capture.get()
    assert "No oracle is among the policies" in capture.get()
