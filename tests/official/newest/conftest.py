"""The newest langsmith, generated from the platform's interface. Its process has no other version of the package."""

from collections.abc import Iterator

import pytest
from langsmith._client import Langsmith

from names import fresh_name


@pytest.fixture(scope="session")
def client(url: str, api_key: str) -> Iterator[Langsmith]:
    # It would repeat what answers 409, and wait in between.
    with Langsmith(api_key=api_key, base_url=url, max_retries=0) as made:
        yield made


@pytest.fixture
def stem() -> str:
    """The beginning of the names of one test."""
    return fresh_name("official")
