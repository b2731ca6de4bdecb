"""Build and deploy logs: the one place where the reason of a failure stands."""

import uuid
from datetime import UTC, datetime

import pytest
from langgraph_cli.deploy import format_log_entry
from langgraph_cli.host_backend import HostBackendClient, HostBackendError

from made import deploy_image
from names import fresh_name
from waiting import until_revision


def failed(host: HostBackendClient, stage: str) -> tuple[str, str]:
    """The ids of a deployment, and of its revision that failed at that stage."""
    made = deploy_image(host, fresh_name(f"fails-to-{stage}"), f"registry.example.com/emulator-fail-{stage}:1")
    return made["id"], until_revision(host, made["id"], f"{stage.upper()}_FAILED")["id"]


@pytest.fixture(scope="module")
def failed_build(host: HostBackendClient) -> tuple[str, str]:
    return failed(host, "build")


def messages(answer: dict) -> list[str]:
    return [entry["message"] for entry in answer["logs"]]


def errors(answer: dict) -> list[str]:
    return [entry["message"] for entry in answer["logs"] if entry["level"] in ("ERROR", "CRITICAL")]


def test_the_build_log_says_why_a_build_failed(host: HostBackendClient, failed_build: tuple[str, str]) -> None:
    last_lines = host.get_build_logs(*failed_build, {"order": "desc", "limit": 30})
    assert any(errors(last_lines))


def test_the_deploy_log_of_a_revision_and_that_of_all_say_why_a_deploy_failed(host: HostBackendClient) -> None:
    deployment_id, revision_id = failed(host, "deploy")
    assert any(errors(host.get_deploy_logs(deployment_id, {"order": "desc", "limit": 30}, revision_id)))
    of_revision = host.get_deploy_logs(deployment_id, {"order": "asc", "limit": 100}, revision_id)
    of_all = host.get_deploy_logs(deployment_id, {"order": "asc", "limit": 100})
    assert set(messages(of_revision)) <= set(messages(of_all))


def test_each_entry_has_what_the_command_line_prints(host: HostBackendClient, failed_build: tuple[str, str]) -> None:
    entries = host.get_build_logs(*failed_build, {"order": "asc", "limit": 100})["logs"]
    assert entries
    for entry in entries:
        # "[2026-03-08 00:00:00] [INFO] message"; a time is in milliseconds, or a text.
        assert entry["message"] in format_log_entry(entry)
        assert entry["level"] in {"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"}
        assert format_log_entry(entry).startswith("[20")
        assert entry["id"], "by it, --follow tells new entries from old ones"


def test_a_log_is_read_in_both_orders_and_on_from_the_offset_that_came(
    host: HostBackendClient, failed_build: tuple[str, str]
) -> None:
    everything = messages(host.get_build_logs(*failed_build, {"order": "asc", "limit": 100}))
    assert len(everything) > 1
    assert messages(host.get_build_logs(*failed_build, {"order": "desc", "limit": 100})) == everything[::-1]
    read: list[str] = []
    payload: dict = {"order": "asc", "limit": 1}
    for _ in everything:
        page = host.get_build_logs(*failed_build, payload)
        assert len(page["logs"]) == 1
        read += messages(page)
        payload = {**payload, "offset": page["next_offset"]}
    assert read == everything


def test_a_log_can_be_searched_by_text_level_and_time(host: HostBackendClient, failed_build: tuple[str, str]) -> None:
    def asked(**more: str) -> dict:
        return host.get_build_logs(*failed_build, {"order": "asc", "limit": 100, **more})

    whole = messages(asked())
    assert messages(asked(query=whole[-1])) == [whole[-1]]
    assert asked(query="no log says this")["logs"] == []
    only_errors = asked(level="ERROR")
    assert errors(only_errors)
    assert messages(only_errors) == errors(only_errors)
    early = datetime(2020, 1, 1, tzinfo=UTC).isoformat()
    late = datetime(2100, 1, 1, tzinfo=UTC).isoformat()
    assert messages(asked(start_time=early, end_time=late)) == whole
    assert asked(start_time=late)["logs"] == asked(end_time=early)["logs"] == []


def test_the_log_of_an_unknown_revision_is_a_404(host: HostBackendClient, serving: dict) -> None:
    with pytest.raises(HostBackendError) as refused:
        host.get_build_logs(serving["id"], str(uuid.uuid4()), {"order": "asc", "limit": 1})
    assert refused.value.status_code == 404
