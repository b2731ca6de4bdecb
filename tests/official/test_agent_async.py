"""The asynchronous client of langgraph_sdk, whose code is another: one walk through each part."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable

import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import NotFoundError, UnprocessableEntityError

CATS = {"topic": "cats"}


@pytest.fixture
def with_agent(agent_url: str, api_key: str) -> Callable[[Callable[[LangGraphClient], Awaitable[None]]], None]:
    """Runs a test with a client, to its end."""

    async def play(test: Callable[[LangGraphClient], Awaitable[None]]) -> None:
        async with get_client(url=agent_url, api_key=api_key) as client:
            await test(client)

    return lambda test: asyncio.run(play(test))


@pytest.mark.parametrize("mode", ["values", "updates", "messages-tuple", "debug", "custom", "events"])
def test_each_mode_streams(with_agent, mode: str) -> None:
    async def test(client: LangGraphClient) -> None:
        events = [part.event async for part in client.runs.stream(None, "agent", input=CATS, stream_mode=mode)]
        assert events[0] == "metadata"
        assert set(events) - {"metadata", "end"} == {"messages" if mode == "messages-tuple" else mode}

    with_agent(test)


def test_a_thread_is_made_run_on_found_and_read(with_agent) -> None:
    async def test(client: LangGraphClient) -> None:
        mark = str(uuid.uuid4())
        thread = await client.threads.create(metadata={"mark": mark})
        async for _ in client.runs.stream(thread["thread_id"], "agent", input=CATS):
            pass
        assert (await client.threads.get(thread["thread_id"]))["status"] == "idle"
        assert (await client.threads.get_state(thread["thread_id"]))["values"]["topic"] == "cats"
        found = await client.threads.search(metadata={"mark": mark})
        assert [match["thread_id"] for match in found] == [thread["thread_id"]]

    with_agent(test)


def test_a_background_run_is_joined(with_agent) -> None:
    async def test(client: LangGraphClient) -> None:
        thread = await client.threads.create()
        slow = {**CATS, "delay_ms": 700}
        run = await client.runs.create(thread["thread_id"], "agent", input=slow, stream_mode=["updates", "custom"])
        parts = [part async for part in client.runs.join_stream(thread["thread_id"], run["run_id"])]
        assert {"updates", "custom"} <= {part.event for part in parts}
        assert (await client.runs.get(thread["thread_id"], run["run_id"]))["status"] == "success"

    with_agent(test)


def test_errors_have_their_classes(with_agent) -> None:
    async def test(client: LangGraphClient) -> None:
        with pytest.raises(NotFoundError):
            await client.threads.get(str(uuid.uuid4()))
        with pytest.raises(UnprocessableEntityError):
            async for _ in client.runs.stream(None, "no-such-graph", input=CATS):
                pass
        events = [part.event async for part in client.runs.stream(None, "boom", input=CATS)]
        assert "error" in events

    with_agent(test)


def test_assistants_are_searched_and_read(with_agent) -> None:
    async def test(client: LangGraphClient) -> None:
        (found,) = await client.assistants.search(graph_id="agent")
        assert await client.assistants.get(found["assistant_id"]) == found

    with_agent(test)
