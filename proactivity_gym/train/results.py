"""Write docs/results.md from runs of training: `python -m proactivity_gym.train.results runs`.

Every run in the folder that has ended is taken: those of one id, of `Mixed` with all scenarios, of `Mixed` with some left out,
and a sweep in `sweep/`. For each id, and for `Mixed`, the first seed goes into the zoo. All policies play the same weeks of the
stream `test`, none of which an evaluation during training played. What is written stands between marks on the page; the rest
stays.
"""

import proactivity_gym.train.extra  # noqa: F401 (before what it looks for)

# isort: split
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import tyro

from proactivity_gym.baselines import frozen, zoo
from proactivity_gym.baselines.policy import FROZEN, ZOO
from proactivity_gym.reports import runs, summary
from proactivity_gym.reports.runs import Row
from proactivity_gym.sim.difficulty import DEFAULT
from proactivity_gym.train import results_figure, results_tables, script, trained
from proactivity_gym.train import sweep as sweeping
from proactivity_gym.train import zoo as zoo_script
from proactivity_gym.train.results_tables import LEARNED, ORACLE, RULES
from proactivity_gym.train.run_directory import CONFIG, RunError
from proactivity_gym.train.run_directory import replace as write
from proactivity_gym.train.trained import Trained

PAGE, CURVE, SURFACE = "results.md", "learning-curve", "trade-offs"
MIXED, LEFT_OUT = "trained on Mixed", "trained without this scenario"
CHOSEN_ON = "ProactivityGym/Travel-PersonaB-v0"
"""The id on whose scores the default settings were chosen."""
FROZEN_LABELS = {f"{choice} by the rules": choice for choice in frozen.CHOICES}
SECTIONS = ("seeds", "per id", "all ids", "mixed", "left out", "ablation", "trade-offs")


@dataclass
class Args:
    """Write the tables and figures of docs/results.md from runs of training, and put their models into the zoo."""

    runs_dir: tyro.conf.Positional[Path]
    """Folder of folders of runs; those that have not ended are passed over."""
    docs: Path = Path("docs")
    """Folder of the page and of `images/`."""
    weeks: int = 40
    """Held-out weeks of each id."""
    first_seed: int = zoo_script.FIRST_SEED
    """Seed of the first of them."""
    rows: Path | None = None
    """File to write the row of every episode to, as JSON lines."""


@dataclass(frozen=True, slots=True)
class Runs:
    """The runs that have ended, by what they are."""

    by_id: dict[str, list[Trained]]
    """Seeds of one setting for each id."""
    mixed: Trained | None
    without: list[Trained]
    """Those that leave scenarios out."""

    @property
    def several(self) -> dict[str, list[Trained]]:
        """The ids of which there are several seeds."""
        return {name: own for name, own in self.by_id.items() if len(own) > 1}


def write_results(args: Args) -> Path:
    """Fill the zoo, play, write page and figures; return the page.

    Raises:
        RunError: there are no runs, or the page lacks a mark.
    """
    page = args.docs / PAGE
    if not page.exists():
        raise RunError(f"{page}: there is no such page: give the folder of the documentation with --docs.")
    found = sorted_out(list(ended(args.runs_dir)))
    if not found.by_id and not found.mixed:
        raise RunError(f"{args.runs_dir}: no run in it has ended: give the folder that the folders of runs are in.")
    script.set_up_torch(1)
    for run in [*(own[0] for own in found.by_id.values()), *([found.mixed] if found.mixed else [])]:
        zoo_script.add(zoo_script.Args(run.folder, None, args.weeks, args.first_seed, zoo.FOLDER))
    games = Games(range(args.first_seed, args.first_seed + args.weeks))
    sections = dict(sections_of(found, games, args.docs / "images"))
    surface = _trade_offs(args.runs_dir / "sweep", args.docs / "images")
    write(page, filled(page.read_text(encoding="utf-8"), sections | surface, str(page)).encode())
    if args.rows:
        args.rows.write_text("".join(json.dumps(row.record()) + "\n" for row in games.every()), encoding="utf-8", newline="\n")
    return page


