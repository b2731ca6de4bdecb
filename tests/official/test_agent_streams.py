"""Streams of an agent through langgraph_sdk's synchronous client: modes, subgraphs, threads."""

import uuid

import pytest
from langgraph_sdk.client import SyncLangGraphClient
from langgraph_sdk.schema import StreamPart

CATS = {"topic": "cats"}


def of(parts: list[StreamPart], event: str) -> list:
    return [part.data for part in parts if part.event == event]


def streamed(agent: SyncLangGraphClient, mode: str | list[str] | None, **more: object) -> list[StreamPart]:
    return list(agent.runs.stream(None, "agent", input=CATS, **({"stream_mode": mode} if mode else {}), **more))


def test_the_first_event_names_the_run_and_without_a_mode_the_values_follow(agent: SyncLangGraphClient) -> None:
    parts = streamed(agent, None)
    assert {part.event for part in parts} <= {"metadata", "values", "end"}
    assert parts[0].event == "metadata"
    assert uuid.UUID(parts[0].data["run_id"])
    assert parts[0].data["attempt"] == 1
    assert of(parts, "values")[-1]["messages"][-1]["content"] == "Hi cats"


def said(pairs: list) -> str:
    return "".join(chunk["content"] for chunk, metadata in pairs if metadata["langgraph_node"] == "chat")


SEEN = {
    "values": lambda all_: all_[-1]["topic"] == "cats",
    # The node that wrote.
    "updates": lambda all_: [name for update in all_ for name in update][-2:] == ["sub", "last"],
    # A chunk and its metadata.
    "messages-tuple": lambda all_: said(all_) == "Hi cats" and any("greet" in each.get("tags", []) for _, each in all_),
    "debug": lambda all_: {"task", "task_result"} <= {data["type"] for data in all_},
    "custom": lambda all_: all_ == [{"progress": 0, "topic": "cats"}, {"progress": 100}],
    "events": lambda all_: (all_[0]["event"], all_[-1]["event"]) == ("on_chain_start", "on_chain_end"),
}


@pytest.mark.parametrize("mode", SEEN)
def test_each_mode_comes_in_events_of_its_own(agent: SyncLangGraphClient, mode: str) -> None:
    parts = streamed(agent, mode)
    event = "messages" if mode == "messages-tuple" else mode
    assert parts[0].event == "metadata"
    assert {part.event for part in parts} <= {"metadata", event, "end"}
    assert SEEN[mode](of(parts, event))


def test_several_modes_come_in_one_stream_and_nothing_of_subgraphs(agent: SyncLangGraphClient) -> None:
    parts = streamed(agent, ["values", "updates", "custom"])
    assert {"values", "updates", "custom"} <= {part.event for part in parts}
    assert not [part for part in parts if "|" in part.event]


def test_a_subgraphs_chunks_name_it(agent: SyncLangGraphClient) -> None:
    parts = streamed(agent, "updates", stream_subgraphs=True)
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


def test_an_assistant_is_named_by_its_id_as_well(agent: SyncLangGraphClient) -> None:
    (assistant,) = [found for found in agent.assistants.search() if found["graph_id"] == "agent"]
    parts = list(agent.runs.stream(None, assistant["assistant_id"], input=CATS))
    assert of(parts, "values")[-1]["topic"] == "cats"


def test_what_else_the_client_can_ask_for_does_not_hinder_a_run(agent: SyncLangGraphClient) -> None:
    thread_id = agent.threads.create()["thread_id"]
    asked = {
        **{"stream_resumable": True, "metadata": {"from": "a test"}, "context": {"model": "small"}},
        **{"config": {"tags": ["a-tag"], "recursion_limit": 30}, "on_disconnect": "continue", "durability": "async"},
        **{"multitask_strategy": "enqueue", "if_not_exists": "reject"},
    }
    parts = list(agent.runs.stream(thread_id, "agent", input=CATS, **asked))
    assert of(parts, "values")[-1]["topic"] == "cats"


def test_a_thread_that_is_missing_can_be_made_by_the_run(agent: SyncLangGraphClient) -> None:
    own = str(uuid.uuid4())
    parts = list(agent.runs.stream(own, "agent", input=CATS, if_not_exists="create"))
    assert of(parts, "values")[-1]["topic"] == "cats"
    assert agent.threads.get(own)["values"]["topic"] == "cats"
