"""Streams of an agent through langgraph_sdk's synchronous client: modes, subgraphs, threads."""

import uuid

import pytest
from langgraph_sdk.client import SyncLangGraphClient
from langgraph_sdk.schema import StreamPart

CATS = {"topic": "cats"}
MODES = ["values", "updates", "messages-tuple", "debug", "custom", "events"]


def of(parts: list[StreamPart], event: str) -> list:
    return [part.data for part in parts if part.event == event]


def test_without_a_mode_the_values_are_streamed(agent: SyncLangGraphClient) -> None:
    parts = list(agent.runs.stream(None, "agent", input=CATS))
    assert {part.event for part in parts} <= {"metadata", "values", "end"}
    assert of(parts, "values")[-1]["messages"][-1]["content"] == "Hi cats"


@pytest.mark.parametrize("mode", MODES)
def test_each_mode_comes_in_events_of_its_own(agent: SyncLangGraphClient, mode: str) -> None:
    parts = list(agent.runs.stream(None, "agent", input=CATS, stream_mode=mode))
    event = "messages" if mode == "messages-tuple" else mode
    assert parts[0].event == "metadata"
    assert {part.event for part in parts} <= {"metadata", event, "end"}
    assert of(parts, event)


def test_tokens_come_as_a_chunk_and_its_metadata(agent: SyncLangGraphClient) -> None:
    parts = list(agent.runs.stream(None, "agent", input=CATS, stream_mode="messages-tuple"))
    pairs = of(parts, "messages")
    said = "".join(chunk["content"] for chunk, metadata in pairs if metadata["langgraph_node"] == "chat")
    assert said == "Hi cats"
    assert any("greet" in metadata.get("tags", []) for _, metadata in pairs)


def test_a_subgraphs_chunks_name_it(agent: SyncLangGraphClient) -> None:
    parts = list(agent.runs.stream(None, "agent", input=CATS, stream_mode="updates", stream_subgraphs=True))
    assert [part.data for part in parts if part.event.startswith("updates|sub:")] == [{"inner": {"inner": "ok"}}]


def test_the_second_format_names_type_and_namespace(agent: SyncLangGraphClient) -> None:
    stream = agent.runs.stream(None, "agent", input=CATS, stream_mode="updates", stream_subgraphs=True, version="v2")
    parts = [part for part in stream if part["type"] == "updates"]
    assert [part["data"] for part in parts if part["ns"]] == [{"inner": {"inner": "ok"}}]
    assert all(namespace.startswith("sub:") for part in parts for namespace in part["ns"])


@pytest.mark.parametrize("on_thread", [False, True], ids=["stateless", "on a thread"])
def test_the_run_is_known_before_its_first_event(agent: SyncLangGraphClient, on_thread: bool) -> None:
    thread_id = agent.threads.create()["thread_id"] if on_thread else None
    created: list = []
    parts = list(agent.runs.stream(thread_id, "agent", input=CATS, on_run_created=created.append))
    assert [(run["run_id"], run["thread_id"]) for run in created] == [(parts[0].data["run_id"], thread_id)]


def test_what_else_the_client_can_ask_for_does_not_hinder_a_run(agent: SyncLangGraphClient) -> None:
    thread_id = agent.threads.create()["thread_id"]
    parts = list(
        agent.runs.stream(
            thread_id,
            "agent",
            input=CATS,
            stream_resumable=True,
            metadata={"from": "a test"},
            config={"tags": ["a-tag"], "recursion_limit": 30},
            context={"model": "small"},
            on_disconnect="continue",
            multitask_strategy="enqueue",
            if_not_exists="reject",
            durability="async",
        )
    )
    assert of(parts, "values")[-1]["topic"] == "cats"


def test_a_thread_that_is_missing_can_be_made_by_the_run(agent: SyncLangGraphClient) -> None:
    own = str(uuid.uuid4())
    parts = list(agent.runs.stream(own, "agent", input=CATS, if_not_exists="create"))
    assert of(parts, "values")[-1]["topic"] == "cats"
    assert agent.threads.get(own)["values"]["topic"] == "cats"
