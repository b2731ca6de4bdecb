"""Secrets of a workspace: a PUT makes one or changes it, and no answer has its value."""

import pytest
from langsmith import _exceptions as errors
from langsmith._client import Langsmith
from langsmith.types import WorkspaceSecret


@pytest.fixture
def secrets(client: Langsmith):
    return client.workspace_secrets


@pytest.fixture
def key(stem: str) -> str:
    return stem.upper().replace("-", "_")


def listed(secrets, key: str, **more: bool) -> list[WorkspaceSecret]:
    return [each for each in secrets.list(**more) if each.key == key]


def test_one_is_made_and_listed_without_its_value(secrets, key: str) -> None:
    made = secrets.upsert(key, value="hidden-value")
    assert (made.key, made.configs) == (key, [])
    (found,) = listed(secrets, key)
    assert found.configs is None
    assert "hidden-value" not in made.to_json() + found.to_json()


def test_its_hosts_are_replaced_as_one_and_its_value_stays(secrets, key: str) -> None:
    secrets.upsert(key, value="hidden-value", configs=[{"host_pattern": "api.example.com"}])
    header = {"header_name": "Authorization", "header_value_template": "Bearer {value}"}
    (host,) = secrets.upsert(key, configs=[{"host_pattern": "*.example.org", **header}]).configs
    assert (host.host_pattern, host.source) == ("*.example.org", "CUSTOM")
    assert (host.header_name, host.header_value_template) == tuple(header.values())
    (found,) = listed(secrets, key, include_configs=True)
    assert [each.host_pattern for each in found.configs] == ["*.example.org"]
    assert secrets.upsert(key, configs=[]).configs == []


def test_the_platform_knows_the_hosts_of_some_providers(secrets) -> None:
    try:
        made = secrets.upsert("OPENAI_API_KEY", value="hidden-value")
        assert {(each.host_pattern, each.source) for each in made.configs} == {("api.openai.com", "DEFAULT")}
    finally:
        secrets.delete("OPENAI_API_KEY")


def test_a_new_one_needs_a_value(secrets, key: str) -> None:
    with pytest.raises((errors.BadRequestError, errors.UnprocessableEntityError)):
        secrets.upsert(key, configs=[{"host_pattern": "api.example.com"}])
    assert listed(secrets, key) == []


@pytest.mark.parametrize("pattern", ["https://api.example.com/v1", "api.*.com", ""])
def test_a_host_that_is_none_is_refused(secrets, key: str, pattern: str) -> None:
    with pytest.raises((errors.BadRequestError, errors.UnprocessableEntityError)):
        secrets.upsert(key, value="hidden-value", configs=[{"host_pattern": pattern}])


def test_one_that_is_deleted_has_gone_and_so_has_one_that_never_was(secrets, key: str) -> None:
    secrets.upsert(key, value="hidden-value")
    assert secrets.delete(key) is None
    assert listed(secrets, key) == []
    assert secrets.delete(key) is None
