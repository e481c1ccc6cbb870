import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from proactivity_gym.baselines.llm_models import chosen_model
from proactivity_gym.baselines.llm_worker import LLMWorker
from proactivity_gym.llm.client import Client, ModelConfig
from proactivity_gym.llm.mock_server import MockServer
from proactivity_gym.llm.scripted import Scripted
from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.words import Depth, Timing
from proactivity_gym.sim.work import Desk

NOTE = {"tool": "files.note", "arguments": {"title": "Done", "body": "all"}}
BAD_NOTE = {"tool": "files.note", "arguments": {"title": 3, "body": "all"}}

COURSE = {"tool": "course.book", "arguments": {"session": "any"}}


class Bench:
    """An episode whose worker asks a server that answers in turn."""

    def __init__(self, replies: Sequence[Scripted], again: bool = False, **settings: Any) -> None:  # noqa: ANN401 (of the worker)
        self.asked: list[Mapping[str, Any]] = []
        self._replies = list(replies)
        with MockServer(self._script) as server:
            self.worker = LLMWorker(Client(ModelConfig("mock", base_url=server.url), sleep=lambda _: None), **settings)
            self.episode = Episode(catalogue.written_week("Travel", "B"), worker=self.worker)
            self.episode.start()
            self._play(self._wait())
            if again:
                self.worker.work(self.job, Desk(self.episode))

    def _script(self, asked: Mapping[str, Any]) -> Scripted:
        self.asked.append(asked)
        return self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]

    def _wait(self) -> int:
        """Wait for a signal that is linked with more than its own record, and return its slot."""
        while True:
            for signal in self.episode.board.open():
                links = self.episode.week.links(signal.index)
                if sum(self.episode.reading.there(record, self.episode.now) for record in links) > 1:
                    return signal.slot
            self.episode.wait()

    def _play(self, slot: int) -> None:
        """Take a signal up, and let its work be done."""
        assert self.episode.act(slot, Depth.SUGGEST, Timing.NOW) is None
        self.job = self.episode.jobs.all[0]
        while self.job.content is None and not self.episode.over:
            self.episode.wait()

    @property
    def calls(self) -> list[str]:
        """The calls that make up the job's content."""
        assert self.job.content is not None
        return [call.tool for call in self.job.content.calls(self.episode.week, self.job.row.task)]


def said(calls: Sequence[object] = (), done: bool = True) -> Scripted:
    """Return a worker's reply."""
    return Scripted(json.dumps({"thought": "", "calls": calls, "done": done}))


def test_calls_are_made_and_answered_until_it_is_done() -> None:
    bench = Bench([said(), said([NOTE], done=False), said()])
    assert bench.calls == ["files.note"]
    assert "THE MATTER" in bench.asked[0]["messages"][1]["content"]
    assert '"changed": true' in bench.asked[-1]["messages"][-1]["content"]
    assert bench.worker.agent_errors == 0


def test_a_refused_call_may_be_mended_even_if_it_was_to_be_the_last() -> None:
    bench = Bench([said(), said([BAD_NOTE]), said([NOTE])])
    assert bench.calls == ["files.note"]
    assert "refused: files.note: title: it must be text" in bench.asked[-1]["messages"][-1]["content"]


def test_reading_before_a_decision_only_reads() -> None:
    bench = Bench([said([NOTE], done=False), said(), said()])
    assert bench.calls == []
    assert "refused: files.note is none of the tools listed" in bench.asked[1]["messages"][-1]["content"]
    assert "Only read" in bench.asked[0]["messages"][1]["content"]


def test_tools_of_apps_that_the_week_does_without_are_not_listed() -> None:
    bench = Bench([said(), said([COURSE], done=False), said()])
    read, work = (bench.asked[place]["messages"][0]["content"] for place in (0, 1))
    assert "calendar.day" in read
    assert "travel.rebook" in work
    assert "travel.rebook" not in read
    assert all(app not in prompt for app in ("course.", "compute.", "shop.", "health") for prompt in (read, work))
    assert "refused: course.book is none of the tools listed" in bench.asked[2]["messages"][-1]["content"]


def test_calls_are_limited() -> None:
    bench = Bench([said(), said([NOTE] * 5, done=False)], max_calls=3)
    assert len(bench.calls) == 3
    quiet = Bench([said(), said(done=False)], max_calls=3)
    assert quiet.calls == []
    assert "You made no call" in quiet.asked[-1]["messages"][-1]["content"]


