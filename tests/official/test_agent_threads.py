"""Threads of an agent through langgraph_sdk's synchronous client."""

import uuid

import pytest
from langgraph_sdk.client import SyncLangGraphClient
from langgraph_sdk.errors import ConflictError, NotFoundError

CATS = {"topic": "cats"}


def test_a_new_thread_is_idle_and_empty(agent: SyncLangGraphClient) -> None:
    thread = agent.threads.create(metadata={"user": "ada"})
    assert uuid.UUID(thread["thread_id"])
    assert (thread["status"], thread["metadata"]) == ("idle", {"user": "ada"})
    assert not thread["values"]
    assert thread["created_at"]


def test_a_thread_can_bring_its_own_id(agent: SyncLangGraphClient) -> None:
    own = str(uuid.uuid4())
    assert agent.threads.create(thread_id=own)["thread_id"] == own
    assert agent.threads.get(own)["thread_id"] == own


def test_an_id_that_is_taken_is_a_conflict_unless_that_is_fine(agent: SyncLangGraphClient) -> None:
    own = str(uuid.uuid4())
    agent.threads.create(thread_id=own, metadata={"first": True})
    with pytest.raises(ConflictError):
        agent.threads.create(thread_id=own)
    again = agent.threads.create(thread_id=own, if_exists="do_nothing")
    assert (again["thread_id"], again["metadata"]) == (own, {"first": True})


def test_threads_are_found_by_their_metadata(agent: SyncLangGraphClient) -> None:
    mark = str(uuid.uuid4())
    made = {agent.threads.create(metadata={"mark": mark})["thread_id"] for _ in range(3)}
    agent.threads.create(metadata={"mark": "another"})
    found = agent.threads.search(metadata={"mark": mark})
    assert {thread["thread_id"] for thread in found} == made


def test_threads_are_found_by_their_ids_and_their_status(agent: SyncLangGraphClient) -> None:
    thread_id = agent.threads.create()["thread_id"]
    assert [found["thread_id"] for found in agent.threads.search(ids=[thread_id])] == [thread_id]
    assert agent.threads.search(ids=[thread_id], status="busy") == []


def test_the_state_of_a_thread_is_what_its_run_left(agent: SyncLangGraphClient) -> None:
    thread_id = agent.threads.create()["thread_id"]
    for _ in agent.runs.stream(thread_id, "agent", input=CATS):
        pass
    state = agent.threads.get_state(thread_id)
    assert state["values"]["topic"] == "cats"
    assert state["values"]["messages"][-1]["content"] == "Hi cats"
    assert list(state["next"]) == []
    assert state["tasks"] == []
    assert state["checkpoint"]["thread_id"] == thread_id
    assert state["checkpoint"]["checkpoint_id"]
    assert "metadata" in state
    assert "created_at" in state


@pytest.mark.parametrize("call", ["get", "get_state"])
def test_an_unknown_thread_is_not_found(agent: SyncLangGraphClient, call: str) -> None:
    with pytest.raises(NotFoundError) as refused:
        getattr(agent.threads, call)(str(uuid.uuid4()))
    assert refused.value.message != "404 Not Found", "the body has a text for its reader"
