"""Comparisons, and a second implementation in plain Python that reads the rows as a file has them."""

import csv
import io
import json
from typing import Any

import numpy as np
import pytest

from proactivity_gym.reports import comparison
from proactivity_gym.reports.comparison import (
    AS_ZERO,
    FIGURES,
    LEFT_OUT,
    MEASURES,
    Compared,
    Comparison,
    How,
    compare,
    csv_text,
    planned_of,
)
from proactivity_gym.reports.runs import INFRA_ERROR, TERMS, Row
from proactivity_gym.reports.summary import REPETITION, SCENARIO, SEED


def row(policy: str, scenario: str, seed: int, score: float | None, repetition: int = 0) -> Row:
    """Return a row in which every term is a score (J in [0, 1] times a hundred); None: it failed."""
    terms: dict[str, float | None] = dict.fromkeys(TERMS, None if score is None else 100 * score)
    terms["J"] = terms["CQ"] = score
    status = INFRA_ERROR if score is None else "completed"
    return Row(policy, f"{scenario}-A", seed, "test", status, scenario, "A", terms, repetition=repetition)


def compared(rows: list[Row], unit: str = SCENARIO, ceiling: str | None = "oracle") -> Comparison:
    return compare(planned_of([each.key for each in rows]), rows, How(unit, "rules", ceiling))


def of(found: Comparison, policy: str, term: str = "J", failed: str = LEFT_OUT) -> Compared:
    (only,) = (each for each in found.compared if (each.policy, each.term, each.failed) == (policy, term, failed))
    return only


SIMPLE = [
    row("rules", "S", 0, 0.4),
    row("rules", "T", 0, 0.6),
    row("oracle", "S", 0, 1.0),
    row("oracle", "T", 0, 1.0),
    row("mine", "S", 0, 0.7),
    row("mine", "T", 0, 0.6),
]


def test_figures_of_a_small_comparison() -> None:
    mine = of(compared(SIMPLE), "mine")
    assert mine.mean.mean == pytest.approx(0.65)
    assert mine.iqm.mean == pytest.approx(0.65)
    assert mine.difference.mean == pytest.approx(0.15)
    assert mine.better.mean == 0.75
    assert mine.closed.mean == pytest.approx(0.3 / 1.0)
    assert of(compared(SIMPLE), "oracle").closed.mean == 1


def test_spread_is_between_episodes_of_an_id() -> None:
    rows = [row("rules", "S", 0, 0.2), row("rules", "S", 1, 0.4), row("rules", "T", 0, 0.9), row("rules", "T", 1, 0.9)]
    assert of(compared(rows), "rules").sd == pytest.approx(0.1)


def test_the_baseline_is_not_compared_with_itself() -> None:
    rules = of(compared(SIMPLE), "rules")
    assert [rules.difference.mean, rules.better.mean, rules.closed.mean] == [None, None, None]


def test_without_a_ceiling_there_is_no_gap() -> None:
    assert of(compared(SIMPLE, ceiling=None), "mine").closed.mean is None


def test_only_weeks_of_both_are_paired() -> None:
    rows = [*SIMPLE, row("mine", "T", 1, 0.0), row("rules", "S", 2, 0.0)]
    assert of(compared(rows), "mine").difference.n == 2


def test_pairing_sees_what_means_hide() -> None:
    rows = [each for i in range(5) for each in (row("rules", f"S{i}", 0, i / 10), row("mine", f"S{i}", 0, i / 10 + 0.05))]
    mine = of(compared(rows), "mine")
    assert mine.difference.low is not None and mine.mean.low is not None
    assert mine.difference.low > 0.049
    assert mine.mean.low < 0.06


def test_repetitions_are_compared_with_the_mean_of_the_other() -> None:
    rows = [row("rules", "S", 0, 0.2), row("rules", "S", 0, 0.6, repetition=1), row("mine", "S", 0, 0.5)]
    mine = of(compared(rows), "mine")
    assert mine.difference.mean == pytest.approx(0.1)
    assert mine.better.mean == 0.5


def test_intervals_over_repetitions_tell_how_training_runs_differ() -> None:
    rows = [row("rules", name, 0, 0.4) for name in "ST"]
    rows += [
        row("mine", name, 0, level + lift, n) for name, lift in (("S", 0), ("T", 0.2)) for n, level in enumerate((0.5, 0.6))
    ]
    mine = of(compared(rows, REPETITION), "mine")
    assert mine.mean.mean == pytest.approx(0.65)
    assert mine.mean.high == pytest.approx(min(1, 0.65 + 12.7062 * 0.05))
    assert of(compared(rows, REPETITION), "rules").mean.low is None


def test_failures_under_both_conventions() -> None:
    rows = [*SIMPLE, row("mine", "S", 1, None), row("rules", "S", 1, 0.4), row("oracle", "S", 1, 1.0)]
    found = compared(rows)
    assert of(found, "mine").mean.mean == pytest.approx(0.65)
    assert of(found, "mine", failed=AS_ZERO).mean.mean == pytest.approx(1.3 / 3)
    assert of(found, "mine", failed=AS_ZERO).difference.mean == pytest.approx((0.3 - 0.4) / 3)
    assert {each.failed for each in compared(SIMPLE).compared} == {LEFT_OUT}


