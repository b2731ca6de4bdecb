"""Waits for what the platform does by itself: the tests run against a real server, whose clock cannot be set."""

import time
from collections.abc import Callable
from typing import TypeVar

from langgraph_cli.host_backend import HostBackendClient, HostBackendError

T = TypeVar("T")

# A build of the emulators under test takes a second.
LONGEST_SECONDS = 15.0


def until(look: Callable[[], T | None], what: str, longest: float = LONGEST_SECONDS) -> T:
    """What `look` gives, as soon as it gives anything."""
    deadline = time.monotonic() + longest
    while time.monotonic() < deadline:
        found = look()
        if found is not None:
            return found
        time.sleep(0.05)
    raise AssertionError(f"no {what} after {longest:.0f} s")


def until_revision(
    host: HostBackendClient, deployment_id: str, status: str, longest: float = LONGEST_SECONDS
) -> dict:
    """The newest revision of the deployment, once it has that status."""

    def look() -> dict | None:
        newest = host.list_revisions(deployment_id)
        return newest[0] if newest and newest[0]["status"] == status else None

    return until(look, f"revision that is {status}", longest)


def until_gone(host: HostBackendClient, deployment_id: str) -> HostBackendError:
    """The error of a look at the deployment, once it has gone."""

    def look() -> HostBackendError | None:
        try:
            host.get_deployment(deployment_id)
        except HostBackendError as error:
            return error
        return None

    return until(look, "end of the deployment")
