"""What an agent refuses, and how its runs fail, in the errors of langgraph_sdk."""

import uuid

import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient
from langgraph_sdk.errors import AuthenticationError, NotFoundError, UnprocessableEntityError

CATS = {"topic": "cats"}


def test_a_graph_that_fails_ends_its_stream_with_an_error_and_a_wait_raises_it(agent: SyncLangGraphClient) -> None:
    parts = list(agent.runs.stream(None, "boom", input=CATS))
    assert parts[-1].event == "error" or parts[-2].event == "error"
    (error,) = [part.data for part in parts if part.event == "error"]
    assert error == {"error": "TypeError", "message": "boom"}
    with pytest.raises(Exception, match="TypeError.*boom"):
        agent.runs.wait(None, "boom", input=CATS)


def test_what_came_before_a_failure_is_streamed(agent: SyncLangGraphClient) -> None:
    parts = list(agent.runs.stream(None, "agent", input={**CATS, "fail": "why"}, stream_mode="updates"))
    events = [part.event for part in parts if part.event != "end"]
    assert (events[0], events[-1], events.count("updates")) == ("metadata", "error", 3)


def test_a_failed_run_says_so(agent: SyncLangGraphClient) -> None:
    thread_id = agent.threads.create()["thread_id"]
    run = agent.runs.create(thread_id, "boom", input=CATS)
    list(agent.runs.join_stream(thread_id, run["run_id"]))
    assert agent.runs.get(thread_id, run["run_id"])["status"] == "error"
    assert agent.threads.get(thread_id)["status"] == "error"


def test_a_run_without_an_input_fails(agent: SyncLangGraphClient) -> None:
    parts = list(agent.runs.stream(None, "agent"))
    (error,) = [part.data for part in parts if part.event == "error"]
    assert error["error"] == "EmptyInputError"


@pytest.mark.parametrize(
    ("thread_id", "assistant", "mode", "error", "said"),
    [
        (None, "no-such-graph", "values", UnprocessableEntityError, "agent, boom"),
        (None, str(uuid.uuid4()), "values", NotFoundError, "assistant not found"),
        (str(uuid.uuid4()), "agent", "values", NotFoundError, "not found"),
        (None, "agent", "tokens", UnprocessableEntityError, "stream_mode"),
    ],
    ids=["an unknown graph, with those that are there", "an unknown assistant", "an unknown thread", "no mode"],
)
def test_a_run_is_refused(
    agent: SyncLangGraphClient, thread_id: str | None, assistant: str, mode: str, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        list(agent.runs.stream(thread_id, assistant, input=CATS, stream_mode=mode))


@pytest.mark.parametrize("key", ["not-the-key", None], ids=["a wrong key", "no key"])
def test_a_client_without_the_key_is_refused(agent_url: str, key: str | None) -> None:
    with get_sync_client(url=agent_url, api_key=key) as client, pytest.raises(AuthenticationError):
        client.threads.create()
