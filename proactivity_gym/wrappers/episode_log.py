"""A log of every episode, from which it can be played again (see `log_format` and `replay`)."""

from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsFloat, cast

import gymnasium as gym

from proactivity_gym import __version__
from proactivity_gym.envs.decode import decode
from proactivity_gym.scenarios import catalogue
from proactivity_gym.wrappers import log_format
from proactivity_gym.wrappers.log_file import LogFile, stem_of

if TYPE_CHECKING:
    from proactivity_gym.envs.env import ProactivityEnv
    from proactivity_gym.sim.episode import Episode
    from proactivity_gym.sim.trace import Entry


class EpisodeLog(gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Writes each episode to a file of its own in a folder, one line a step, flushed as it comes.

    Put it next to the environment, inside of wrappers that change actions. Reads through `env.get_wrapper_attr("read")`
    are logged as they were made; of reads around this wrapper, those that had an effect. An episode without step or
    read leaves no file. A copy (deepcopy, pickle, fork) made in mid-episode goes on in another file, which holds the
    whole episode.
    """

    def __init__(self, env: gym.Env[Any, Any], *, folder: str | Path) -> None:
        """Take the folder, which is made when needed.

        Raises:
            ValueError: the environment is none that can be played again from a log; or a wrapper in it changes actions.
            NotADirectoryError: the folder is a file.
        """
        base = env.unwrapped
        if base.spec is None or not hasattr(base, "week_seed"):
            raise ValueError(f"EpisodeLog needs an environment of proactivity_gym made by gym.make, not {base}")
        if env.action_space != base.action_space:
            raise ValueError("EpisodeLog goes inside of wrappers that change actions: FlatActions(EpisodeLog(env))")
        place = Path(folder).absolute()
        if place.exists() and not place.is_dir():
            raise NotADirectoryError(f"folder={str(folder)!r} is a file: give a folder")
        gym.utils.RecordConstructorArgs.__init__(self, folder=str(folder))
        gym.Wrapper.__init__(self, env)
        self._file = LogFile(place, stem_of(base.spec.id))
        self._open = False
        self._steps = 0
        self._told = 0
        """Entries of the trace that the steps written so far cover."""
        self._seen = 0
        """Entries of the trace whose reads are written."""

    @property
    def log_path(self) -> Path | None:
        """Return the file of the episode being played or just played; None before its first step or read."""
        return self._file.path

    @property
    def _base(self) -> "ProactivityEnv":
        return cast("ProactivityEnv", self.env.unwrapped)

    @property
    def _entries(self) -> "list[Entry]":
        return self._base.episode.trace.entries

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a new week, and with its first step a new file."""
        left = self._base.episode if self._open else None
        observation, info = self.env.reset(seed=seed, options=options)  # one that is refused leaves week and log as they are
        if left is not None:
            self._finish(log_format.CUT_OFF, left)
        self._file.begin(log_format.header_line(_header(self._base, seed, options)))
        self._open = True
        self._steps = self._told = 0
        self._seen = len(self._entries)
        return observation, info

    def step(self, action: object) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        """Act, and write it down."""
        if self._open:
            self._catch_up(self._base.episode)
        decoded = decode(action)
        observation, reward, terminated, truncated, info = self.env.step(action)
        if self._open:
            entries = self._entries[self._told :]
            self._told = self._seen = len(self._entries)
            self._steps += 1
            error = info.get("action_error")
            self._file.append(log_format.step_line(decoded, entries, log_format.number(float(reward)), error))
            if terminated or truncated:
                self._finish(log_format.TRUNCATED, self._base.episode)
        return observation, reward, terminated, truncated, info

    def read(self, tool: str, arguments: Mapping[str, object]) -> dict[str, object]:
        """Call a `read` tool of the world, and write it down; a call that is refused changes nothing and is left out.

        Raises:
            ToolError: no such tool, wrong arguments, or a tool that does more than read.
        """
        if self._open:
            self._catch_up(self._base.episode)
        result: dict[str, object] = self.env.get_wrapper_attr("read")(tool, arguments)
        if self._open:
            self._seen = len(self._entries)
            self._file.append(log_format.read_line(tool, arguments))
        return result

    def close(self) -> None:
        """End the log of an episode that is not over, and close the environment."""
        try:
            if self._open:
                self._finish(log_format.CUT_OFF, self._base.episode)
        finally:
            self.env.close()

    def _catch_up(self, episode: "Episode") -> None:
        """Write down what was read since the last step around this wrapper."""
        for tool, record in self._reads_around(episode):
            self._file.append(log_format.read_line(tool, {"id": record}))
        self._seen = len(episode.trace.entries)

    def _reads_around(self, episode: "Episode") -> Iterator[tuple[str, str]]:
        records = episode.week.plan.scenario.records
        for _, name, data in episode.trace.entries[self._seen :]:
            if name == "read":
                record = records[cast("int", data["record"])]
                yield f"{record.app}.read", record.id

    def _finish(self, status: str, episode: "Episode") -> None:
        """Write the last line of an episode's log; the episode may have been left."""
        self._open = False
        self._catch_up(episode)
        if self._steps or self._file.path is not None:
            status = log_format.COMPLETED if episode.over else status
            trace = log_format.digest(episode.trace.entries)
            final = log_format.Final(status, self._steps, trace, episode.tally.terms())
            self._file.append(log_format.final_line(final), last=True)


def _header(base: "ProactivityEnv", seed: int | None, options: Mapping[str, Any] | None) -> log_format.Header:
    """Describe what an environment plays after a reset."""
    plan = base.episode.week.plan
    settings = base.settings
    source = settings["scenario"] if catalogue.is_path(settings["scenario"]) else plan.scenario.name
    return log_format.Header(
        package=__version__,
        id=base.spec.id if base.spec else "",
        source=source,
        sha256=fingerprint(source),
        scenario_version=plan.scenario.version,
        persona=plan.persona.id,
        variation=settings["variation"],
        week=base.week_seed,
        user=settings["user"],
        worker=settings["worker"],
        weights=list(settings["weights"]),
        seed=None if seed is None else int(seed),
        options={str(key): value for key, value in (options or {}).items() if isinstance(value, str | int | None)},
        draws=base.draws_seed,
        difficulty=settings["difficulty"],
    )


@cache
def fingerprint(source: str) -> str:
    """Return the SHA-256 of a scenario's file, as it was when first asked for.

    Raises:
        ScenarioError: there is no such scenario or file.
    """
    return sha256(catalogue.path_of(source).read_bytes()).hexdigest()
