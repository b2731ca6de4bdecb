"""Background runs of an agent, and joins of them, through langgraph_sdk's synchronous client."""

import uuid

import pytest
from langgraph_sdk.client import SyncLangGraphClient
from langgraph_sdk.errors import ConflictError, NotFoundError

SLOW = {"topic": "cats", "delay_ms": 700}


@pytest.fixture
def thread_id(agent: SyncLangGraphClient) -> str:
    return agent.threads.create()["thread_id"]


def start(agent: SyncLangGraphClient, thread_id: str, **more: object) -> dict:
    return agent.runs.create(thread_id, "agent", input=SLOW, stream_mode=["updates", "custom", "values"], **more)


def test_a_background_run_is_answered_and_read_before_and_after_its_end(
    agent: SyncLangGraphClient, thread_id: str
) -> None:
    run = start(agent, thread_id)
    assert uuid.UUID(run["run_id"])
    assert run["thread_id"] == thread_id
    assert run["status"] in ("pending", "running")
    assert run["multitask_strategy"]
    assert agent.runs.get(thread_id, run["run_id"])["status"] in ("pending", "running")
    assert agent.threads.get(thread_id)["status"] == "busy"
    assert [found["run_id"] for found in agent.runs.list(thread_id)] == [run["run_id"]]
    list(agent.runs.join_stream(thread_id, run["run_id"]))
    assert agent.runs.get(thread_id, run["run_id"])["status"] == "success"
    assert agent.threads.get(thread_id)["status"] == "idle"


def test_a_join_streams_what_comes_after_it_and_nothing_after_the_end(
    agent: SyncLangGraphClient, thread_id: str
) -> None:
    run = start(agent, thread_id)
    parts = list(agent.runs.join_stream(thread_id, run["run_id"]))
    assert {"updates", "custom", "values"} <= {part.event for part in parts}
    assert [part.data for part in parts if part.event == "values"][-1]["topic"] == "cats"
    late = list(agent.runs.join_stream(thread_id, run["run_id"]))
    assert [part for part in late if part.event not in ("metadata", "end")] == []


def test_a_join_can_ask_for_one_mode(agent: SyncLangGraphClient, thread_id: str) -> None:
    run = start(agent, thread_id)
    parts = list(agent.runs.join_stream(thread_id, run["run_id"], stream_mode="updates"))
    assert {part.event for part in parts} - {"metadata", "end"} == {"updates"}


def test_a_join_of_an_unknown_run_is_an_error_event_and_a_look_at_it_a_404(
    agent: SyncLangGraphClient, thread_id: str
) -> None:
    parts = list(agent.runs.join_stream(thread_id, str(uuid.uuid4())))
    assert parts[0].event == "error"
    assert "Run not found" in parts[0].data["message"]
    with pytest.raises(NotFoundError):
        agent.runs.get(thread_id, str(uuid.uuid4()))


def test_a_join_without_a_stream_waits_for_the_state(agent: SyncLangGraphClient, thread_id: str) -> None:
    run = start(agent, thread_id)
    assert agent.runs.join(thread_id, run["run_id"])["topic"] == "cats"
    assert agent.runs.get(thread_id, run["run_id"])["status"] == "success"


@pytest.mark.parametrize("on_thread", [False, True], ids=["stateless", "on a thread"])
def test_a_run_can_be_waited_for(agent: SyncLangGraphClient, thread_id: str, on_thread: bool) -> None:
    values = agent.runs.wait(thread_id if on_thread else None, "agent", input={"topic": "cats"})
    assert values["messages"][-1]["content"] == "Hi cats"


def test_a_busy_thread_refuses_where_it_is_asked_to(agent: SyncLangGraphClient, thread_id: str) -> None:
    start(agent, thread_id)
    with pytest.raises(ConflictError, match="already running"):
        start(agent, thread_id, multitask_strategy="reject")