def ended(folder: Path) -> Iterator[Trained]:
    """Yield the runs in a folder that have ended; say which have not, and which were trained at another difficulty."""
    for each in sorted(folder.iterdir()) if folder.is_dir() else []:
        if (each / CONFIG).exists():
            try:
                run = trained.read(each)
            except RunError as error:
                print(error, file=sys.stderr)
                continue
            if run.difficulty == DEFAULT:
                yield run
            else:
                print(f"{each}: trained at difficulty {run.difficulty!r}: the page is on {DEFAULT!r}", file=sys.stderr)


def sorted_out(found: Sequence[Trained]) -> Runs:
    """Return runs by what they are: of an id those whose steps have most seeds, and of those that are alike the longest."""
    by_id: dict[str, list[Trained]] = {}
    for name in dict.fromkeys(run.env_id for run in found if not run.mixed):
        by_id[name] = _most_seeds([run for run in found if run.env_id == name])
    whole = [run for run in found if run.mixed and not run.left_out]
    without = [run for run in found if run.mixed and run.left_out]
    return Runs(dict(sorted(by_id.items())), _most_seeds(whole)[0] if whole else None, without)


def _most_seeds(found: Sequence[Trained]) -> list[Trained]:
    steps = {run.steps for run in found}
    alike = [sorted((run for run in found if run.steps == each), key=lambda run: run.seed) for each in sorted(steps)]
    return max(reversed(alike), key=len)


class Games:
    """Episodes of policies on the held-out weeks, each played once."""

    def __init__(self, seeds: Sequence[int]) -> None:
        """Take the seeds of the weeks."""
        self._seeds = seeds
        self._played: dict[tuple[str, str], list[Row]] = {}

    def rows(self, policy: str, ids: Sequence[str], label: str = "", repetition: int = 0) -> list[Row]:
        """Return the rows of a policy on ids, under a label."""
        return [replace(row, policy=label or policy, repetition=repetition) for name in ids for row in self._of(policy, name)]

    def ends(self, ids: Sequence[str]) -> list[Row]:
        """Return the rows of rules and oracle."""
        return [*self.rows(RULES, ids), *self.rows(ORACLE, ids)]

    def every(self) -> list[Row]:
        """Return all rows, under the policies' own names."""
        return [row for rows in self._played.values() for row in rows]

    def _of(self, policy: str, name: str) -> list[Row]:
        if (policy, name) not in self._played:
            print(f"{policy}: {name}", file=sys.stderr)
            self._played[policy, name] = list(runs.run(runs.plan([policy], [name], self._seeds, runs.Settings())))
        return self._played[policy, name]


def sections_of(found: Runs, games: Games, images: Path) -> Iterator[tuple[str, str]]:
    """Yield the sections of the page that there are runs for."""
    ids = list(found.by_id)
    own = [row for name in ids for row in _own(found.by_id[name], games)]
    if found.several:
        yield "seeds", _seeds(found.several, own, games, images)
    mixed = games.rows(f"{ZOO}{found.mixed.short_name}", found.mixed.ids, MIXED) if found.mixed else []
    if ids:
        told = {name: (len(own_runs), own_runs[0].steps) for name, own_runs in found.by_id.items()}
        others = [MIXED] if mixed else []
        yield "per id", results_tables.per_id([*games.ends(ids), *own, *mixed], told, others)
        yield "all ids", _all_ids(ids, games, own)
        yield "ablation", _ablation(found, games)
    if found.mixed:
        yield "mixed", results_tables.overall([*games.ends(found.mixed.ids), *mixed], [RULES, MIXED, ORACLE])
    if found.without:
        yield "left out", _left_out(found, games, [*own, *mixed])


def _all_ids(ids: Sequence[str], games: Games, own: Sequence[Row]) -> str:
    """Return the tables of all ids, and of those that no setting was chosen on."""
    parts: list[str] = []
    clean = [name for name in ids if name != CHOSEN_ON]
    for title, chosen in (("All ids", ids), (f"Without {trained.short(CHOSEN_ON)}", clean if len(clean) < len(ids) else [])):
        rows = [*games.ends(chosen), *results_tables.averaged([row for row in own if row.id in chosen])]
        if chosen:
            told = results_tables.overall(rows, [RULES, LEARNED, ORACLE], summary.cluster_unit(rows))
            parts.append(f"{title} ({len(chosen)}):\n\n{told}")
    return "\n\n".join(parts)


