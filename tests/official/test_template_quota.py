"""A platform that takes one sandbox template and no more."""

import os

import pytest
from langsmith.sandbox import QuotaExceededError, SandboxClient

from names import fresh_name


def test_a_full_quota_is_told_from_a_rate_limit(api_key: str) -> None:
    endpoint = f"{os.environ['OFFICIAL_URL_OF_FULL_SANDBOXES']}/v2/sandboxes"
    # Without retries: the client takes every 429 for a rate limit first.
    with SandboxClient(api_endpoint=endpoint, api_key=api_key, max_retries=0) as client:
        first = client.create_template(fresh_name("template"), "python:3.12-slim")
        with pytest.raises(QuotaExceededError) as refused:
            client.create_template(fresh_name("template"), "python:3.12-slim")
        assert "1" in str(refused.value), "how many there may be"
        client.delete_template(first.name)
        client.create_template(fresh_name("template"), "python:3.12-slim")
