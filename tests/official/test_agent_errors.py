"""What an agent refuses, and how its runs fail, in the errors of langgraph_sdk."""

import uuid

import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient
from langgraph_sdk.errors import (
    AuthenticationError,
    NotFoundError,
    UnprocessableEntityError,
)

CATS = {"topic": "cats"}


def test_a_graph_that_fails_ends_its_stream_with_an_error(agent: SyncLangGraphClient) -> None:
    parts = list(agent.runs.stream(None, "boom", input=CATS))
    assert parts[-1].event == "error" or parts[-2].event == "error"
    (error,) = [part.data for part in parts if part.event == "error"]
    assert error == {"error": "TypeError", "message": "boom"}


def test_what_came_before_a_failure_is_streamed(agent: SyncLangGraphClient) -> None:
    parts = list(agent.runs.stream(None, "agent", input={**CATS, "fail": "why"}, stream_mode="updates"))
    events = [part.event for part in parts if part.event != "end"]
    assert events[0] == "metadata"
    assert events[-1] == "error"
    assert events.count("updates") == 3


def test_a_wait_for_a_run_that_fails_raises_its_error(agent: SyncLangGraphClient) -> None:
    with pytest.raises(Exception, match="TypeError.*boom"):
        agent.runs.wait(None, "boom", input=CATS)


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


def test_an_unknown_graph_is_refused_with_the_names_of_those_that_are_there(agent: SyncLangGraphClient) -> None:
    with pytest.raises(UnprocessableEntityError, match="agent, boom"):
        list(agent.runs.stream(None, "no-such-graph", input=CATS))


def test_an_unknown_assistant_is_not_found(agent: SyncLangGraphClient) -> None:
    with pytest.raises(NotFoundError, match="assistant not found"):
        list(agent.runs.stream(None, str(uuid.uuid4()), input=CATS))


def test_an_unknown_thread_is_not_found(agent: SyncLangGraphClient) -> None:
    with pytest.raises(NotFoundError, match="not found"):
        list(agent.runs.stream(str(uuid.uuid4()), "agent", input=CATS))


def test_a_mode_that_is_not_one_is_refused(agent: SyncLangGraphClient) -> None:
    with pytest.raises(UnprocessableEntityError, match="stream_mode"):
        list(agent.runs.stream(None, "agent", input=CATS, stream_mode="tokens"))


@pytest.mark.parametrize("key", ["not-the-key", None], ids=["a wrong key", "no key"])
def test_a_client_without_the_key_is_refused(agent_url: str, key: str | None) -> None:
    with get_sync_client(url=agent_url, api_key=key) as client, pytest.raises(AuthenticationError):
        client.threads.create()
