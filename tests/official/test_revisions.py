"""Revisions: what `langgraph deploy` polls until one has ended."""

import uuid

import pytest
from langgraph_cli.deploy import _TERMINAL_STATUSES
from langgraph_cli.host_backend import HostBackendClient, HostBackendError

from made import deploy_image
from waiting import until, until_revision


def create(host: HostBackendClient, name: str, image: str) -> str:
    return deploy_image(host, name, image)["id"]


def test_a_first_revision_comes_with_the_create_passes_known_stages_and_ends_deployed(
    host: HostBackendClient, name: str
) -> None:
    deployment_id = create(host, name, "registry.example.com/agent:1")
    (first,) = host.list_revisions(deployment_id)
    assert first["status"] not in _TERMINAL_STATUSES
    seen: list[str] = []

    def look() -> str | None:
        status = host.get_revision(deployment_id, first["id"])["status"]
        if status not in seen:
            seen.append(status)
        return status if status in _TERMINAL_STATUSES else None

    assert until(look, "end of the revision") == "DEPLOYED"
    order = [
        *("CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING"),
        *("AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"),
    ]
    assert seen == [status for status in order if status in seen]


@pytest.mark.parametrize("stage", ["create", "build", "deploy"])
def test_a_failure_is_an_end_that_the_command_line_knows(host: HostBackendClient, name: str, stage: str) -> None:
    status = f"{stage.upper()}_FAILED"
    assert status in _TERMINAL_STATUSES
    until_revision(host, create(host, name, f"registry.example.com/emulator-fail-{stage}:1"), status)


def test_a_revision_that_a_newer_one_overtook_is_skipped(host: HostBackendClient, name: str) -> None:
    deployment_id = create(host, name, "registry.example.com/emulator-stuck:1")
    (first,) = host.list_revisions(deployment_id)
    host.update_deployment(deployment_id, "registry.example.com/agent:2", revision_source=None)
    until_revision(host, deployment_id, "DEPLOYED")
    assert host.get_revision(deployment_id, first["id"])["status"] == "SKIPPED"


def test_revisions_are_listed_newest_first_and_no_more_than_asked_for(host: HostBackendClient, name: str) -> None:
    deployment_id = create(host, name, "registry.example.com/agent:1")
    for tag in ("2", "3"):
        host.update_deployment(deployment_id, f"registry.example.com/agent:{tag}", revision_source=None)
    listed = host.list_revisions(deployment_id, limit=2)
    images = [revision["source_revision_config"]["image_uri"] for revision in listed]
    assert images == ["registry.example.com/agent:3", "registry.example.com/agent:2"]


def test_packages_that_the_command_line_tracks_stay_with_the_revision(
    host: HostBackendClient, deployment: dict
) -> None:
    packages = ["google-adk:1.18.0"]
    host.update_deployment(
        deployment["id"], "registry.example.com/agent:2", revision_source=None, tracked_packages=packages
    )
    (newest,) = host.list_revisions(deployment["id"])
    assert newest["source_revision_config"]["tracked_packages"] == packages


def test_what_is_unknown_is_a_404(host: HostBackendClient, serving: dict) -> None:
    unknown = str(uuid.uuid4())
    for look in (lambda: host.get_revision(serving["id"], unknown), lambda: host.list_revisions(unknown)):
        with pytest.raises(HostBackendError) as refused:
            look()
        assert refused.value.status_code == 404