@pytest.mark.parametrize("bad", [Scripted("junk"), Scripted("{}"), Scripted(fault="content_filter")])
def test_an_unusable_reply_leaves_the_work_as_it_is(bad: Scripted) -> None:
    bench = Bench([said(), said([NOTE], done=False), bad])
    assert bench.calls == ["files.note"]
    assert bench.worker.agent_errors == 1


def test_it_is_sent_back_once() -> None:
    bench = Bench([said(), Scripted("junk"), said([NOTE])])
    assert bench.calls == ["files.note"]
    assert bench.worker.agent_errors == 0


def test_native_calls_end_with_words() -> None:
    call = Scripted(tool_calls=(("files__note", json.dumps(NOTE["arguments"])),))
    bench = Bench([Scripted("DONE"), call, Scripted("All is settled.")], mode="tools")
    assert bench.calls == ["files.note"]
    assert bench.asked[-1]["messages"][-1]["role"] == "tool"
    names = {tool["function"]["name"] for tool in bench.asked[-1]["tools"]}
    assert "payments__pay" in names
    assert not any("." in name for name in names)


def test_the_schema_holds_strictly() -> None:
    bench = Bench([said()])
    for asked in bench.asked:
        wanted = asked["response_format"]["json_schema"]
        assert wanted["strict"] is True
        for item in _objects(wanted["schema"]):
            assert item["additionalProperties"] is False
            assert item["required"] == list(item["properties"])


def _objects(value: Any) -> list[dict[str, Any]]:  # noqa: ANN401 (JSON)
    if isinstance(value, list):
        return [found for item in value for found in _objects(item)]  # pyright: ignore[reportUnknownVariableType]
    if not isinstance(value, dict):
        return []
    own = [value] if value.get("type") == "object" else []  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return own + [found for item in value.values() for found in _objects(item)]  # pyright: ignore[reportUnknownVariableType]


def test_a_later_job_is_told_what_the_earlier_one_did() -> None:
    bench = Bench([said(), said([NOTE]), said()], again=True)
    order = bench.asked[-1]["messages"][1]["content"]
    assert '- files.note {"title": "Done", "body": "all"}' in order
    assert "Depth: SUGGEST." in order
    assert "What you did" not in bench.asked[-2]["messages"][1]["content"]


def test_generators_part_repetitions() -> None:
    client = Client(ModelConfig("mock", base_url="http://127.0.0.1:9/v1"))
    keys = [LLMWorker(client, np.random.default_rng(seed)).key for seed in (1, 1, 2)]
    assert keys[0] == keys[1] != keys[2]
    with pytest.raises(TypeError, match="Desk"):
        LLMWorker(client).read(None, None)  # type: ignore[arg-type]


def test_models_are_named_in_two_ways(tmp_path: Path) -> None:
    assert chosen_model("m@http://127.0.0.1:8000/v1").config == ModelConfig("m", base_url="http://127.0.0.1:8000/v1")
    file = tmp_path / "m.toml"
    file.write_text('model = "m"\nmode = "tools"\ntemperature = 1\nextra = {top_p = 0.5}\n', encoding="utf-8")
    chosen = chosen_model(str(file))
    assert (chosen.mode, chosen.config) == ("tools", ModelConfig("m", temperature=1, extra={"top_p": 0.5}))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("model = ", "it is no TOML file"),
        ('modle = "x"', "modle: there is no such key: use one of model, base_url"),
        ("model = 3", "model: Input should be a valid string"),
        ('model = "m"\nseed = true', "seed: Input should be a valid integer"),
        ("seed = 1", "model: it is missing"),
        ('model = "m"\nmode = "xml"', "mode: choose one of json, tools"),
        ('model = "m"\nbase_url = "http://me:secret@x/v1"', "base_url"),
    ],
)
def test_a_model_file_is_read_strictly(text: str, problem: str, tmp_path: Path) -> None:
    file = tmp_path / "m.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=problem) as caught:
        chosen_model(str(file))
    assert "secret" not in str(caught.value)


def test_what_names_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="model@base_url"):
        chosen_model("gpt")
    with pytest.raises(FileNotFoundError):
        chosen_model(str(tmp_path / "none.toml"))
