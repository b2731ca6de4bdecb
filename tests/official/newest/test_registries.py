"""Registries of sandboxes, with a password and by role."""

import uuid

import pytest
from langsmith import _exceptions as errors
from langsmith._client import Langsmith
from langsmith.types.sandboxes import RegistryResponse

ROLE = "arn:aws:iam::123456789012:role/pull"
URL = "registry.example.com"


@pytest.fixture
def registries(client: Langsmith):
    return client.sandboxes.registries


def with_password(registries, name: str, **more: str) -> RegistryResponse:
    return registries.create(name=name, url=URL, username="robot", password="hidden-value", **more)


def test_one_with_a_password_is_read_by_its_name_without_it(registries, stem: str) -> None:
    made = with_password(registries, stem)
    assert uuid.UUID(made.id)
    assert (made.name, made.url, made.auth_type) == (stem, URL, "DOCKER_CONFIG")
    read = registries.retrieve(stem)
    assert read == made
    assert "hidden-value" not in read.to_json()


def test_one_by_role_has_neither_user_nor_password(registries, stem: str) -> None:
    made = registries.create(name=stem, url=URL, auth_type="AWS_ROLE", aws_role_arn=ROLE)
    assert (made.auth_type, made.aws_role_arn) == ("AWS_ROLE", ROLE)
    assert registries.retrieve(stem) == made


@pytest.mark.parametrize(
    "given",
    [
        {"auth_type": "AWS_ROLE"},
        {"auth_type": "AWS_ROLE", "aws_role_arn": ROLE, "password": "hidden-value"},
        {"auth_type": "DOCKER_CONFIG"},
        {"auth_type": "ELSE", "aws_role_arn": ROLE},
    ],
    ids=["a role without its name", "a role with a password", "no password", "an unknown way"],
)
def test_what_does_not_go_together_is_refused(registries, stem: str, given: dict) -> None:
    with pytest.raises((errors.BadRequestError, errors.UnprocessableEntityError)):
        registries.create(name=stem, url=URL, **given)
    with pytest.raises(errors.NotFoundError):
        registries.retrieve(stem)


def test_an_update_changes_what_it_names_and_nothing_else(registries, stem: str) -> None:
    made = with_password(registries, stem)
    changed = registries.update(stem, url="mirror.example.com", password="another-value")
    assert (changed.id, changed.name, changed.url) == (made.id, stem, "mirror.example.com")
    renamed = registries.update(stem, body_name=f"{stem}-renamed")
    assert renamed.id == made.id
    assert registries.retrieve(f"{stem}-renamed").url == "mirror.example.com"
    with pytest.raises(errors.NotFoundError):
        registries.retrieve(stem)
    # A password gives way to a role.
    changed = registries.update(renamed.name, auth_type="AWS_ROLE", aws_role_arn=ROLE)
    assert (changed.id, changed.auth_type, changed.aws_role_arn) == (made.id, "AWS_ROLE", ROLE)


def test_a_list_is_read_page_by_page_to_its_end(registries, stem: str) -> None:
    made = [with_password(registries, f"{stem}-{n}").name for n in range(5)]
    page = registries.list(page_size=2, name_contains=stem)
    pages = [page]
    while page.next_cursor is not None:
        page = registries.list(page_size=2, name_contains=stem, cursor=page.next_cursor)
        pages.append(page)
    assert [len(each.items) for each in pages] == [2, 2, 1]
    assert sorted(item.name for each in pages for item in each.items) == made


def test_a_name_that_is_taken_is_refused_and_one_that_is_deleted_has_gone(registries, stem: str) -> None:
    with_password(registries, stem)
    with pytest.raises(errors.ConflictError):
        with_password(registries, stem)
    assert registries.delete(stem) is None
    for call in (registries.retrieve, registries.delete):
        with pytest.raises(errors.NotFoundError):
            call(stem)


def test_a_wrong_key_is_refused(url: str) -> None:
    with Langsmith(api_key="not-the-key", base_url=url, max_retries=0) as stranger:
        with pytest.raises((errors.AuthenticationError, errors.PermissionDeniedError)):
            stranger.sandboxes.registries.list()
