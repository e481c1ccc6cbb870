"""Trust as language models rate it, at the end of an episode."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsFloat, cast

import gymnasium as gym

if TYPE_CHECKING:
    from proactivity_gym.envs.env import ProactivityEnv
    from proactivity_gym.wrappers.judge_panel import Judge, Panel
    from proactivity_gym.wrappers.trust_judge_rating import TrustReport


class TrustJudge(gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Puts TR-J into `info["terms"]["TR_J"]` with the last step of an episode, and changes nothing else.

    Two or more models each rate five constructs from 1 to 5 for every task that the user saw anything of
    (`trust_judge_rating`). `info["trust_judge"]` then holds the means of the constructs, each judge's mean, and how many
    verdicts were asked for and are missing; `trust_report` holds all verdicts. Rewards stay as they are: put
    `JointReward(..., trust="judge")` around this wrapper to be paid for it.

    Judging takes one call for each judge and task, about thirty in a week. If a server, a key or the budget fails, `step`
    raises the `LlmError`, and `judge()` can be called again.
    """

    def __init__(self, env: gym.Env[Any, Any], *, judges: "str | Path | Sequence[Judge] | Panel", hide: str = "") -> None:
        """Take the judges.

        Args:
            env: an environment of proactivity_gym.
            judges: path of a TOML file that names two models (`judge_panel_file`), two clients, or a panel of them.
            hide: names of model and harness that the agent's texts may give away, separated by commas.

        Raises:
            ValueError: another environment, fewer than two judges, or a file that cannot be used.
            LlmError: a model has no key.
        """
        from proactivity_gym.wrappers.judge_panel import Panel  # noqa: PLC0415 (only who wants judges loads them)

        if not hasattr(env.unwrapped, "week_seed"):
            raise ValueError(f"TrustJudge needs an environment of proactivity_gym, not {env.unwrapped}")
        given = str(judges) if isinstance(judges, str | Path) else judges if isinstance(judges, Panel) else Panel(judges)
        self._panel = Panel.from_file(given) if isinstance(given, str) else given
        self._hide = hide.split(",")
        gym.utils.RecordConstructorArgs.__init__(self, judges=given, hide=hide)
        gym.Wrapper.__init__(self, env)
        self.trust_report: TrustReport | None = None
        """What the judges said of the episode that ended last; None: none has, since the last reset."""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a new week."""
        begun = self.env.reset(seed=seed, options=options)  # one that is refused leaves the report as it is
        self.trust_report = None
        return begun

    def step(self, action: object) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        """Act; with the last step, be judged.

        Raises:
            LlmError: a server, a key or the budget failed.
        """
        observation, reward, terminated, truncated, info = self.env.step(action)
        if terminated or truncated:
            report = self.judge()
            info = {**info, "terms": {**info["terms"], "TR_J": report.tr_j}, "trust_judge": report.record()}
        return observation, reward, terminated, truncated, info

    def judge(self) -> "TrustReport":
        """Have the episode judged as far as it has been played.

        Raises:
            LlmError: a server, a key or the budget failed.
        """
        from proactivity_gym.wrappers.trust_judge_rating import rate  # noqa: PLC0415 (likewise)

        base = cast("ProactivityEnv", self.env.unwrapped)
        self.trust_report = rate(base.episode, self._panel, hide=self._hide)
        return self.trust_report
