"""Jobs on shared resources: starting, competing, pre-emption, pausing and planning anew.

A job takes `demand` units of one resource for its minutes of work. Deferred jobs (IDLE, SLEEP, DUE) plan from forecasts and
give way; NOW jobs start at once, wait only for each other, and compete where the user is at it too.
"""

from typing import Protocol

from proactivity_gym.sim.bench import Bench, Job
from proactivity_gym.sim.forecast import When
from proactivity_gym.sim.planner import latest_start
from proactivity_gym.sim.schedule import Kind, Schedule
from proactivity_gym.sim.timeline import NEVER, Spans, crowded_minutes, last_in, next_in
from proactivity_gym.sim.week import SignalRow, UsageRow, Week
from proactivity_gym.sim.words import Timing

_NOW, _DUE = Timing.NOW, Timing.DUE
_JOB_START, _JOB_END, _USE_END = Kind.JOB_START.value, Kind.JOB_END.value, Kind.USE_END.value


class Host(Protocol):
    """What jobs need of the episode."""

    now: int
    week: Week
    schedule: Schedule


class Listener(Protocol):
    """Who hears of jobs."""

    def job_started(self, job: Job, first: bool) -> None:
        """Learn that a job's work started or went on."""
        ...

    def job_paused(self, job: Job) -> None:
        """Learn that a job's work paused."""
        ...

    def job_done(self, job: Job) -> None:
        """Learn that a job's work ended."""
        ...


