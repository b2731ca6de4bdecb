"""The platforms under test, as the launcher (tools/official) started them, and the clients that drive them."""

import ipaddress
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from langgraph_cli.deploy import DeploymentRow
from langgraph_cli.host_backend import HostBackendClient
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

from command_line import CommandLine
from made import deploy_image
from names import fresh_name
from waiting import until_revision

API_KEY = os.environ["OFFICIAL_API_KEY"]


def pytest_configure() -> None:
    """No client may speak to anything but this machine: whatever it connects to is looked at first."""

    def refuse_what_is_not_loopback(event: str, args: tuple) -> None:
        if event != "socket.connect" or not isinstance(args[1], tuple):
            return
        host = args[1][0]
        if host != "localhost" and not ipaddress.ip_address(host).is_loopback:
            raise RuntimeError(f"a client wants to connect to {host}")

    sys.addaudithook(refuse_what_is_not_loopback)


# With agents that are servers of their own, which take their time.
_OF_AGENTS = ("test_own_agent.py", "test_assistants_on_the_engine.py")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """A process runs one part. That of the newest has other versions of packages, and what has agents of its own mostly waits."""
    name, part = collection_path.name, os.environ["OFFICIAL_PART"]
    if collection_path.is_relative_to(Path(__file__).parent / "newest"):
        return part != "newest" or None
    return (name.startswith("test_") and part != ("agents" if name in _OF_AGENTS else "clients")) or None


@pytest.fixture(scope="session")
def url() -> str:
    """The address of the platform."""
    return os.environ["OFFICIAL_URL"]


@pytest.fixture(scope="session")
def api_key() -> str:
    return API_KEY


@pytest.fixture(scope="session")
def host(url: str, api_key: str) -> HostBackendClient:
    """The control plane's client of the command line."""
    return HostBackendClient(url, api_key)


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """A name that no other deployment has."""
    return fresh_name(request.node.name)


@pytest.fixture
def deployment(host: HostBackendClient, name: str) -> dict:
    """A deployment of an image, as it was answered to its create."""
    return deploy_image(host, name, secrets=[{"name": "MODEL_API_KEY", "value": "first-value"}])


@pytest.fixture(scope="session")
def serving(host: HostBackendClient) -> dict:
    """A deployment whose first revision is DEPLOYED. Tests share it, and leave it as it is."""
    made = deploy_image(host, fresh_name("serving"))
    until_revision(host, made["id"], "DEPLOYED")
    return host.get_deployment(made["id"])


@pytest.fixture(scope="session")
def agent_url(serving: dict) -> str:
    """Where the agent answers, as the command line shows it."""
    found = DeploymentRow.from_resource(serving).url
    assert found, "a deployment that serves has its address in source_config.custom_url"
    return found


@pytest.fixture(scope="session")
def agent(agent_url: str, api_key: str) -> Iterator[SyncLangGraphClient]:
    with get_sync_client(url=agent_url, api_key=api_key) as client:
        yield client


@pytest.fixture
def command_line(tmp_path: Path, url: str, api_key: str) -> CommandLine:
    """`langgraph` in an empty folder."""
    return CommandLine(tmp_path, {"LANGGRAPH_HOST_URL": url, "LANGSMITH_API_KEY": api_key})


@pytest.fixture
def project(command_line: CommandLine) -> CommandLine:
    """`langgraph` in the folder of a small agent."""
    folder = command_line.folder
    config = {
        "dependencies": ["."],
        "graphs": {"agent": "./agent.py:graph"},
        "env": {"MODEL_API_KEY": "first-value", "PORT": "8000"},
        "python_version": "3.12",
        "image_distro": "wolfi",
    }
    (folder / "langgraph.json").write_text(json.dumps(config))
    (folder / "agent.py").write_text("graph = None\n")
    (folder / "requirements.txt").write_text("google-adk==1.18.0\n")
    return command_line