def test_counts_by_kind_stand_in_every_row() -> None:
    rows = [*SIMPLE, row("mine", "S", 1, None), row("rules", "S", 1, 0.4)]
    records = [each for each in compared(rows).records() if (each["term"], each["failed"]) == ("J", LEFT_OUT)]
    counts = {r["policy"]: (r["planned"], r["scored"], r["completed"], r["infra_error"], r["interrupted"]) for r in records}
    assert counts == {"rules": (3, 3, 3, 0, 0), "oracle": (3, 2, 2, 0, 1), "mine": (3, 2, 2, 1, 0)}
    assert {r["policy"]: r["incomplete"] for r in records} == {"rules": False, "oracle": True, "mine": True}
    assert compared(rows).incomplete
    assert not compared(SIMPLE).incomplete


def test_every_policy_is_planned_on_every_week() -> None:
    keys = [("a", "X", 0, 0), ("a", "X", 1, 0), ("b", "X", 0, 0), ("b", "X", 0, 1)]
    assert planned_of(keys) == {"a": 2, "b": 4}


def test_csv_and_json_say_the_same() -> None:
    found = compared([*SIMPLE, row("mine", "S", 1, None)])
    lines = [json.loads(json.dumps(each, allow_nan=False)) for each in found.records()]
    table = list(csv.DictReader(io.StringIO(csv_text(found))))
    assert [list(line) for line in lines] == [list(line) for line in table]
    assert [["" if v is None else str(v) for v in line.values()] for line in lines] == [list(line.values()) for line in table]


def test_no_cell_is_a_formula() -> None:
    rows = [row("=1+1", "S", 0, 0.5), row("rules", "S", 0, 0.5)]
    assert next(csv.DictReader(io.StringIO(csv_text(compared(rows)))))["policy"] == "'=1+1"


def simulated(generator: np.random.Generator, scenarios: int = 4, seeds: int = 3) -> list[Row]:
    """Return rows of a fake random model and others: scenarios differ, and so do weeks; some episodes fail."""
    rows: list[Row] = []
    for place in range(scenarios):
        level = generator.uniform(0.2, 0.5)
        for seed in range(seeds):
            week = level + generator.normal(0, 0.05)
            rows.append(row("rules", f"S{place}", seed, week))
            rows.append(row("oracle", f"S{place}", seed, 1.0))
            rows += [row("fake", f"S{place}", seed, week + generator.normal(0.1, 0.05), n) for n in range(2)]
    failed = int(generator.integers(len(rows)))
    return [
        *rows[:failed],
        row(rows[failed].policy, rows[failed].scenario, rows[failed].seed, None, rows[failed].repetition),
        *rows[failed + 1 :],
    ]


def mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None


def recomputed(lines: list[dict[str, Any]], policy: str, term: str, failed: str) -> list[float | None]:
    """Return the five figures from the lines of a file, in plain Python."""

    def score(line: dict[str, Any]) -> float | None:
        return 0.0 if failed == AS_ZERO and line["status"] != "completed" else line[term]

    def levels(name: str, line: dict[str, Any]) -> list[float]:
        same = [o for o in lines if (o["policy"], o["id"], o["seed"]) == (name, line["id"], line["seed"])]
        return [s for o in same if (s := score(o)) is not None]

    own = [(s, line) for line in lines if line["policy"] == policy and (s := score(line)) is not None]
    values = sorted(s for s, _ in own)
    cut = len(values) // 4
    figures = [mean(values), mean(values[cut : len(values) - cut])]
    if policy == "rules":
        return [*figures, None, None, None]
    gains: list[float] = []
    wins: list[float] = []
    gaps: list[tuple[float, float]] = []
    for value, line in own:
        rules, oracle = levels("rules", line), levels("oracle", line)
        if not rules:
            continue
        gains.append(value - sum(rules) / len(rules))
        wins.append(sum(1.0 if value > r + 1e-9 else 0.5 if abs(value - r) <= 1e-9 else 0.0 for r in rules) / len(rules))
        if oracle:
            gaps.append((gains[-1], sum(oracle) / len(oracle) - sum(rules) / len(rules)))
    below = sum(gap for _, gap in gaps)
    return [*figures, mean(gains), mean(wins), sum(gain for gain, _ in gaps) / below if below > 0 else None]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("unit", [SCENARIO, SEED])
def test_an_independent_recomputation_finds_the_same(seed: int, unit: str) -> None:
    rows = simulated(np.random.default_rng(seed))
    lines = [json.loads(json.dumps(each.record())) for each in rows]
    found = compared(rows, unit)
    assert len(found.compared) == 3 * len(MEASURES) * 2
    for each in found.compared:
        expected = recomputed(lines, each.policy, each.term, each.failed)
        for name, figure, other in zip(FIGURES, each.figures().values(), expected, strict=True):
            assert figure.mean == (None if other is None else pytest.approx(other, rel=1e-12, abs=1e-12)), name


def test_the_printed_interval_of_a_fake_random_model_covers_its_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "MEASURES", ("J",))  # the others would be as well covered, and take the time
    generator = np.random.default_rng(35)
    covered, differences, runs = 0, 0, 1000
    for _ in range(runs):
        rows: list[Row] = []
        for place in range(10):
            level, gain = generator.uniform(0.2, 0.6), generator.normal(0.1, 0.05)
            for seed in range(3):
                week = level + generator.normal(0, 0.05)
                rows += [row("rules", f"S{place}", seed, week), row("fake", f"S{place}", seed, week + gain)]
        record = next(r for r in compared(rows).records() if (r["policy"], r["term"]) == ("fake", "J"))
        covered += record["mean_low"] <= 0.5 <= record["mean_high"]
        differences += record["difference_low"] <= 0.1 <= record["difference_high"]
    assert 0.93 <= covered / runs <= 0.97
    assert 0.93 <= differences / runs <= 0.97
