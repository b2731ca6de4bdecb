"""Threads of an agent through langgraph_sdk's synchronous client."""

import uuid

import pytest
from langgraph_sdk.client import SyncLangGraphClient
from langgraph_sdk.errors import APIStatusError, ConflictError, NotFoundError


def run(agent: SyncLangGraphClient, thread_id: str, topic: str = "cats") -> None:
    for _ in agent.runs.stream(thread_id, "agent", input={"topic": topic}):
        pass


def test_a_new_thread_is_idle_and_empty_and_read_by_its_id(agent: SyncLangGraphClient) -> None:
    made = agent.threads.create(metadata={"user": "ada"})
    assert uuid.UUID(made["thread_id"])
    assert made["created_at"]
    for thread in (made, agent.threads.get(made["thread_id"])):
        assert (thread["thread_id"], thread["status"]) == (made["thread_id"], "idle")
        assert thread["metadata"] == {"user": "ada"}
        assert not thread["values"]
    state = agent.threads.get_state(made["thread_id"])
    assert not state["values"]
    assert list(state["next"]) == []


def test_an_id_of_its_own_that_is_taken_is_a_conflict_unless_that_is_fine(agent: SyncLangGraphClient) -> None:
    own = str(uuid.uuid4())
    assert agent.threads.create(thread_id=own, metadata={"first": True})["thread_id"] == own
    with pytest.raises(ConflictError):
        agent.threads.create(thread_id=own)
    again = agent.threads.create(thread_id=own, if_exists="do_nothing")
    assert (again["thread_id"], again["metadata"]) == (own, {"first": True})
    assert agent.threads.get(own)["thread_id"] == own


def test_threads_are_found_by_metadata_ids_and_status_page_by_page(agent: SyncLangGraphClient) -> None:
    mark = str(uuid.uuid4())
    made = {agent.threads.create(metadata={"mark": mark})["thread_id"] for _ in range(3)}
    agent.threads.create(metadata={"mark": "another"})
    assert {thread["thread_id"] for thread in agent.threads.search(metadata={"mark": mark})} == made
    pages = [agent.threads.search(metadata={"mark": mark}, limit=2, offset=offset) for offset in (0, 2)]
    assert [len(page) for page in pages] == [2, 1]
    assert {thread["thread_id"] for page in pages for thread in page} == made
    one = [next(iter(made))]
    assert [found["thread_id"] for found in agent.threads.search(ids=one)] == one
    assert agent.threads.search(ids=one, status="busy") == []


def test_a_run_leaves_its_values_and_state_and_a_second_one_goes_on_from_there(agent: SyncLangGraphClient) -> None:
    thread_id = agent.threads.create()["thread_id"]
    run(agent, thread_id)
    thread = agent.threads.get(thread_id)
    assert (thread["values"]["topic"], thread["status"]) == ("cats", "idle")
    state = agent.threads.get_state(thread_id)
    assert state["values"]["topic"] == "cats"
    assert (list(state["next"]), state["tasks"]) == ([], [])
    assert state["checkpoint"]["thread_id"] == thread_id
    assert state["checkpoint"]["checkpoint_id"]
    assert {"metadata", "created_at"} <= set(state)
    run(agent, thread_id, "dogs")
    contents = [message["content"] for message in agent.threads.get_state(thread_id)["values"]["messages"]]
    assert contents == ["Hi cats", "Hi dogs"]


@pytest.mark.parametrize("call", ["get", "get_state"])
def test_an_unknown_thread_is_not_found(agent: SyncLangGraphClient, call: str) -> None:
    with pytest.raises(NotFoundError) as refused:
        getattr(agent.threads, call)(str(uuid.uuid4()))
    assert refused.value.message != "404 Not Found", "the body has a text for its reader"


def test_an_id_that_is_not_a_uuid_is_refused(agent: SyncLangGraphClient) -> None:
    with pytest.raises(APIStatusError) as refused:
        agent.threads.get("not-a-uuid")
    assert refused.value.status_code == 422
