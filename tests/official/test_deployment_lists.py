"""Lists of deployments: HostBackendClient reads every page, and stops at one that is short."""

from langgraph_cli.deploy import find_deployment_by_name
from langgraph_cli.host_backend import MAX_PAGE_SIZE, HostBackendClient

from made import deploy_image
from names import fresh_name


def create(host: HostBackendClient, name: str) -> str:
    return deploy_image(host, name)["id"]


def names_of(deployments: list) -> list[str]:
    return [deployment["name"] for deployment in deployments]


def test_filters_hold_each_by_itself_and_at_once(host: HostBackendClient, name: str) -> None:
    wanted, canary = create(host, name), f"{name}-canary"
    create(host, canary)
    assert [found["id"] for found in host.list_deployments(name=name)] == [wanted]
    assert sorted(names_of(host.list_deployments(name_contains=name))) == [name, canary]
    assert names_of(host.list_deployments(name=canary, name_contains=name)) == [canary]
    assert {name, canary} <= set(names_of(host.list_deployments()))
    assert host.list_deployments(name="nothing-has-this-name") == []


def test_a_list_of_more_than_one_page_is_read_to_its_end(host: HostBackendClient) -> None:
    prefix = fresh_name("page")
    wanted = {create(host, f"{prefix}-{number}") for number in range(MAX_PAGE_SIZE + 1)}
    found = host.list_deployments(name_contains=f"{prefix}-")
    assert {deployment["id"] for deployment in found} == wanted
    assert len(found) == len(wanted)


def test_the_command_lines_own_look_up_finds_id_and_source(host: HostBackendClient, serving: dict) -> None:
    found = find_deployment_by_name(host, serving["name"])
    assert found is not None
    assert (found.id, found.source) == (serving["id"], "external_docker")
