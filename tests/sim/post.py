"""Three days of letters (which need a yes) and errands (which do not), made to measure and played by name."""

from datetime import datetime

from proactivity_gym.sim.board import OpenSignal
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.parsing import parse
from proactivity_gym.sim.plan import build
from proactivity_gym.sim.trace import Value
from proactivity_gym.sim.variation import written
from proactivity_gym.sim.words import Depth, Timing

HEAD = """
format = 1
name = "Post"
version = 1
title = "Post"
summary = "Letters, which need a yes, and errands, which do not."
zone = "Europe/Lisbon"
start = 2027-03-08
days = 3
topics = ["letters", "errands"]
sessions = { post = "Post" }
user = { name = "Ana", role = "translator", background = "Writes in the morning." }
rhythm = [
  { phase = "sleep", start = 23:00:00, end = 07:00:00 },
  { phase = "focus", start = 09:00:00, end = 12:00:00 },
]
resource = [{ id = "assistant", title = "compute", capacity = 1, preemptible = true }]

[[persona]]
id = "A"
name = "Reviewer"
sentence = "Wants to see letters."
latency_min = 2
delegation = [
  { topic = "any", depth = "suggest", said = "Ask me." },
  { topic = "errands", depth = "execute", said = "Errands: go ahead." },
]

[persona.voice]
approve = "Yes."
decline = "No."
defer = "Later."
too_deep = "Too far."
too_timid = "Too timid."
withdraw = "Ask me from now on."
restore = "Go ahead again."
"""


def matter(name: str, at: str = "08T08:00", topic: str = "letters", *extra: str) -> str:
    """Return a task (15 minutes of work, 5 of review) with its signal; `extra` are lines `key = value` of the task."""
    given = {line.partition(" =")[0] for line in extra}
    usual = ['kind = "latent"', "deadline = 2027-03-10T18:00:00", f'evidence = ["{name}-mail"]', "review_min = 5"]
    lines = [*extra, *(line for line in usual if line.partition(" =")[0] not in given)]
    return f"""
[[task]]
id = "{name}"
title = "Answer"
value = 1
topic = "{topic}"
session = "post"
scope = "out-of-task"
horizon = "immediate"
work_min = 15
why = "It is asked."
{chr(10).join(lines)}
actions = [{{ tool = "messages.send", args = {{ to = "Rui", body = "Yes" }} }}]

[[record]]
id = "{name}-mail"
app = "mail"
title = "{name}"
text = "A question."
status = "open"
at = 2027-03-{at}:00
signal = {{ task = "{name}" }}
"""


NOISE = """
[[record]]
id = "noise"
app = "mail"
title = "noise"
text = "Three for two."
at = 2027-03-08T08:00:00

[record.signal]
topic = "letters"
work_min = 15
review_min = 5
resource = "assistant"
class = "commit"
"""
FACT = '\n[[record]]\nid = "fact"\napp = "mail"\ntitle = "Fact"\ntext = "No."\nat = 2027-03-10T12:00:00\n'
LATE = 'evidence = ["one-mail", "fact"]'


class Play:
    """An episode played by name."""

    def __init__(self, *pieces: str) -> None:
        scenario = parse(HEAD + "".join(pieces), "post.toml")
        self.episode = Episode(written(build(scenario, scenario.personas[0])))
        self.episode.start()
        self.inbox = self.episode.inbox

    def signal(self, name: str) -> OpenSignal | None:
        """Return the open signal of a record, if there is one."""
        plan = self.episode.week.plan
        ids = {f"{name}-mail", name}
        found = (s for s in self.episode.board.slots if s and plan.records[plan.signals[s.index].record].id in ids)
        return next(found, None)

    def take(self, name: str, depth: Depth, timing: Timing) -> None:
        """Wait for a signal and act on it."""
        while (signal := self.signal(name)) is None:
            self.episode.wait()
        assert self.episode.act(signal.slot, depth, timing) is None

    def until(self, when: str) -> None:
        """Wait for the first activation at or after a time."""
        while not self.episode.over and self.time(self.episode.now) < when:
            self.episode.wait()

    def time(self, minute: int) -> str:
        """Write a minute as `08T09:30`."""
        local: datetime = self.episode.week.plan.clock.local(minute)
        return f"{local:%dT%H:%M}"

    def heard(self, name: str, key: str) -> list[tuple[str, Value]]:
        """Return when something happened, with one of its particulars."""
        return [(self.time(minute), data[key]) for minute, what, data in self.episode.trace if what == name]

    def expected(self, name: str) -> Depth:
        """Return the expected depth of a matter."""
        rows = self.episode.week.plan.tasks
        return self.episode.expected(next(row.signals[0] for row in rows if row.id == name))
