"""OAuth providers through langchain_auth.Client, which is asynchronous alone."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from langchain_auth import Client, OAuthProvider

from names import fresh_name

URLS = {
    "auth_url": "https://idp.example.com/authorize",
    "token_url": "https://idp.example.com/token",
}


async def create(client: Client, **more: object) -> OAuthProvider:
    provider_id = fresh_name("provider")
    return await client.create_oauth_provider(
        provider_id=provider_id, name="Example", client_id="client", client_secret="hidden-value", **URLS, **more
    )


def with_client(test: Callable[[Client], Awaitable[None]]) -> Callable[[str, str], None]:
    """Runs a test with a client, to its end."""

    return lambda url, api_key: asyncio.run(test(Client(api_key=api_key, api_url=url)))


@with_client
async def test_a_provider_is_created_listed_and_read_by_the_id_that_its_user_chose(client: Client) -> None:
    made = [await create(client) for _ in range(3)]
    assert made[0].id != made[0].provider_id
    assert made[0].organization_id
    assert await client.get_oauth_provider(made[0].provider_id) == made[0]
    listed = await client.list_oauth_providers()
    assert all(provider in listed for provider in made)


@with_client
async def test_pkce_is_off_and_its_method_s256_unless_said_otherwise(client: Client) -> None:
    plain = await create(client)
    assert (plain.uses_pkce, plain.code_challenge_method) == (False, "S256")
    other = await create(client, uses_pkce=True, code_challenge_method="plain")
    assert (other.uses_pkce, other.code_challenge_method) == (True, "plain")


@with_client
async def test_an_update_changes_what_it_names_and_nothing_else(client: Client) -> None:
    made = await create(client)
    changed = await client.update_oauth_provider(made.provider_id, name="Another", uses_pkce=True)
    assert (changed.name, changed.uses_pkce) == ("Another", True)
    assert (changed.id, changed.client_id, changed.auth_url) == (made.id, made.client_id, made.auth_url)
    assert await client.get_oauth_provider(made.provider_id) == changed


@with_client
async def test_an_id_that_is_taken_is_refused_until_its_provider_has_gone(client: Client) -> None:
    made = await create(client)
    with pytest.raises(Exception, match="HTTP (400|409)"):
        await client.create_oauth_provider(
            provider_id=made.provider_id, name="Second", client_id="client", client_secret="hidden-value", **URLS
        )
    assert (await client.get_oauth_provider(made.provider_id)).name == "Example"
    assert (await client.delete_oauth_provider(made.provider_id)).message
    with pytest.raises(Exception, match="HTTP 404"):
        await client.get_oauth_provider(made.provider_id)


def test_a_wrong_key_is_refused(url: str) -> None:
    with pytest.raises(Exception, match="HTTP 40[13]"):
        asyncio.run(Client(api_key="not-the-key", api_url=url).list_oauth_providers())
