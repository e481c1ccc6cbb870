"""The tables of results say what the rows say."""

from dataclasses import replace

from proactivity_gym.reports.runs import COMPLETED, TERMS, Row
from proactivity_gym.reports.statistics import Estimate
from proactivity_gym.reports.summary import SCENARIO
from proactivity_gym.sim.scoring import Terms
from proactivity_gym.train import results_tables
from proactivity_gym.train.results_tables import LEARNED, ORACLE, RULES

ID = "ProactivityGym/Travel-PersonaB-v0"


def row(policy: str, joint: float, seed: int = 0, scenario: str = "Travel", repetition: int = 0) -> Row:
    terms: Terms = {**dict.fromkeys(TERMS, 0.0), "J": joint}
    return Row(policy, ID.replace("Travel", scenario), seed, "test", COMPLETED, scenario, "B", terms, repetition=repetition)


def cells(text: str, first: str) -> list[str]:
    line = next(line for line in text.splitlines() if line.startswith(f"| {first} |"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def ends(scenario: str = "Travel") -> list[Row]:
    return [row(name, value, seed, scenario) for name, value in ((RULES, 0.2), (ORACLE, 1.0)) for seed in (0, 1)]


def test_a_cell() -> None:
    assert results_tables.cell(Estimate(0.5, 0.25, 0.75, 3)) == "0.500 [0.250, 0.750]"
    assert results_tables.cell(Estimate(0.5, n=1), 1) == "0.5"
    assert results_tables.cell(Estimate(None)) == "-"


def test_each_id_has_its_share_of_the_gap() -> None:
    rows = [*ends(), row(LEARNED, 0.6, 0), row(LEARNED, 0.6, 1), row("other", 0.3, 0), row("other", 0.3, 1)]
    text = results_tables.per_id(rows, {ID: (1, 350_000)}, ["other"])
    told = cells(text, "Travel-PersonaB")
    assert told[1:3] == ["350,000", "1"]
    assert [each.split()[0] for each in told[3:]] == ["0.200", "0.600", "1.000", "0.50", "0.300"]
    assert text.endswith("1 of 1 ids: at least a third of the gap is closed. 0: worse than the rules.")


def test_failures_are_counted() -> None:
    rows = [*ends(), row(LEARNED, 0.1, 0), row(LEARNED, 0.1, 1)]
    text = results_tables.per_id(rows, {ID: (1, 10)})
    assert text.endswith("0 of 1 ids: at least a third of the gap is closed. 1: worse than the rules.")


def test_seeds_of_training_stand_apart_and_together() -> None:
    learned = [row(LEARNED, value, seed, repetition=place) for place, value in enumerate((0.4, 0.8)) for seed in (0, 1)]
    text = results_tables.seeds_of([*ends(), *learned], ID, [1, 7])
    assert cells(text, "seed 1")[1].startswith("0.400")
    assert cells(text, "seed 7")[2].startswith("0.75")
    together = cells(text, "**all 2**, interval over seeds of training")
    assert together[1] == "0.600 [0.000, 1.000]", "two seeds that differ so much tell little"
    assert together[2].startswith("0.50 [")


def test_the_ablation_tells_what_is_left() -> None:
    rows = [
        *(each for each in ends() if each.policy == RULES),
        *(row(LEARNED, 0.8, seed) for seed in (0, 1)),
        *(row("depth by the rules", 0.5, seed) for seed in (0, 1)),
    ]
    text = results_tables.ablation(rows, ["depth by the rules"], "seed")
    told = cells(text, "depth by the rules")
    assert told[5].startswith("0.500")
    assert told[6].startswith("-0.300")
    assert told[7].startswith("0.50")
    assert cells(text, RULES)[7] == "-"


def test_scenarios_left_out() -> None:
    rows = [*ends(), *ends("Research")]
    rows += [replace(each, policy="new", terms={**each.terms, "J": 0.4}) for each in rows if each.policy == RULES]
    text = results_tables.left_out(rows, ["new", RULES, ORACLE])
    assert cells(text, "Research")[1].startswith("0.400")
    assert cells(text, "**all**")[4].startswith("0.25")


def test_where_it_is_lost() -> None:
    first, second = row("new", 0.1), row("new", 0.1, 1)
    first.terms.update(TC=10.0, under=3.0, false_alarms=None)
    second.terms.update(TC=20.0, under=4.0, false_alarms=None)
    told = cells(results_tables.where_lost([first, second, row(RULES, 0.5)], ["new"]), "new")
    assert (told[1], told[5], told[7]) == ("15.0", "3.5", "-")


def test_policies_over_several_ids() -> None:
    rows = [*ends(), *ends("Research"), row(LEARNED, 0.6), row(LEARNED, 1.0, scenario="Research")]
    told = cells(results_tables.overall(rows, [RULES, LEARNED, ORACLE], SCENARIO), LEARNED)
    assert [each.split()[0] for each in told[5:]] == ["0.800", "0.600", "1.00", "0.75"]


def test_repetitions_count_once() -> None:
    rows = [*(row(LEARNED, value, repetition=place) for place, value in enumerate((0.2, 0.6))), row(LEARNED, 0.9, 1)]
    found = results_tables.averaged(rows)
    assert [(each.seed, each.terms["J"], each.repetition) for each in found] == [(0, 0.4, 0), (1, 0.9, 0)]
    unknown = [replace(each, terms={**each.terms, "TA": None}) for each in rows]
    assert results_tables.averaged(unknown)[0].terms["TA"] is None


def test_a_sweep() -> None:
    numbers = dict.fromkeys(("TC", "TA", "over", "under", "unattempted"), 1.25)
    text = results_tables.sweep([{"weighting": "TC", "timesteps": 2048, "TR_D": None, **numbers}])
    assert cells(text, "TC") == ["TC", "2,048", "1.2", "1.2", "-", "1.2", "1.2", "1.2"]
