"""A control plane below a path, as on a host of its users: the client derives it from the address of the API."""

import os

import pytest
from langgraph_cli.host_backend import ControlPlaneEndpoints, HostBackendClient

from command_line import CommandLine
from made import deploy_image
from names import fresh_name
from waiting import until_revision


@pytest.fixture(scope="module")
def below_path() -> str:
    return os.environ["OFFICIAL_URL_BELOW_PATH"]


def test_the_path_is_the_one_that_the_client_derives(below_path: str) -> None:
    root = below_path.removesuffix("/api-host")
    assert ControlPlaneEndpoints.resolve(None, f"{root}/api/v1").control_plane_url == below_path


def test_a_deployment_is_created_updated_listed_and_deleted_below_it(below_path: str, api_key: str) -> None:
    host = HostBackendClient(below_path, api_key)
    name = fresh_name("below")
    made = deploy_image(host, name)
    host.update_deployment(made["id"], "registry.example.com/agent:2", revision_source=None)
    revision = until_revision(host, made["id"], "DEPLOYED")
    assert host.get_deploy_logs(made["id"], {"order": "asc", "limit": 10}, revision["id"])["logs"]
    assert [found["id"] for found in host.list_deployments(name=name)] == [made["id"]]
    host.delete_deployment(made["id"])


def test_the_command_line_finds_it_by_the_address_of_the_api(below_path: str, api_key: str, tmp_path) -> None:
    endpoint = f"{below_path.removesuffix('/api-host')}/api/v1"
    command_line = CommandLine(tmp_path, {"LANGSMITH_ENDPOINT": endpoint, "LANGSMITH_API_KEY": api_key})
    assert command_line.succeed("deploy", "list", "--name-contains", "nothing-has-this-name").strip() == (
        "No deployments found."
    )
