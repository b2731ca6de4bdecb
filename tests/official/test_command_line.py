"""The commands below `langgraph deploy` that look and delete, as processes."""

import json
import uuid

from langgraph_cli.host_backend import HostBackendClient

from command_line import CommandLine
from made import deploy_image, make_listener
from waiting import until_gone, until_revision


def test_list_shows_id_name_and_address(command_line: CommandLine, serving: dict, agent_url: str) -> None:
    table = command_line.succeed("deploy", "list", "--name-contains", serving["name"])
    header, _rule, row = table.splitlines()
    assert header.split() == ["Deployment", "ID", "Deployment", "Name", "Deployment", "URL"]
    assert row.split() == [serving["id"], serving["name"], agent_url]


def test_list_as_json_gives_ids_and_names(command_line: CommandLine, serving: dict) -> None:
    listed = json.loads(command_line.succeed("deploy", "list", "--json", "--name-contains", serving["name"]))
    assert listed == [{"id": serving["id"], "name": serving["name"]}]


def test_list_says_when_there_is_nothing(command_line: CommandLine) -> None:
    assert command_line.succeed("deploy", "list", "--name-contains", "nothing-has-this-name").strip() == (
        "No deployments found."
    )


def test_revisions_show_which_one_was_replaced(
    host: HostBackendClient, command_line: CommandLine, deployment: dict
) -> None:
    until_revision(host, deployment["id"], "DEPLOYED")
    host.update_deployment(deployment["id"], "registry.example.com/agent:2", revision_source=None)
    until_revision(host, deployment["id"], "DEPLOYED")
    table = command_line.succeed("deploy", "revisions", "list", deployment["id"])
    rows = [line.split() for line in table.splitlines()[2:]]
    assert [row[1] for row in rows] == ["DEPLOYED", "REPLACED"]
    assert all(len(row) > 2 for row in rows), "each has the time of its creation"


def test_listeners_are_shown_with_their_namespaces(host: HostBackendClient, command_line: CommandLine) -> None:
    made = make_listener(host, "agents", "agents-canary")
    rows = [line.split() for line in command_line.succeed("deploy", "listeners", "list").splitlines()]
    assert [made["id"], made["compute_id"], "agents,", "agents-canary"] in rows
    as_json = json.loads(command_line.succeed("deploy", "listeners", "list", "--json"))
    assert made["id"] in [listener["id"] for listener in as_json]


def test_delete_asks_no_question_where_it_is_forced(
    host: HostBackendClient, command_line: CommandLine, deployment: dict
) -> None:
    said = command_line.succeed("deploy", "delete", "--force", deployment["id"])
    assert said.strip() == f"Deleted deployment {deployment['id']}."
    until_gone(host, deployment["id"])


def test_what_the_platform_refuses_is_shown_with_its_reason(command_line: CommandLine) -> None:
    unknown = str(uuid.uuid4())
    ended = command_line.run("deploy", "delete", "--force", unknown)
    assert ended.returncode == 1
    assert f"failed with status 404: Deployment ID {unknown} not found." in ended.stderr


def test_the_logs_of_a_build_are_those_of_its_latest_revision(
    host: HostBackendClient, command_line: CommandLine, name: str
) -> None:
    made = deploy_image(host, name, "registry.example.com/emulator-fail-build:1")
    revision = until_revision(host, made["id"], "BUILD_FAILED")
    said = command_line.succeed("deploy", "logs", "--name", name, "--type", "build")
    assert f"Using latest revision: {revision['id']}" in said
    assert "[ERROR]" in said


def test_the_logs_of_an_agent_are_shown_by_id(command_line: CommandLine, serving: dict) -> None:
    said = command_line.succeed("deploy", "logs", "--deployment-id", serving["id"], "--limit", "5")
    assert 1 <= len(said.splitlines()) <= 5
    assert said.startswith("[20")


def test_logs_can_be_followed_until_interrupted(command_line: CommandLine, serving: dict) -> None:
    code, said = command_line.interrupt_when_silent(
        lambda line: line.startswith("["), "deploy", "logs", "--deployment-id", serving["id"], "--follow"
    )
    assert (code, said.splitlines()[-1]) == (0, "Stopped.")


def test_logs_of_a_name_that_nothing_has_are_an_error(command_line: CommandLine) -> None:
    ended = command_line.run("deploy", "logs", "--name", "nothing-has-this-name")
    assert ended.returncode == 1
    assert "'nothing-has-this-name' not found" in ended.stderr