def _own(of_id: Sequence[Trained], games: Games) -> list[Row]:
    """Return the rows of the policies trained on an id: the first is played from the zoo."""
    found: list[Row] = []
    for place, run in enumerate(of_id):
        policy = str(run.model) if place else f"{ZOO}{run.short_name}"
        found += games.rows(policy, run.ids, LEARNED, place)
    return found


def _seeds(several: Mapping[str, list[Trained]], own: Sequence[Row], games: Games, images: Path) -> str:
    tables: list[str] = []
    levels: dict[str, dict[str, float]] = {}
    for name, of_id in several.items():
        ends = games.ends([name])
        tables.append(results_tables.seeds_of([*ends, *own], name, [run.seed for run in of_id]))
        joint = {each: [row.terms["J"] or 0.0 for row in ends if row.policy == each] for each in (RULES, ORACLE)}
        levels[name] = {each: float(np.mean(values)) for each, values in joint.items()}
    images.mkdir(parents=True, exist_ok=True)
    results_figure.draw(several, levels, images / CURVE)
    return "\n\n".join([*tables, f"![J on held-out weeks against steps of training](images/{CURVE}.png)"])


def _ablation(found: Runs, games: Games) -> str:
    parts: list[str] = []
    for title, ids in [*((trained.short(name), [name]) for name in found.several), ("All ids", list(found.by_id))]:
        policies = {name: f"{ZOO}{found.by_id[name][0].short_name}" for name in ids}
        rows = [row for name in ids for row in games.rows(policies[name], [name], LEARNED)]
        for label, choice in FROZEN_LABELS.items():
            rows += [row for name in ids for row in games.rows(f"{FROZEN}{choice}:{policies[name]}", [name], label)]
        told = results_tables.ablation([*rows, *games.rows(RULES, ids)], list(FROZEN_LABELS), summary.cluster_unit(rows))
        parts.append(f"{title} ({len(ids)}):\n\n{told}")
    return "\n\n".join(parts)


def _left_out(found: Runs, games: Games, others: Sequence[Row]) -> str:
    """Return the table of the scenarios that policies were not trained on; the others are those that were."""
    rows: list[Row] = []
    for run in found.without:
        kept = {row.id for row in rows}
        ids = [name for name in _ids_of(run.left_out) if name not in kept]
        rows += games.rows(str(run.model), ids, LEFT_OUT)
    ids = list(dict.fromkeys(row.id for row in rows))
    beside = results_tables.averaged([row for row in others if row.id in ids])
    there = [each for each in (MIXED, LEARNED) if any(row.policy == each for row in beside)]
    every = [*rows, *games.ends(ids), *beside]
    told = results_tables.left_out(every, [LEFT_OUT, *there, RULES, ORACLE])
    return f"{told}\n\nWhere it is lost, means an episode:\n\n{results_tables.where_lost(every, [LEFT_OUT, *there, RULES])}"


def _ids_of(scenarios: Sequence[str]) -> list[str]:
    return [name for name in runs.persona_ids() if trained.short(name).partition("-")[0] in scenarios]


def _trade_offs(folder: Path, images: Path) -> dict[str, str]:
    """Return the section of a sweep, if there is one, having drawn it."""
    rows = sweeping.table(folder)
    if not rows:
        return {}
    images.mkdir(parents=True, exist_ok=True)
    sweeping.draw(rows, images / SURFACE)
    return {"trade-offs": f"{results_tables.sweep(rows)}\n\n![What each weighting reaches](images/{SURFACE}.png)"}


def filled(page: str, sections: Mapping[str, str], name: str) -> str:
    """Return a page with what stands between its marks replaced; a section that there are no runs for stays as it is.

    Raises:
        RunError: a mark is missing.
    """
    for section in SECTIONS:
        begin, end = f"<!-- begin: {section} -->", f"<!-- end: {section} -->"
        before, found, rest = page.partition(begin)
        _, closed, after = rest.partition(end)
        if not found or not closed:
            raise RunError(f"{name}: {begin} and {end} must stand on it, in this order.")
        if section in sections:
            page = f"{before}{begin}\n\n{sections[section]}\n\n{end}{after}"
        else:
            print(f"{name}: there is no run for '{section}': left as it is", file=sys.stderr)
    return page


if __name__ == "__main__":
    script.main(Args, write_results)
