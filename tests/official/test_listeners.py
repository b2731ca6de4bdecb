"""Listeners of self-hosted clusters, which the client of `langgraph deploy` reads."""

import uuid

import pytest
from langgraph_cli.deploy import (
    Listener,
    RequestedPlacement,
    _available_listeners,
    _needs_a_listener,
    _requested_listener,
)
from langgraph_cli.host_backend import MAX_PAGE_SIZE, HostBackendClient, HostBackendError

from made import make_listener
from waiting import until_revision


def test_a_listener_is_read_by_its_id(host: HostBackendClient) -> None:
    made = make_listener(host, "agents", "agents-canary")
    read = Listener.from_resource(host.get_listener(made["id"]))
    assert read == Listener(made["id"], made["compute_id"], ("agents", "agents-canary"))


def test_all_listeners_are_listed_over_more_than_one_page(host: HostBackendClient) -> None:
    made = {make_listener(host, "agents")["id"] for _ in range(MAX_PAGE_SIZE + 1)}
    listed = [listener.id for listener in _available_listeners(host)]
    assert made <= set(listed)
    assert len(listed) == len(set(listed))


def test_an_unknown_listener_is_told_from_the_known_ones(host: HostBackendClient) -> None:
    unknown = str(uuid.uuid4())
    with pytest.raises(HostBackendError) as refused:
        host.get_listener(unknown)
    assert refused.value.status_code in (404, 422)
    make_listener(host, "agents")
    with pytest.raises(Exception, match="Available listeners"):
        _requested_listener(host, unknown)


def test_a_deployment_is_placed_on_a_listener(host: HostBackendClient, name: str) -> None:
    listener = Listener.from_resource(make_listener(host, "agents"))
    placement = RequestedPlacement(listener.id).on(listener)
    made = host.create_deployment(
        name=name,
        source="external_docker",
        source_config={"resource_spec": {}, **placement.source_config()},
        source_revision_config={"image_uri": "registry.example.com/agent:1"},
        secrets=[],
    )
    assert made["source_config"]["listener_id"] == listener.id
    until_revision(host, made["id"], "DEPLOYED")


def test_a_listener_that_is_not_there_cannot_run_a_deployment(host: HostBackendClient, name: str) -> None:
    with pytest.raises(HostBackendError) as refused:
        host.create_deployment(
            name=name,
            source="external_docker",
            source_config={
                "resource_spec": {},
                "listener_id": str(uuid.uuid4()),
                "listener_config": {"k8s_namespace": "agents"},
            },
            source_revision_config={"image_uri": "registry.example.com/agent:1"},
            secrets=[],
        )
    assert refused.value.status_code in (400, 404, 422)
    assert not _needs_a_listener(refused.value)
    assert host.list_deployments(name=name) == []
