"""What a run has spent, and its caps. Every attempt counts, whoever asked and however it ended."""

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from proactivity_gym.llm.errors import BudgetExceeded, UnpricedModel

_MILLION = 1_000_000


@dataclass(frozen=True)
class Price:
    """US dollars for a million tokens."""

    prompt: float
    completion: float

    def __post_init__(self) -> None:
        """Refuse what is no price.

        Raises:
            ValueError: negative or not finite.
        """
        if not all(0 <= figure < float("inf") for figure in (self.prompt, self.completion)):
            raise ValueError("a price must be a finite number of dollars, zero or more")


@dataclass(frozen=True)
class Usage:
    """Tokens of one attempt. `reported` is False where the server did not say: then they are estimates, 0 for a failure."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    reported: bool = True


@dataclass(frozen=True)
class Spent:
    """The account of one model and purpose.

    Attributes:
        calls: attempts, failed ones included; answers from a cache are none.
        failed: attempts that brought no usable reply.
        unreported: attempts whose tokens the server did not report; if not failed, they count by estimate.
        usd: None where the model has no price.
    """

    model: str
    purpose: str
    calls: int = 0
    failed: int = 0
    unreported: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float | None = None


@dataclass
class Ledger:
    """Tokens and money of a run, shared by all its clients and threads.

    A cap is checked before each attempt (`reserve`) and charged after it (`record`), so what goes over is at most the one call
    that each worker has in flight.

    Args:
        prices: model to price.
        cap_usd: no call starts once this is spent. Models without a price are then refused (`admit`).
        cap_tokens: likewise for tokens, prompts and replies together.
    """

    prices: Mapping[str, Price] = field(default_factory=dict[str, Price])
    cap_usd: float | None = None
    cap_tokens: int | None = None
    _accounts: dict[tuple[str, str], Spent] = field(default_factory=dict[tuple[str, str], Spent], init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def admit(self, model: str) -> None:
        """Check that a model can be accounted for; clients do so when they are made.

        Raises:
            UnpricedModel: money is capped and the model has no price.
        """
        if self.cap_usd is not None and model not in self.prices:
            raise UnpricedModel(f"model {model!r} has no price, so a cap of {self.cap_usd} USD cannot hold: give its price")

    def reserve(self) -> None:
        """Ask leave for one attempt.

        Raises:
            BudgetExceeded: a cap is reached.
        """
        with self._lock:
            tokens, usd = self._tokens(), self._usd()
        if self.cap_tokens is not None and tokens >= self.cap_tokens:
            raise BudgetExceeded(f"{tokens} tokens are spent, the cap is {self.cap_tokens}")
        if self.cap_usd is not None and usd >= self.cap_usd:
            raise BudgetExceeded(f"{usd:.4f} USD are spent, the cap is {self.cap_usd}")

    def record(self, model: str, purpose: str, usage: Usage, *, failed: bool = False) -> None:
        """Charge one attempt."""
        with self._lock:
            account = self._accounts.get((model, purpose)) or Spent(model, purpose)
            self._accounts[model, purpose] = replace(
                account,
                calls=account.calls + 1,
                failed=account.failed + failed,
                unreported=account.unreported + (not usage.reported),
                prompt_tokens=account.prompt_tokens + usage.prompt_tokens,
                completion_tokens=account.completion_tokens + usage.completion_tokens,
            )

    def restore(self, accounts: Iterable[Spent]) -> None:
        """Add what an earlier part of the run spent, as `totals` told it."""
        with self._lock:
            for earlier in accounts:
                now = self._accounts.get((earlier.model, earlier.purpose)) or Spent(earlier.model, earlier.purpose)
                self._accounts[earlier.model, earlier.purpose] = replace(
                    now,
                    calls=now.calls + earlier.calls,
                    failed=now.failed + earlier.failed,
                    unreported=now.unreported + earlier.unreported,
                    prompt_tokens=now.prompt_tokens + earlier.prompt_tokens,
                    completion_tokens=now.completion_tokens + earlier.completion_tokens,
                )

    def totals(self) -> tuple[Spent, ...]:
        """Return the accounts, sorted by model and purpose, with their cost."""
        with self._lock:
            accounts = sorted(self._accounts.items())
        return tuple(replace(account, usd=self._cost(account)) for _, account in accounts)

    @property
    def tokens(self) -> int:
        """Tokens spent, prompts and replies together."""
        with self._lock:
            return self._tokens()

    @property
    def usd(self) -> float:
        """Dollars spent on models that have a price."""
        with self._lock:
            return self._usd()

    def _tokens(self) -> int:
        return sum(account.prompt_tokens + account.completion_tokens for account in self._accounts.values())

    def _usd(self) -> float:
        return sum(self._cost(account) or 0.0 for account in self._accounts.values())

    def _cost(self, account: Spent) -> float | None:
        price = self.prices.get(account.model)
        if price is None:
            return None
        return (account.prompt_tokens * price.prompt + account.completion_tokens * price.completion) / _MILLION
