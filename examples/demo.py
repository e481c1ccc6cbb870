"""What `make demo` shows: every persona's week, played by reference policies, and what each of three objectives says.

Run it from anywhere; the picture goes to runs/demo-week.png below the folder that it is run in.
"""

from pathlib import Path

from rich.console import Console
from rich.table import Table

from proactivity_gym.baselines import policy
from proactivity_gym.envs.timeline import draw, save
from proactivity_gym.reports.runs import Planned, Row, Settings, make, persona_ids, plan, play

POLICIES = ("noop", "dismiss", "prepare", "suggest", "execute", "defer", "random", "rules", "oracle")
"""From nothing at all to hidden truth."""
SHOWN_POLICY = "rules"
PICTURE = Path("runs/demo-week.png")

INTRODUCTION = """\
An assistant lives through a week of somebody's life. Mails, messages and bookings come in; each may call for
help or be nothing. The assistant decides what to take up, how deep to go (prepare, suggest, execute) and when.
Three objectives judge the week:

  TC    was what was needed done, and right?             0 to 100, weighted by the value of each task
  TA    was the urgent done now, and the other deferred? 0 to 100, over pairs of tasks that compete
  TR-D  did it go as deep as the user wants, no deeper?  0 to 100; doing nothing is no decision

J weighs all three into the return that learners maximise (0 to 1). No single objective is enough: going ahead
with everything works, but oversteps; asking about everything is polite, but interrupts and misses what cannot
wait. `oracle` sees hidden truth, which proves that every week can be solved; `rules` sees what an agent sees.
"""


def main() -> None:
    """Play, explain, draw."""
    console = Console(highlight=False, width=max(110, Console().width))
    console.print(INTRODUCTION, markup=False)
    planned = plan(POLICIES, persona_ids(), [0], Settings(variation="written"))
    rows = [play(each) for each in planned]
    console.print(table(rows))
    week = next(each for each in planned if each.policy == SHOWN_POLICY)
    draw_week(week)
    print(f"\nPicture: {PICTURE} ({PICTURE.stat().st_size // 1024} KB)")
    print(f"  the week of {week.id} as played by `{week.policy}`: what came, what it did, how it went down")
    print("Go on with: .venv/bin/pgym show Education, .venv/bin/pgym play Education-PersonaA, .venv/bin/pgym run --help")


def table(rows: list[Row]) -> Table:
    """Return the means of each policy over all weeks."""
    weeks = len({row.id for row in rows})
    made = Table("policy", "TC", "TA", "TR-D", "J", "interruptions", "false alarms", title=f"{weeks} persona-weeks, means")
    for column in made.columns[1:]:
        column.justify = "right"
    for name in POLICIES:
        own = [row for row in rows if row.policy == name]
        made.add_row(name, *(mean(own, term) for term in ("TC", "TA", "TR_D", "J", "interruptions", "false_alarms")))
    return made


def mean(rows: list[Row], term: str) -> str:
    """Return the mean of a term, as text."""
    values = [value for row in rows if (value := row.terms[term]) is not None]
    return f"{sum(values) / len(values):.{2 if term == 'J' else 1}f}" if values else "-"


def draw_week(planned: Planned) -> None:
    """Play a week once more and draw it."""
    env = make(planned)
    policy.play(policy.make(planned.policy, env), env, planned.seed)
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    save(draw(env.episode.week, env.episode.trace.entries), PICTURE)


if __name__ == "__main__":
    main()
