"""Assistants of an agent, and what its server says of itself, through langgraph_sdk's synchronous client."""

import uuid

import pytest
from langgraph_sdk.client import SyncLangGraphClient
from langgraph_sdk.errors import NotFoundError


def test_each_graph_has_an_assistant_of_the_same_id_on_every_server(agent: SyncLangGraphClient) -> None:
    found = {assistant["graph_id"]: assistant for assistant in agent.assistants.search()}
    assert {"agent", "boom"} <= set(found)
    assert (found["agent"]["name"], found["agent"]["version"]) == ("agent", 1)
    assert found["agent"]["metadata"]["created_by"] == "system"
    namespace = uuid.UUID("6ba7b821-9dad-11d1-80b4-00c04fd430c8")
    assert found["agent"]["assistant_id"] == str(uuid.uuid5(namespace, "agent"))
    assert agent.assistants.get(found["agent"]["assistant_id"]) == found["agent"]


def test_assistants_are_found_by_their_graph(agent: SyncLangGraphClient) -> None:
    assert [assistant["graph_id"] for assistant in agent.assistants.search(graph_id="boom")] == ["boom"]
    assert agent.assistants.search(metadata={"no": "such"}) == []
    with pytest.raises(NotFoundError, match="no-such-graph.*agent.*boom"):
        agent.assistants.search(graph_id="no-such-graph")
    with pytest.raises(NotFoundError):
        agent.assistants.get(str(uuid.uuid4()))


def test_a_search_gives_no_more_than_asked_for_and_says_where_the_next_page_begins(agent: SyncLangGraphClient) -> None:
    first, second = (agent.assistants.search(limit=1, offset=offset) for offset in (0, 1))
    assert len(first) == len(second) == 1
    assert first[0]["assistant_id"] != second[0]["assistant_id"]
    page = agent.assistants.search(limit=1, response_format="object")
    assert (len(page["assistants"]), page["next"]) == (1, "1")
    assert agent.assistants.search(limit=100, response_format="object")["next"] is None


def test_the_server_says_that_it_is_well_its_version_and_what_it_can_do(agent: SyncLangGraphClient) -> None:
    assert agent.http.get("/ok")["ok"] is True
    info = agent.http.get("/info")
    assert info["version"]
    assert info["flags"]["assistants"] is True
