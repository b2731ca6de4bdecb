"""Sandbox templates through langsmith.sandbox: SandboxClient, and AsyncSandboxClient where its code is another."""

import asyncio
import uuid

import pytest
from langsmith.sandbox import (
    AsyncSandboxClient,
    ResourceNameConflictError,
    ResourceNotFoundError,
    SandboxAPIError,
    SandboxAuthenticationError,
    SandboxClient,
    SandboxClientError,
    ValidationError,
)
from langsmith.sandbox._models import ResourceSpec, VolumeMountSpec

from names import fresh_name

IMAGE = "python:3.12-slim"


@pytest.fixture(scope="module")
def sandboxes(url: str, api_key: str):
    with SandboxClient(api_endpoint=f"{url}/v2/sandboxes", api_key=api_key) as client:
        yield client


def test_a_template_is_created_with_the_clients_defaults(sandboxes: SandboxClient) -> None:
    name = fresh_name("template")
    made = sandboxes.create_template(name, IMAGE)
    assert (made.name, made.image) == (name, IMAGE)
    assert made.resources == ResourceSpec(cpu="500m", memory="512Mi", storage=None)
    assert made.volume_mounts == []
    assert uuid.UUID(made.id)
    assert made.created_at


def test_all_that_can_be_declared_is_read_back(sandboxes: SandboxClient) -> None:
    name = fresh_name("template")
    mounts = [VolumeMountSpec(volume_name="data", mount_path="/data")]
    made = sandboxes.create_template(name, IMAGE, cpu="2", memory="4Gi", storage="10Gi", volume_mounts=mounts)
    read = sandboxes.get_template(name)
    assert read == made
    assert read.resources == ResourceSpec(cpu="2", memory="4Gi", storage="10Gi")
    assert read.volume_mounts == mounts


def test_templates_are_listed(sandboxes: SandboxClient) -> None:
    names = {sandboxes.create_template(fresh_name("template"), IMAGE).name for _ in range(3)}
    assert names <= {template.name for template in sandboxes.list_templates()}


def test_a_new_name_keeps_the_id_and_frees_the_old_one(sandboxes: SandboxClient) -> None:
    made = sandboxes.create_template(fresh_name("template"), IMAGE)
    renamed = sandboxes.update_template(made.name, new_name=fresh_name("renamed"))
    assert renamed.id == made.id
    assert sandboxes.get_template(renamed.name).id == made.id
    with pytest.raises(ResourceNotFoundError):
        sandboxes.get_template(made.name)
    other = sandboxes.create_template(made.name, IMAGE)
    with pytest.raises(ResourceNameConflictError) as refused:
        sandboxes.update_template(renamed.name, new_name=other.name)
    assert other.name in str(refused.value)


def test_what_has_gone_or_never_was_is_not_found(sandboxes: SandboxClient) -> None:
    made = sandboxes.create_template(fresh_name("template"), IMAGE)
    assert sandboxes.delete_template(made.name) is None
    with pytest.raises(ResourceNotFoundError) as refused:
        sandboxes.delete_template(made.name)
    assert refused.value.resource_type == "template"
    for look in (sandboxes.get_template, lambda name: sandboxes.update_template(name, new_name="another-name")):
        with pytest.raises(ResourceNotFoundError):
            look("no-such-template")


def test_a_second_create_of_a_name_is_refused_with_the_reason(sandboxes: SandboxClient) -> None:
    made = sandboxes.create_template(fresh_name("template"), IMAGE)
    # A create has no class of its own for a conflict.
    with pytest.raises(SandboxClientError, match=made.name) as refused:
        sandboxes.create_template(made.name, IMAGE)
    assert type(refused.value) is SandboxClientError


def test_a_name_that_is_too_long_is_a_validation_error_of_that_field(sandboxes: SandboxClient) -> None:
    with pytest.raises(ValidationError) as refused:
        sandboxes.create_template("a" * 64, IMAGE)
    assert refused.value.field == "name"
    assert refused.value.details[0]["loc"] == ["body", "name"]


@pytest.mark.parametrize("name", ["Upper-Case", "1-digit-first", "under_score", "ends-with-"])
def test_a_name_of_other_characters_is_refused(sandboxes: SandboxClient, name: str) -> None:
    with pytest.raises(SandboxClientError):
        sandboxes.create_template(name, IMAGE)
    with pytest.raises(ResourceNotFoundError):
        sandboxes.get_template(name)


@pytest.mark.parametrize(("cpu", "memory"), [("much", "512Mi"), ("500m", "512 megabytes")])
def test_a_quantity_that_is_not_one_is_refused(sandboxes: SandboxClient, cpu: str, memory: str) -> None:
    with pytest.raises(SandboxClientError):
        sandboxes.create_template(fresh_name("template"), IMAGE, cpu=cpu, memory=memory)


def test_a_wrong_key_is_an_authentication_error(url: str) -> None:
    client = SandboxClient(api_endpoint=f"{url}/v2/sandboxes", api_key="not-the-key")
    with client, pytest.raises(SandboxAuthenticationError):
        client.list_templates()


def test_a_wrong_address_is_told_from_a_missing_template(url: str, api_key: str) -> None:
    client = SandboxClient(api_endpoint=f"{url}/v2/sandbox", api_key=api_key)
    with client, pytest.raises(SandboxAPIError, match="api_endpoint"):
        client.list_templates()


def test_the_address_of_the_environment_is_that_of_the_langsmith_api(
    url: str, api_key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from langsmith import utils

    monkeypatch.setenv("LANGSMITH_ENDPOINT", url)
    monkeypatch.setenv("LANGSMITH_API_KEY", api_key)
    utils.get_env_var.cache_clear()
    try:
        with SandboxClient() as client:
            assert isinstance(client.list_templates(), list)
    finally:
        utils.get_env_var.cache_clear()


def test_the_asynchronous_client_goes_through_a_whole_life(url: str, api_key: str) -> None:
    async def live() -> None:
        async with AsyncSandboxClient(api_endpoint=f"{url}/v2/sandboxes", api_key=api_key) as client:
            made = await client.create_template(fresh_name("template"), IMAGE)
            assert await client.get_template(made.name) == made
            renamed = await client.update_template(made.name, new_name=fresh_name("renamed"))
            assert renamed.id == made.id
            assert renamed.name in {template.name for template in await client.list_templates()}
            await client.delete_template(renamed.name)
            with pytest.raises(ResourceNotFoundError):
                await client.get_template(renamed.name)

    asyncio.run(live())