class Jobs:
    """The jobs of an episode and the resources they share."""

    __slots__ = ("_host", "_late", "_listener", "all", "benches", "changed", "running", "used")

    def __init__(self, host: Host, listener: Listener) -> None:
        """Start with nothing to do."""
        self._host = host
        self._listener = listener
        self.all: list[Job] = []
        self.benches = [Bench(row, host.week.plan.horizon) for row in host.week.plan.resources]
        self.running: set[int] = set()
        """Resources with jobs that run."""
        self.changed = set(range(len(self.benches)))
        """Resources whose state changed since an observer last looked, otherwise than by time going on."""
        self.used = [0] * len(self.benches)
        """Units of each resource that the user takes now."""
        self._late: dict[int, int] = {}
        """Minutes by which a use of the user's ends later, for having been slowed."""

    # Planning

    def plan(self, row: SignalRow, timing: Timing, work_min: int, by: int) -> int:
        """Return when work of this timing would start, from forecasts and the agent's own jobs; NEVER: no such slot."""
        host = self._host
        if timing == _NOW:
            return host.now
        when, forecast = _WHEN[timing], host.week.plan.forecast
        bench = self.benches[row.resource]
        latest = latest_start(host.week.plan, work_min, row.review_min, by) if timing == _DUE else None
        own = bench.own_uses(host.now)
        if bench.forecast is None:
            # The agent's own jobs can only rule out what would be possible without them.
            start = _pick(forecast.starts(row.resource, row.demand, work_min, when), host.now, latest)
            if all(end <= start or begin >= start + work_min for begin, end, _ in own):
                return start
        uses = own + (forecast.uses[row.resource] if bench.forecast is None else bench.forecast)
        return _pick(forecast.starts_beside(uses, row.resource, (row.demand, work_min, when), host.now), host.now, latest)

    # The life of a job

    def submit(self, job: Job) -> None:
        """Take a job on; its `start` is what `plan` answered."""
        self.all.append(job)
        self.changed.add(job.row.resource)
        bench = self.benches[job.row.resource]
        if job.timing == _NOW:
            self._make_room(job, bench)
            bench.queue.append(job)
            self._refill(job.row.resource)
        elif job.start == self._host.now and self._fits(job):
            self._run(job, bench)
        else:
            self._await_start(job, bench)

    def _await_start(self, job: Job, bench: Bench) -> None:
        bench.planned.append(job)
        job.version += 1
        self._host.schedule.push(job.start, _JOB_START, job.id * _VERSIONS + job.version)

    def _make_room(self, job: Job, bench: Bench) -> None:
        """Pause deferred jobs for one that is to run NOW."""
        if not bench.row.preemptible:
            return
        for other in bench.pausable(self._host.now):
            if bench.taken + job.row.demand <= bench.row.capacity:
                break
            self._pause(other, bench)

    def _fits(self, job: Job) -> bool:
        return self.benches[job.row.resource].fits(job, self._host.now, self.used[job.row.resource])

    def _run(self, job: Job, bench: Bench) -> None:
        host, first = self._host, not job.begun
        bench.start(job, host.now)
        self.running.add(job.row.resource)
        self.changed.add(job.row.resource)
        host.schedule.push(host.now + job.left, _JOB_END, job.id * _VERSIONS + job.version)
        self._listener.job_started(job, first)

    def _stop(self, job: Job, bench: Bench) -> None:
        """Take a job off its resource and note what it did there."""
        now, resource = self._host.now, job.row.resource
        bench.stop(job, now)
        self.changed.add(resource)
        if not bench.running:
            self.running.discard(resource)
        if job.timing == _NOW and not bench.row.stock:
            usages = enumerate(self._host.week.usages)
            near = [(i, u) for i, u in usages if u.resource == resource and u.start < now]
            uses = [(u.start, u.end + self._late.get(i, 0), u.units) for i, u in near]
            shared = crowded_minutes(uses, bench.row.capacity - job.row.demand, job.start, now)
            job.competed += shared
            bench.slowed += shared

    def _pause(self, job: Job, bench: Bench) -> None:
        self._stop(job, bench)
        bench.paused.append(job)
        self._listener.job_paused(job)

    def on_start(self, key: int) -> None:
        """Start a deferred job whose time has come, or plan it anew if there is no room."""
        job = self.all[key // _VERSIONS]
        if job.version != key % _VERSIONS:
            return
        bench = self.benches[job.row.resource]
        bench.planned.remove(job)
        if self._fits(job):
            self._run(job, bench)
            return
        job.start = self.plan(job.row, job.timing, job.left, job.by)
        if self._host.now < job.start < NEVER:
            self._await_start(job, bench)
        else:
            bench.paused.append(job)

    def on_end(self, key: int) -> None:
        """End a job whose work is done."""
        job = self.all[key // _VERSIONS]
        if job.version != key % _VERSIONS:
            return
        resource = job.row.resource
        self._stop(job, self.benches[resource])
        self._listener.job_done(job)
        self._refill(resource)

    def _refill(self, resource: int) -> None:
        """Start what waits and fits: NOW jobs in order, then paused ones."""
        bench = self.benches[resource]
        while bench.queue and self._fits(bench.queue[0]):
            self._run(bench.queue.pop(0), bench)
        for job in list(bench.paused):
            if not bench.queue and self._fits(job):
                bench.paused.remove(job)
                self._run(job, bench)

    # The user and the world

    def on_use_start(self, index: int) -> None:
        """Learn that the user's own use of a resource begins."""
        use = self._host.week.usages[index]
        self.benches[use.resource].slowed = 0
        self._use(use, use.units)

    def on_use_end(self, index: int) -> None:
        """Learn that the user's own use of a resource ends: later, if it was slowed."""
        use = self._host.week.usages[index]
        bench = self.benches[use.resource]
        if bench.slowed:
            self._late[index] = self._late.get(index, 0) + bench.slowed
            self._host.schedule.push(self._host.now + bench.slowed, _USE_END, index)
            bench.slowed = 0
        else:
            self._use(use, -use.units)

    def _use(self, use: UsageRow, units: int) -> None:
        """Let the user take units or give them back, and make way or plan anew."""
        bench = self.benches[use.resource]
        self.used[use.resource] += units
        self.changed.add(use.resource)
        if not use.stated or use.end != use.stated_end:
            self._update_forecast(use.resource, bench)
        self._give_way(use.resource, bench)
        self._refill(use.resource)

    def _update_forecast(self, resource: int, bench: Bench) -> None:
        """Know what is seen of the user's uses, and plan anew what it changes."""
        bench.foresee([use for use in self._host.week.usages if use.resource == resource], self._host.now)
        for job in list(bench.planned):
            start = self.plan_again(job, bench)
            if start != job.start:
                bench.planned.remove(job)
                job.start = start
                self._await_start(job, bench)

    def plan_again(self, job: Job, bench: Bench) -> int:
        """Return when a planned job should start, given what is known now; its old start if there is no better."""
        bench.planned.remove(job)
        start = self.plan(job.row, job.timing, job.left, job.by)
        bench.planned.append(job)
        return start if start < NEVER else job.start

    def _give_way(self, resource: int, bench: Bench) -> None:
        if bench.row.stock:
            return
        for job in bench.pausable(self._host.now):
            if bench.taken + self.used[resource] <= bench.row.capacity:
                break
            self._pause(job, bench)

    def on_resource(self, resource: int) -> None:
        """Learn that a resource opens, closes or is reset."""
        bench = self.benches[resource]
        self.changed.add(resource)
        if self._host.now in bench.row.resets:
            bench.spent = 0
        self._refill(resource)

    def state(self, resource: int) -> tuple[int, int]:
        """Return what an observer sees of a resource: units free now, and minutes queued by the agent."""
        bench, now = self.benches[resource], self._host.now
        return bench.left(now, self.used[resource]), bench.queued(now)


def _pick(spans: Spans, now: int, latest: int | None) -> int:
    """Return the first start from now on, or the last one until a latest minute; NEVER: there is none."""
    if latest is None:
        return next_in(spans, now)
    start = last_in(spans, latest)
    return start if start >= now else NEVER


_WHEN = {Timing.IDLE: When.FREE, Timing.SLEEP: When.ASLEEP, Timing.DUE: When.ANY_TIME}
_VERSIONS = 1 << 16
