"""The agent server for Python behind the emulator (`emulator --agent`), as its own client sees it."""

import importlib.util
import os

import pytest
from langgraph_cli.host_backend import HostBackendClient
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient
from langgraph_sdk.errors import AuthenticationError, NotFoundError

from made import deploy_image
from waiting import until_revision

pytestmark = [
    pytest.mark.skipif(
        importlib.util.find_spec("langgraph_api") is None, reason="the agent server needs Python 3.11 or newer"
    ),
    # The server takes ten seconds to start, and a busy machine a multiple of that.
    pytest.mark.timeout(150),
]

GREETING = [{"name": "GREETING", "value": "Hello"}]


@pytest.fixture(scope="module")
def platform() -> HostBackendClient:
    return HostBackendClient(os.environ["OFFICIAL_URL_OF_OWN_AGENTS"], os.environ["OFFICIAL_API_KEY"])


@pytest.fixture(scope="module")
def served(platform: HostBackendClient) -> dict:
    """Its revision is DEPLOYED when the server answers."""
    made = deploy_image(platform, "own-agent", secrets=GREETING)
    until_revision(platform, made["id"], "DEPLOYED", longest=120)
    return platform.get_deployment(made["id"])


@pytest.fixture(scope="module")
def agent(served: dict) -> SyncLangGraphClient:
    return get_sync_client(url=served["source_config"]["custom_url"], api_key=os.environ["OFFICIAL_API_KEY"])


def test_a_run_is_answered_by_the_users_own_graph_with_the_environment_of_the_deployment(
    agent: SyncLangGraphClient,
) -> None:
    assert agent.runs.wait(None, "agent", input={"topic": "cats"}) == {"topic": "cats", "answer": "Hello cats"}


def test_a_run_streams(agent: SyncLangGraphClient) -> None:
    parts = list(agent.runs.stream(None, "agent", input={"topic": "cats"}, stream_mode=["updates", "custom", "values"]))
    assert parts[0].event == "metadata"
    assert {part.event for part in parts} == {"metadata", "updates", "custom", "values"}
    assert [part.data for part in parts if part.event == "updates"] == [{"respond": {"answer": "Hello cats"}}]


def test_a_background_run_on_a_thread_is_joined(agent: SyncLangGraphClient) -> None:
    thread = agent.threads.create()
    run = agent.runs.create(thread["thread_id"], "agent", input={"topic": "dogs"})
    assert agent.runs.join(thread["thread_id"], run["run_id"])["answer"] == "Hello dogs"
    assert agent.threads.get_state(thread["thread_id"])["values"]["answer"] == "Hello dogs"


def test_what_the_emulators_own_agents_lack_is_there(agent: SyncLangGraphClient) -> None:
    assistant = agent.assistants.create("agent", name="mine", metadata={"team": "desk"})
    assert agent.assistants.get(assistant["assistant_id"])["name"] == "mine"
    agent.assistants.delete(assistant["assistant_id"])
    with pytest.raises(NotFoundError):
        agent.assistants.get(assistant["assistant_id"])


def test_the_key_is_the_platforms(served: dict) -> None:
    stranger = get_sync_client(url=served["source_config"]["custom_url"], api_key="another-key")
    with pytest.raises(AuthenticationError):
        stranger.assistants.search()


def test_the_log_of_the_revision_is_the_servers(platform: HostBackendClient, served: dict) -> None:
    logs = platform.get_deploy_logs(served["id"], {"limit": 100, "order": "asc"})
    messages = [entry["message"] for entry in logs["logs"]]
    assert messages[0].startswith("$ ")
    assert any("langgraph_api" in message or "Uvicorn" in message or "Registering graph" in message for message in messages)
