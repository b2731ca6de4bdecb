"""Assistants of an agent, and what its server says of itself, through langgraph_sdk's synchronous client."""

import uuid

import pytest
from langgraph_sdk.client import SyncLangGraphClient
from langgraph_sdk.errors import NotFoundError


def test_each_graph_has_an_assistant(agent: SyncLangGraphClient) -> None:
    found = {assistant["graph_id"]: assistant for assistant in agent.assistants.search()}
    assert {"agent", "boom"} <= set(found)
    assert found["agent"]["name"] == "agent"
    assert found["agent"]["version"] == 1
    assert found["agent"]["metadata"]["created_by"] == "system"


def test_assistants_are_found_by_their_graph(agent: SyncLangGraphClient) -> None:
    assert [assistant["graph_id"] for assistant in agent.assistants.search(graph_id="boom")] == ["boom"]
    assert agent.assistants.search(metadata={"no": "such"}) == []


def test_a_search_for_an_unknown_graph_names_those_that_are_there(agent: SyncLangGraphClient) -> None:
    with pytest.raises(NotFoundError, match="no-such-graph.*agent.*boom"):
        agent.assistants.search(graph_id="no-such-graph")


def test_a_search_gives_no_more_than_asked_for(agent: SyncLangGraphClient) -> None:
    first, second = (agent.assistants.search(limit=1, offset=offset) for offset in (0, 1))
    assert len(first) == len(second) == 1
    assert first[0]["assistant_id"] != second[0]["assistant_id"]


def test_an_answer_as_an_object_says_where_the_next_page_begins(agent: SyncLangGraphClient) -> None:
    page = agent.assistants.search(limit=1, response_format="object")
    assert len(page["assistants"]) == 1
    assert page["next"] == "1"
    assert agent.assistants.search(limit=100, response_format="object")["next"] is None


def test_an_assistant_is_read_by_its_id(agent: SyncLangGraphClient) -> None:
    (found,) = agent.assistants.search(graph_id="agent")
    assert agent.assistants.get(found["assistant_id"]) == found


def test_the_id_of_a_graphs_assistant_is_the_same_on_every_server(agent: SyncLangGraphClient) -> None:
    namespace = uuid.UUID("6ba7b821-9dad-11d1-80b4-00c04fd430c8")
    (found,) = agent.assistants.search(graph_id="agent")
    assert found["assistant_id"] == str(uuid.uuid5(namespace, "agent"))


def test_an_unknown_assistant_is_not_found(agent: SyncLangGraphClient) -> None:
    with pytest.raises(NotFoundError):
        agent.assistants.get(str(uuid.uuid4()))


def test_the_server_says_that_it_is_well(agent: SyncLangGraphClient) -> None:
    assert agent.http.get("/ok")["ok"] is True


def test_the_server_says_its_version_and_what_it_can_do(agent: SyncLangGraphClient) -> None:
    info = agent.http.get("/info")
    assert info["version"]
    assert info["flags"]["assistants"] is True
