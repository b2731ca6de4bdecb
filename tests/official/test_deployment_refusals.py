"""What the platform refuses, in the form in which HostBackendError shows it."""

import pytest
from langgraph_cli.deploy import RESERVED_ENV_VARS
from langgraph_cli.host_backend import HostBackendClient, HostBackendError

from made import deploy_image
from names import fresh_name

IMAGE = {"image_uri": "registry.example.com/agent:1"}

EXTERNAL = "external_docker"
SPEC = {"resource_spec": {}}

# What `langgraph deploy` itself would send, and one thing wrong with it.
REFUSED = {
    "an external image needs a resource spec": (EXTERNAL, {}, IMAGE, []),
    "an external image needs its image": (EXTERNAL, SPEC, {}, []),
    "an external image has no deployment type": (EXTERNAL, {**SPEC, "deployment_type": "prod"}, IMAGE, []),
    "an external image is not of a branch": (EXTERNAL, SPEC, {**IMAGE, "repo_ref": "main"}, []),
    "an internal image needs a deployment type": ("internal_docker", {}, {}, []),
    "a source that is not one": ("floppy_disk", SPEC, IMAGE, []),
    "a variable without a name": (EXTERNAL, SPEC, IMAGE, [{"name": "", "value": "some-value"}]),
    "secrets are a required field": (EXTERNAL, SPEC, IMAGE, None),
}


@pytest.mark.parametrize(("source", "config", "revision", "secrets"), REFUSED.values(), ids=list(REFUSED))
def test_a_create_is_refused_and_makes_nothing(
    host: HostBackendClient, name: str, source: str, config: dict, revision: dict, secrets: list | None
) -> None:
    with pytest.raises(HostBackendError) as refused:
        host.create_deployment(
            name=name, source=source, source_config=config, source_revision_config=revision, secrets=secrets
        )
    assert refused.value.status_code in (400, 422)
    assert host.list_deployments(name=name) == []


# The client's own list has two parts; these names are refused on the cloud alone.
ON_THE_CLOUD_ALONE = {
    *("LANGSMITH_API_KEY", "LANGSMITH_ENDPOINT", "POSTGRES_URI_CUSTOM", "REDIS_URI_CUSTOM", "PATH", "PORT"),
    *("MOUNT_PREFIX", "LSD_ENV", "LSD_DD_API_KEY", "LSD_DD_ENDPOINT", "LSD_DEPLOYMENT_TYPE"),
}


def refusal(host: HostBackendClient, hint: str, source: str, variable: str) -> HostBackendError | None:
    """The platform's answer to a deployment with that variable; None where it took it."""
    external = source == "external_docker"
    try:
        host.create_deployment(
            name=fresh_name(hint),
            source=source,
            source_config={"resource_spec": {}} if external else {"deployment_type": "dev"},
            source_revision_config=IMAGE if external else {},
            secrets=[{"name": variable, "value": "some-value"}],
        )
    except HostBackendError as error:
        return error
    return None


def test_the_cloud_refuses_every_name_that_the_command_line_leaves_out(host: HostBackendClient, name: str) -> None:
    refusals = {variable: refusal(host, name, "internal_docker", variable) for variable in RESERVED_ENV_VARS}
    assert [variable for variable, error in refusals.items() if error is None] == []
    assert {error.status_code for error in refusals.values() if error} == {400}
    assert [variable for variable, error in refusals.items() if error and variable not in str(error.detail)] == []


def test_a_self_hosted_platform_takes_what_the_cloud_alone_reserves(host: HostBackendClient, name: str) -> None:
    assert ON_THE_CLOUD_ALONE < RESERVED_ENV_VARS
    refused = {variable for variable in RESERVED_ENV_VARS if refusal(host, name, "external_docker", variable)}
    assert refused == RESERVED_ENV_VARS - ON_THE_CLOUD_ALONE


def test_a_name_that_is_taken_is_a_conflict(host: HostBackendClient, deployment: dict, name: str) -> None:
    with pytest.raises(HostBackendError) as refused:
        deploy_image(host, name)
    assert refused.value.status_code == 409
    assert refused.value.detail
