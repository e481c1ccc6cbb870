"""Spending: the ledger says what the server says, and caps hold."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import pytest

from proactivity_gym.llm.client import Client, Ledger, ModelConfig
from proactivity_gym.llm.errors import BudgetExceeded, LlmError, UnpricedModel
from proactivity_gym.llm.ledger import Price, Spent, Usage
from proactivity_gym.llm.messages import PURPOSES
from proactivity_gym.llm.mock_server import MockServer
from proactivity_gym.llm.scripted import Scripted
from tests.llm.asking import QUESTION, Sleeper, config_of, in_turn, question

FAULTS = (
    Scripted(status=429, headers={"Retry-After": "1"}),
    Scripted(status=500, prompt_tokens=31, completion_tokens=4),
    Scripted(status=503),
    Scripted(fault="reset"),
    Scripted("x" * 400, fault="cut"),
    Scripted(fault="empty_choices", prompt_tokens=17, completion_tokens=0),
    Scripted("half", fault="content_filter", prompt_tokens=13, completion_tokens=3),
    Scripted(status=400, code="context_length_exceeded", prompt_tokens=5),
    Scripted(status=401),
)
WORKERS = 8


def unreliable(asked: Mapping[str, object]) -> Scripted:
    """Fail by the number in the question and by how often it was asked; succeed in the end."""
    number = len(str(asked["messages"])) + next(_COUNT)
    return FAULTS[number % len(FAULTS)] if number % 10 < 3 else Scripted("fine", completion_tokens=number % 50)


_COUNT = iter(range(10**9))


def test_the_ledger_equals_the_servers_to_the_token() -> None:
    ledger = Ledger()
    with MockServer(unreliable) as server:
        clients = [Client(ModelConfig(name, base_url=server.url), ledger=ledger, sleep=Sleeper()) for name in ("a", "b")]

        def ask(number: int) -> bool:
            try:
                clients[number % 2].complete(question(number, PURPOSES[number % 4]))
            except LlmError:
                return False
            return True

        with ThreadPoolExecutor(WORKERS) as pool:
            answered = list(pool.map(ask, range(400)))
        accounts = ledger.totals()
        assert (sum(x.prompt_tokens for x in accounts), sum(x.completion_tokens for x in accounts)) == server.tokens
        assert sum(account.calls for account in accounts) == len(server.calls) > 400
        for account in accounts:
            seen = [call for call in server.calls if call.asked["model"] == account.model]
            same = [x for x in accounts if x.model == account.model]
            assert sum(call.prompt_tokens for call in seen) == sum(x.prompt_tokens for x in same)
        for client in clients:
            client.close()
    assert sum(account.calls - account.failed for account in accounts) == sum(answered)
    assert 0 < sum(answered) < 400
    assert {account.purpose for account in accounts} == set(PURPOSES)


@pytest.mark.parametrize("workers", [1, WORKERS])
def test_a_cap_of_tokens_is_passed_by_at_most_one_call_per_worker(workers: int) -> None:
    ledger = Ledger(cap_tokens=2_000)  # a call costs 110
    answer = Scripted("fine", prompt_tokens=100, completion_tokens=10, delay_s=0.01)
    assert spend(ledger, answer, workers) == ledger.tokens
    assert 2_000 <= ledger.tokens < 2_000 + workers * 110


def test_a_cap_of_money_is_passed_by_at_most_one_call_per_worker() -> None:
    ledger = Ledger({"mock": Price(prompt=2.0, completion=8.0)}, cap_usd=0.01)  # a call costs 0.00028 USD
    spend(ledger, Scripted("fine", prompt_tokens=100, completion_tokens=10, delay_s=0.01), WORKERS)
    assert 0.01 <= ledger.usd < 0.01 + WORKERS * 0.00028


def test_failed_calls_count_against_the_cap() -> None:
    ledger = Ledger(cap_tokens=300)
    answer = Scripted(fault="empty_choices", prompt_tokens=100, completion_tokens=0)
    with MockServer(in_turn(answer)) as server, Client(config_of(server.url), ledger=ledger, sleep=Sleeper()) as client:
        with pytest.raises(BudgetExceeded, match="300 tokens are spent, the cap is 300"):
            client.complete(QUESTION)
        assert len(server.calls) == 3


def spend(ledger: Ledger, answer: Scripted, workers: int) -> int:
    """Ask until the cap stops every worker; return the tokens that the server counted."""
    with MockServer(in_turn(answer)) as server, Client(config_of(server.url), ledger=ledger) as client:

        def work(worker: int) -> None:
            for number in range(1_000):
                try:
                    client.complete(question(worker * 1_000 + number))
                except BudgetExceeded:
                    return
            pytest.fail("the cap never held")

        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(work, range(workers)))
        return sum(server.tokens)


def test_an_unpriced_model_with_a_cap_of_money_is_refused() -> None:
    ledger = Ledger({"other": Price(1, 1)}, cap_usd=5.0)
    with pytest.raises(UnpricedModel, match="model 'mock' has no price"):
        Client(ModelConfig("mock", base_url="http://127.0.0.1:9/v1"), ledger=ledger)
    Client(ModelConfig("other", base_url="http://127.0.0.1:9/v1"), ledger=ledger).close()
    Client(ModelConfig("mock", base_url="http://127.0.0.1:9/v1"), ledger=Ledger(cap_tokens=5)).close()


def test_costs_and_what_an_earlier_part_spent() -> None:
    ledger = Ledger({"a": Price(3.0, 15.0), "free": Price(0, 0)})
    ledger.record("a", "judge", Usage(1_000_000, 100_000))
    ledger.record("a", "policy", Usage(10, 1), failed=True)
    ledger.record("b", "policy", Usage(reported=False), failed=True)
    again = Ledger(ledger.prices)
    again.restore(ledger.totals())
    again.record("free", "user", Usage(5, 5))
    assert again.totals() == (
        Spent("a", "judge", 1, 0, 0, 1_000_000, 100_000, 4.5),
        Spent("a", "policy", 1, 1, 0, 10, 1, 45e-6),
        Spent("b", "policy", 1, 1, 1, 0, 0, None),
        Spent("free", "user", 1, 0, 0, 5, 5, 0.0),
    )
    assert again.tokens == 1_100_021
    assert again.usd == pytest.approx(4.500045)


def test_a_server_that_reports_no_usage_is_estimated_not_free() -> None:
    with MockServer(in_turn(Scripted("word " * 80, usage=False))) as server, Client(config_of(server.url)) as client:
        client.complete(QUESTION)
        (account,) = client.ledger.totals()
    assert account.unreported == 1
    assert account.completion_tokens == 100
    assert account.prompt_tokens > 5


@pytest.mark.parametrize("price", [(-1.0, 0.0), (0.0, float("inf")), (float("nan"), 0.0)])
def test_no_price_at_all(price: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="finite number of dollars"):
        Price(*price)
