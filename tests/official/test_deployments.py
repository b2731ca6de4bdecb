"""Deployments through the client of `langgraph deploy`: langgraph_cli.host_backend.HostBackendClient."""

import uuid

import pytest
from langgraph_cli.host_backend import HostBackendClient, HostBackendError

from waiting import until_gone, until_revision


def test_a_create_answers_the_whole_deployment_as_it_is_read_then(
    host: HostBackendClient, deployment: dict, name: str
) -> None:
    assert uuid.UUID(deployment["id"])
    assert (deployment["name"], deployment["source"]) == (name, "external_docker")
    assert deployment["tenant_id"], "the status page's address is made of it"
    # Every key of the configuration, null where it is unset.
    config = deployment["source_config"]
    assert (config["listener_id"], config["install_command"], config["deployment_type"]) == (None, None, "prod")
    assert deployment["source_revision_config"]["repo_ref"] is None
    assert deployment["secret_references"] == []
    read = host.get_deployment(deployment["id"])
    assert read["id"] == deployment["id"]
    assert read["source_revision_config"]["image_uri"] == "registry.example.com/agent:1"


def test_a_new_image_makes_a_revision(host: HostBackendClient, deployment: dict) -> None:
    image = "registry.example.com/agent@sha256:" + "2" * 64
    updated = host.update_deployment(deployment["id"], image, revision_source=None)
    assert updated["id"] == deployment["id"]
    revisions = host.list_revisions(deployment["id"], limit=10)
    assert len(revisions) == 2
    assert revisions[0]["source_revision_config"]["image_uri"] == image


def test_secrets_are_answered_with_their_values_and_an_update_keeps_them_or_replaces_all(
    host: HostBackendClient, deployment: dict
) -> None:
    other = [{"name": "OTHER", "value": "other-value"}]
    first = [{"name": "MODEL_API_KEY", "value": "first-value"}]
    until_revision(host, deployment["id"], "DEPLOYED")
    assert host.get_deployment(deployment["id"])["secrets"] == first
    for tag, sent, now in (("2", None, first), ("3", other, other)):
        image = f"registry.example.com/agent:{tag}"
        host.update_deployment(deployment["id"], image, revision_source=None, secrets=sent)
        until_revision(host, deployment["id"], "DEPLOYED")
        assert host.get_deployment(deployment["id"])["secrets"] == now


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


def test_the_workspace_of_the_key_can_be_named_and_another_one_is_refused(
    url: str, api_key: str, serving: dict
) -> None:
    client = HostBackendClient(url, api_key, tenant_id=serving["tenant_id"])
    assert client.get_deployment(serving["id"])["name"] == serving["name"]
    client.set_tenant(str(uuid.uuid4()))
    with pytest.raises(HostBackendError) as refused:
        client.list_deployments()
    assert refused.value.status_code == 403
