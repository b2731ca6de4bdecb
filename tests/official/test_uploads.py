"""Deployments that `langgraph deploy` makes before it has anything to run, and what it uploads for them."""

import uuid

import pytest
from langgraph_cli.deploy import _upload_source_tarball
from langgraph_cli.host_backend import HostBackendClient, HostBackendError

from waiting import until_revision


def create_empty(host: HostBackendClient, name: str, source: str, deployment_type: str = "dev_zero") -> dict:
    """As `_resolve_or_create` of langgraph_cli.deploy does it; dev_zero is what its default, serverless, means."""
    return host.create_deployment(
        name=name,
        source=source,
        source_config={"deployment_type": deployment_type},
        source_revision_config={},
        secrets=[],
    )


@pytest.mark.parametrize("source", ["internal_docker", "internal_source"])
@pytest.mark.parametrize("deployment_type", ["dev_zero", "dev", "prod"])
def test_a_deployment_can_be_created_before_it_has_an_image(
    host: HostBackendClient, name: str, source: str, deployment_type: str
) -> None:
    made = create_empty(host, name, source, deployment_type)
    assert made["source"] == source
    assert made["source_config"]["deployment_type"] == deployment_type
    assert host.list_deployments(name=name)[0]["id"] == made["id"]


def test_an_uploaded_source_is_built(host: HostBackendClient, name: str, tmp_path) -> None:
    made = create_empty(host, name, "internal_source")
    upload = host.request_upload_url(made["id"])
    assert upload["upload_url"].startswith("http")
    archive = tmp_path / "source.tar.gz"
    archive.write_bytes(b"not looked into")
    size = archive.stat().st_size
    _upload_source_tarball(upload["upload_url"], str(archive), size, upload.get("upload_headers"))
    updated = host.update_deployment_internal_source(made["id"], upload["object_path"], "langgraph.json", secrets=[])
    assert updated["id"] == made["id"]
    revision = until_revision(host, made["id"], "DEPLOYED")
    config = revision["source_revision_config"]
    assert config["source_tarball_path"] == upload["object_path"]
    assert config["langgraph_config_path"] == "langgraph.json"


def test_the_commands_of_a_build_go_with_it_and_a_path_that_no_upload_gave_is_refused(
    host: HostBackendClient, name: str
) -> None:
    made = create_empty(host, name, "internal_source")
    with pytest.raises(HostBackendError) as refused:
        host.update_deployment_internal_source(made["id"], "somewhere/else.tar.gz", "langgraph.json")
    assert refused.value.status_code == 400
    path = host.request_upload_url(made["id"])["object_path"]
    updated = host.update_deployment_internal_source(
        made["id"], path, "langgraph.json", install_command="yarn install", build_command="yarn build"
    )
    assert updated["source_config"]["install_command"] == "yarn install"
    assert updated["source_config"]["build_command"] == "yarn build"


def test_an_image_is_pushed_with_a_token_and_then_deployed(host: HostBackendClient, name: str) -> None:
    made = create_empty(host, name, "internal_docker")
    push = host.request_push_token(made["id"])
    assert push["token"]
    assert push["registry_url"]
    image = f"{push['registry_url'].removeprefix('https://')}/agent@sha256:{'a' * 64}"
    host.update_deployment(made["id"], image, revision_source="internal_docker", secrets=[])
    revision = until_revision(host, made["id"], "DEPLOYED")
    assert revision["source_revision_config"]["image_uri"] == image


def test_a_token_is_for_images_that_the_platform_keeps(host: HostBackendClient, serving: dict) -> None:
    for deployment_id, status in ((serving["id"], 400), (str(uuid.uuid4()), 404)):
        with pytest.raises(HostBackendError) as refused:
            host.request_push_token(deployment_id)
        assert refused.value.status_code == status
        if status == 400:
            assert "only available for 'internal_docker' source deployments" in refused.value.message
