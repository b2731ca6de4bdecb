"""Deployments through the client of `langgraph deploy`: langgraph_cli.host_backend.HostBackendClient."""

import uuid

import pytest
from langgraph_cli.host_backend import HostBackendClient, HostBackendError

from waiting import until_gone, until_revision


def test_a_create_answers_the_whole_deployment(deployment: dict, name: str) -> None:
    assert uuid.UUID(deployment["id"])
    assert deployment["name"] == name
    assert deployment["source"] == "external_docker"
    assert deployment["tenant_id"], "the status page's address is made of it"


def test_a_deployment_is_read_as_it_was_created(host: HostBackendClient, deployment: dict) -> None:
    read = host.get_deployment(deployment["id"])
    assert read["id"] == deployment["id"]
    assert read["source_revision_config"]["image_uri"] == "registry.example.com/agent:1"


def test_every_key_of_the_configuration_is_answered_null_where_it_is_unset(deployment: dict) -> None:
    config = deployment["source_config"]
    assert config["listener_id"] is None
    assert config["install_command"] is None
    assert config["deployment_type"] == "prod"
    assert deployment["source_revision_config"]["repo_ref"] is None
    assert deployment["secret_references"] == []


def test_secrets_are_answered_with_their_values(host: HostBackendClient, deployment: dict) -> None:
    until_revision(host, deployment["id"], "DEPLOYED")
    read = host.get_deployment(deployment["id"])
    assert read["secrets"] == [{"name": "MODEL_API_KEY", "value": "first-value"}]


def test_a_new_image_makes_a_revision(host: HostBackendClient, deployment: dict) -> None:
    image = "registry.example.com/agent@sha256:" + "2" * 64
    updated = host.update_deployment(deployment["id"], image, revision_source=None)
    assert updated["id"] == deployment["id"]
    revisions = host.list_revisions(deployment["id"], limit=10)
    assert len(revisions) == 2
    assert revisions[0]["source_revision_config"]["image_uri"] == image


def test_an_update_without_secrets_keeps_them(host: HostBackendClient, deployment: dict) -> None:
    host.update_deployment(deployment["id"], "registry.example.com/agent:2", revision_source=None)
    until_revision(host, deployment["id"], "DEPLOYED")
    assert [secret["name"] for secret in host.get_deployment(deployment["id"])["secrets"]] == ["MODEL_API_KEY"]


def test_an_update_with_secrets_replaces_all_of_them(host: HostBackendClient, deployment: dict) -> None:
    secrets = [{"name": "OTHER", "value": "other-value"}]
    host.update_deployment(deployment["id"], "registry.example.com/agent:2", revision_source=None, secrets=secrets)
    until_revision(host, deployment["id"], "DEPLOYED")
    assert host.get_deployment(deployment["id"])["secrets"] == secrets


def test_a_deleted_deployment_answers_until_it_has_gone(host: HostBackendClient, deployment: dict) -> None:
    assert host.delete_deployment(deployment["id"]) is None
    assert host.get_deployment(deployment["id"])["status"] == "AWAITING_DELETE"
    gone = until_gone(host, deployment["id"])
    assert gone.status_code == 404
    assert gone.detail == f"Deployment ID {deployment['id']} not found."


def test_a_deployment_that_never_was_is_a_404_that_names_it(host: HostBackendClient) -> None:
    unknown = str(uuid.uuid4())
    with pytest.raises(HostBackendError) as refused:
        host.get_deployment(unknown)
    assert (refused.value.status_code, refused.value.detail) == (404, f"Deployment ID {unknown} not found.")


def test_a_wrong_key_is_refused(url: str) -> None:
    with pytest.raises(HostBackendError) as refused:
        HostBackendClient(url, "not-the-key").list_deployments()
    assert refused.value.status_code in (401, 403)
    assert refused.value.detail, "the command line shows the reason"


def test_the_workspace_of_the_key_can_be_named(url: str, api_key: str, serving: dict) -> None:
    client = HostBackendClient(url, api_key, tenant_id=serving["tenant_id"])
    assert client.get_deployment(serving["id"])["name"] == serving["name"]


def test_another_workspace_than_that_of_the_key_is_refused(url: str, api_key: str) -> None:
    client = HostBackendClient(url, api_key)
    client.set_tenant(str(uuid.uuid4()))
    with pytest.raises(HostBackendError) as refused:
        client.list_deployments()
    assert refused.value.status_code == 403
