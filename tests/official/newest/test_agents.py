"""The platform's agents, and the deployments that are theirs."""

import uuid

import pytest
from langgraph_cli.host_backend import HostBackendClient, HostBackendError
from langsmith import _exceptions as errors
from langsmith._client import Langsmith

from command_line import CommandLine
from waiting import until_revision

ENVIRONMENTS = ["DEVELOPMENT", "LOCAL", "PRODUCTION", "STAGING"]
IMAGE = f"registry.example.com/agent@sha256:{'1' * 64}"


@pytest.fixture
def agents(client: Langsmith):
    return client.agents


def deploy(host: HostBackendClient, agent_id: str, environment: str) -> dict:
    return host.create_deployment(
        name=None,
        agent={"agent_id": agent_id, "environment": environment},
        source="external_docker",
        source_config={"resource_spec": {}},
        source_revision_config={"image_uri": IMAGE},
        secrets=[],
    )


def test_one_is_made_with_all_its_environments(agents, stem: str) -> None:
    made = agents.create(id=stem)
    assert (made.id, made.name, made.agent_type, made.source_type) == (stem, stem, "CUSTOM", "EXTERNAL")
    assert uuid.UUID(made.agent_uuid)
    assert sorted(each.environment for each in made.environments) == ENVIRONMENTS
    assert len({each.tracer_session_id for each in made.environments}) == 4
    assert {each.agent_id for each in made.environments} == {stem}
    read = agents.retrieve(stem)
    assert (read.agent_uuid, read.environments) == (made.agent_uuid, made.environments)


def test_one_of_a_fleet_can_have_production_alone(agents, stem: str) -> None:
    made = agents.create(id=stem, source_type="FLEET", production_only=True)
    assert [each.environment for each in made.environments] == ["PRODUCTION"]
    with pytest.raises((errors.BadRequestError, errors.UnprocessableEntityError)):
        agents.create(id=f"{stem}-2", production_only=True)


def test_an_update_changes_what_it_names_and_nothing_else(agents, stem: str) -> None:
    made = agents.create(id=stem)
    changed = agents.update(stem, name="Support")
    assert (changed.name, changed.agent_type, changed.agent_uuid) == ("Support", "CUSTOM", made.agent_uuid)
    changed = agents.update(stem, agent_type="CODING", owner_id=None)
    assert (changed.name, changed.agent_type, changed.owner_id) == ("Support", "CODING", None)


def test_a_list_is_read_page_by_page_to_its_end(agents, stem: str) -> None:
    made = [agents.create(id=f"{stem}-{n}").id for n in range(5)]
    first = agents.list(page_size=2, search=stem)
    assert (len(first.items), first.next_cursor is None) == (2, False)
    assert sorted(each.id for each in first) == made
    named = agents.list(id=[made[3], made[1]], sort_by="name", sort_order="asc")
    assert [each.id for each in named] == [made[1], made[3]]
    assert list(agents.list(search=stem, source_type="FLEET")) == []


def test_an_id_that_is_taken_or_none_is_refused_and_one_that_is_deleted_has_gone_with_its_uuid(
    agents, stem: str
) -> None:
    made = agents.create(id=stem)
    with pytest.raises(errors.ConflictError):
        agents.create(id=stem)
    for wrong in ("Support", "1-support", "support-", "a" * 64):
        with pytest.raises((errors.BadRequestError, errors.UnprocessableEntityError)):
            agents.create(id=wrong)
    assert agents.delete(stem) is None
    with pytest.raises(errors.NotFoundError):
        agents.retrieve(stem)
    assert agents.create(id=stem).agent_uuid != made.agent_uuid


def test_a_deployment_is_found_by_its_agent_and_environment(agents, host: HostBackendClient, stem: str) -> None:
    agents.create(id=stem)
    staging, production = (deploy(host, stem, each) for each in ("staging", "production"))
    assert staging["name"] != production["name"]
    until_revision(host, production["id"], "DEPLOYED")
    found = host.list_deployments(agent_id=stem, agent_environment="production")
    assert [each["id"] for each in found] == [production["id"]]
    assert {each["id"] for each in host.list_deployments(agent_id=stem)} == {staging["id"], production["id"]}
    assert host.list_deployments(agent_id=stem, agent_environment="development") == []


def test_an_environment_has_one_deployment_and_an_unknown_agent_none(agents, host: HostBackendClient, stem: str) -> None:
    for known, statuses in ((False, (400, 404, 422)), (True, (409,))):
        if known:
            agents.create(id=stem)
            deploy(host, stem, "staging")
        with pytest.raises(HostBackendError) as refused:
            deploy(host, stem, "staging")
        assert refused.value.status_code in statuses


def test_the_command_line_deploys_twice_to_one_environment(
    agents, host: HostBackendClient, project: CommandLine, stem: str
) -> None:
    agents.create(id=stem)
    given = ("deploy", "--agent-id", stem, "--agent-environment", "production", "--json", "--no-input")
    for image in (IMAGE, IMAGE.replace("1" * 64, "2" * 64)):
        ended = project.run(*given, "--image-uri", image)
        assert ended.returncode == 0, ended.stdout + ended.stderr
    (found,) = host.list_deployments(agent_id=stem, agent_environment="production")
    assert len(host.list_revisions(found["id"], limit=10)) == 2
