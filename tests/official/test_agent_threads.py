"""Threads of an agent through langgraph_sdk's synchronous client."""

import uuid

import pytest
from langgraph_sdk.client import SyncLangGraphClient
from langgraph_sdk.errors import APIStatusError, ConflictError, NotFoundError

CATS = {"topic": "cats"}


def test_a_new_thread_is_idle_and_empty(agent: SyncLangGraphClient) -> None:
    thread = agent.threads.create(metadata={"user": "ada"})
    assert uuid.UUID(thread["thread_id"])
    assert (thread["status"], thread["metadata"]) == ("idle", {"user": "ada"})
    assert not thread["values"]
    assert thread["created_at"]


def test_a_thread_is_read_by_its_id(agent: SyncLangGraphClient) -> None:
    made = agent.threads.create(metadata={"user": "ada"})
    read = agent.threads.get(made["thread_id"])
    assert (read["thread_id"], read["metadata"], read["status"]) == (made["thread_id"], {"user": "ada"}, "idle")


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


def test_a_search_gives_no_more_than_asked_for(agent: SyncLangGraphClient) -> None:
    mark = str(uuid.uuid4())
    made = {agent.threads.create(metadata={"mark": mark})["thread_id"] for _ in range(3)}
    pages = [agent.threads.search(metadata={"mark": mark}, limit=2, offset=offset) for offset in (0, 2)]
    assert [len(page) for page in pages] == [2, 1]
    assert {thread["thread_id"] for page in pages for thread in page} == made


def test_threads_are_found_by_their_ids_and_their_status(agent: SyncLangGraphClient) -> None:
    thread_id = agent.threads.create()["thread_id"]
    assert [found["thread_id"] for found in agent.threads.search(ids=[thread_id])] == [thread_id]
    assert agent.threads.search(ids=[thread_id], status="busy") == []


def test_a_run_leaves_its_values_in_the_thread(agent: SyncLangGraphClient) -> None:
    thread_id = agent.threads.create()["thread_id"]
    for _ in agent.runs.stream(thread_id, "agent", input=CATS):
        pass
    thread = agent.threads.get(thread_id)
    assert thread["values"]["topic"] == "cats"
    assert thread["status"] == "idle"


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


def test_the_state_of_a_thread_without_a_run_is_empty(agent: SyncLangGraphClient) -> None:
    state = agent.threads.get_state(agent.threads.create()["thread_id"])
    assert not state["values"]
    assert list(state["next"]) == []


@pytest.mark.parametrize("call", ["get", "get_state"])
def test_an_unknown_thread_is_not_found(agent: SyncLangGraphClient, call: str) -> None:
    with pytest.raises(NotFoundError) as refused:
        getattr(agent.threads, call)(str(uuid.uuid4()))
    assert refused.value.message != "404 Not Found", "the body has a text for its reader"


def test_an_id_that_is_not_a_uuid_is_refused(agent: SyncLangGraphClient) -> None:
    with pytest.raises(APIStatusError) as refused:
        agent.threads.get("not-a-uuid")
    assert refused.value.status_code == 422


def test_a_second_run_goes_on_from_the_state_of_the_first(agent: SyncLangGraphClient) -> None:
    thread_id = agent.threads.create()["thread_id"]
    for topic in ("cats", "dogs"):
        for _ in agent.runs.stream(thread_id, "agent", input={"topic": topic}):
            pass
    contents = [message["content"] for message in agent.threads.get_state(thread_id)["values"]["messages"]]
    assert contents == ["Hi cats", "Hi dogs"]
