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


def test_the_first_event_names_the_run(agent: SyncLangGraphClient) -> None:
    first = next(iter(agent.runs.stream(None, "agent", input=CATS)))
    assert first.event == "metadata"
    assert uuid.UUID(first.data["run_id"])
    assert first.data["attempt"] == 1


def test_updates_name_the_node_that_wrote(agent: SyncLangGraphClient) -> None:
    parts = list(agent.runs.stream(None, "agent", input=CATS, stream_mode="updates"))
    assert [name for update in of(parts, "updates") for name in update][-2:] == ["sub", "last"]


def test_tokens_come_as_a_chunk_and_its_metadata(agent: SyncLangGraphClient) -> None:
    parts = list(agent.runs.stream(None, "agent", input=CATS, stream_mode="messages-tuple"))
    pairs = of(parts, "messages")
    said = "".join(chunk["content"] for chunk, metadata in pairs if metadata["langgraph_node"] == "chat")
    assert said == "Hi cats"
    assert any("greet" in metadata.get("tags", []) for _, metadata in pairs)


def test_custom_data_is_what_the_graph_emits(agent: SyncLangGraphClient) -> None:
    parts = list(agent.runs.stream(None, "agent", input=CATS, stream_mode="custom"))
    assert of(parts, "custom") == [{"progress": 0, "topic": "cats"}, {"progress": 100}]


def test_debug_tells_of_tasks_and_their_results(agent: SyncLangGraphClient) -> None:
    parts = list(agent.runs.stream(None, "agent", input=CATS, stream_mode="debug"))
    assert {"task", "task_result"} <= {data["type"] for data in of(parts, "debug")}


def test_events_begin_and_end_with_the_graph(agent: SyncLangGraphClient) -> None:
    parts = list(agent.runs.stream(None, "agent", input=CATS, stream_mode="events"))
    events = [data["event"] for data in of(parts, "events")]
    assert (events[0], events[-1]) == ("on_chain_start", "on_chain_end")


def test_several_modes_come_in_one_stream(agent: SyncLangGraphClient) -> None:
    parts = list(agent.runs.stream(None, "agent", input=CATS, stream_mode=["values", "updates", "custom"]))
    assert {"values", "updates", "custom"} <= {part.event for part in parts}


def test_a_subgraphs_chunks_name_it(agent: SyncLangGraphClient) -> None:
    parts = list(agent.runs.stream(None, "agent", input=CATS, stream_mode="updates", stream_subgraphs=True))
    assert [part.data for part in parts if part.event.startswith("updates|sub:")] == [{"inner": {"inner": "ok"}}]


def test_without_subgraphs_none_of_theirs_are_streamed(agent: SyncLangGraphClient) -> None:
    parts = list(agent.runs.stream(None, "agent", input=CATS, stream_mode=["updates", "custom"]))
    assert not [part for part in parts if "|" in part.event]


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
