"""Assistants, crons and checks of programs on the real engine: the agent server for Python keeps them, and its own client looks."""

import importlib.util
import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from langgraph_cli.host_backend import HostBackendClient
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

from made import deploy_image
from pulumi_stack import CHANGES, Front, PulumiStack
from waiting import until, until_revision

pytestmark = [
    pytest.mark.skipif(
        importlib.util.find_spec("langgraph_api") is None, reason="the agent server needs Python 3.11 or newer"
    ),
    pytest.mark.skipif("OFFICIAL_ENGINE_BIN" not in os.environ, reason="there is no Pulumi engine"),
    # A command takes seconds, and a busy machine a multiple of that.
    pytest.mark.timeout(300),
]

GRAPH = "agent"
GREETING = [{"name": "GREETING", "value": "Hello"}]

MakeStack = Callable[..., PulumiStack]


@pytest.fixture(scope="module")
def platform_url() -> str:
    return os.environ["OFFICIAL_URL_OF_OWN_AGENTS"]


@pytest.fixture(scope="module")
def platform(platform_url: str, api_key: str) -> HostBackendClient:
    return HostBackendClient(platform_url, api_key)


@pytest.fixture(scope="module")
def kept(platform: HostBackendClient) -> dict:
    """A deployment that no stack has made, so that its server outlives every stack."""
    made = deploy_image(platform, "kept-agent", secrets=GREETING)
    until_revision(platform, made["id"], "DEPLOYED", longest=120)
    return platform.get_deployment(made["id"])


@pytest.fixture
def agent(kept: dict, api_key: str) -> Iterator[SyncLangGraphClient]:
    """Its client. What tests leave on the server is gone after each."""
    with get_sync_client(url=kept["source_config"]["custom_url"], api_key=api_key) as client:
        yield client
        for cron in client.crons.search(limit=100):
            client.crons.delete(cron["cron_id"])
        for assistant in own_assistants(client):
            client.assistants.delete(assistant["assistant_id"])


@pytest.fixture
def make_stack(platform_url: str, api_key: str) -> Iterator[MakeStack]:
    made: list[PulumiStack] = []

    def make(front: Front = "dynamic") -> PulumiStack:
        made.append(PulumiStack(front, platform_url, api_key))
        return made[-1]

    yield make
    for stack in made:
        stack.remove()


def at(kept: dict) -> str:
    """The arguments that say whose agent is meant; the program itself names the address."""
    return f"deploymentId: {json.dumps(kept['id'])}, url: {json.dumps(kept['source_config']['custom_url'])}"


def triage(where: str, tone: str = "brief", more: str = "") -> str:
    return (
        f'const triage = new platform.Assistant("triage", {{ {where}, graphId: "{GRAPH}", '
        f"context: {{ tone: {json.dumps(tone)} }}, {more} }});\n"
    )


def digest(more: str = 'schedule: "0 9 * * 1-5"') -> str:
    return f'new platform.Cron("digest", {{ assistant: triage, input: {{ topic: "news" }}, {more} }});\n'


def check(tone: str) -> str:
    wanted = json.dumps(f"{tone}: Hello opening hours")
    return (
        'new platform.RunCheck("answers", { assistant: triage, input: { topic: "opening hours" }, '
        f'expect: {{ values: [{{ mode: "values", path: "answer", equals: {wanted} }}] }} }});\n'
    )


def own_assistants(agent: SyncLangGraphClient) -> list[dict]:
    """Those that are not the server's own."""
    return [each for each in agent.assistants.search(limit=100) if each["metadata"].get("created_by") != "system"]


def system_assistants(agent: SyncLangGraphClient) -> list[dict]:
    return agent.assistants.search(metadata={"created_by": "system"})


def versions(agent: SyncLangGraphClient, assistant_id: str) -> list[int]:
    return [each["version"] for each in agent.assistants.get_versions(assistant_id, limit=100)]


def written_at(file: Path) -> float:
    return file.stat().st_mtime if file.exists() else 0


def id_of(stack: PulumiStack, name: str) -> str:
    return stack.resources()[name]["id"]


@pytest.mark.parametrize("front", ["dynamic", "native"])
def test_up_makes_what_is_declared_once_and_destroy_leaves_nothing_of_it(
    make_stack: MakeStack, kept: dict, agent: SyncLangGraphClient, front: Front
) -> None:
    system = system_assistants(agent)
    stack = make_stack(front)
    stack.write(triage(at(kept)) + digest() + check("brief"))
    stack.up()
    [made] = own_assistants(agent)
    [cron] = agent.crons.search()
    assert (made["assistant_id"], cron["cron_id"]) == (id_of(stack, "triage"), id_of(stack, "digest"))
    assert (made["name"], made["context"], made["version"]) == ("triage", {"tone": "brief"}, 1)
    assert (cron["assistant_id"], cron["schedule"]) == (made["assistant_id"], "0 9 * * 1-5")
    assert cron["payload"]["input"] == {"topic": "news"}
    stack.succeed("preview", "--diff", "--expect-no-changes")
    stack.succeed("refresh", "--yes", "--skip-preview", "--diff", "--expect-no-changes")
    assert versions(agent, made["assistant_id"]) == [1]

    # The context makes a version, which the check asks anew.
    first_run = stack.resources()["answers"]["outputs"]["runId"]
    stack.write(triage(at(kept), "precise") + digest() + check("precise"))
    stack.up()
    assert versions(agent, made["assistant_id"]) == [2, 1]
    assert agent.assistants.get(made["assistant_id"])["context"] == {"tone": "precise"}
    assert stack.resources()["answers"]["outputs"]["runId"] != first_run
    assert [each["cron_id"] for each in agent.crons.search()] == [cron["cron_id"]]
    stack.has_nothing_to_do()

    stack.destroy()
    assert (own_assistants(agent), agent.crons.search()) == ([], [])
    assert system_assistants(agent) == system


def test_every_field_comes_back_as_it_was_declared(
    make_stack: MakeStack, kept: dict, agent: SyncLangGraphClient
) -> None:
    def program(tone: str, number: int, is_on: str, end: str, completed: str) -> str:
        settings = f'config: {{ recursion_limit: {number}, tags: ["desk"] }}, metadata: {{ team: {{ size: {number} }} }}'
        configurable = f'config: {{ configurable: {{ tone: "{tone}" }}, recursion_limit: {number} }}'
        cron = (
            f'schedule: "{number} 9 * * mon", timezone: "Europe/Berlin", context: {{ tone: "{tone}" }}, {settings}, '
            f'enabled: {is_on}, endTime: "{end}", onRunCompleted: "{completed}"'
        )
        return (
            triage(at(kept), tone, f'name: "Triage {number}", description: "Sorts {number}", {settings}')
            + f'new platform.Assistant("plain", {{ {at(kept)}, graphId: "{GRAPH}", {configurable} }});\n'
            + f'new platform.Assistant("bare", {{ {at(kept)}, graphId: "{GRAPH}" }});\n'
            + digest(more=cron)
            + f'new platform.Cron("ofTheGraph", {{ {of_graph}, schedule: "@daily", {configurable} }});\n'
            + f'new platform.Cron("ofAThread", {{ {of_graph}, schedule: "@weekly", threadId: "{thread}" }});\n'
        )

    of_graph = f'{at(kept)}, assistantId: "{GRAPH}"'
    thread = agent.threads.create()["thread_id"]
    stack = make_stack()
    stack.write(program("brief", 10, "false", "2030-01-31T12:00:00Z", "keep"))
    stack.up()
    ids = {name: each["id"] for name, each in stack.resources().items()}
    stack.has_nothing_to_do()

    stack.write(program("precise", 20, "true", "2031-01-31T13:00:00+01:00", "delete"))
    stack.up()
    assert {name: each["id"] for name, each in stack.resources().items()} == ids
    made = agent.assistants.get(ids["triage"])
    assert (made["name"], made["description"], made["context"]) == ("Triage 20", "Sorts 20", {"tone": "precise"})
    assert (made["config"]["recursion_limit"], made["metadata"], made["version"]) == (20, {"team": {"size": 20}}, 2)
    assert agent.assistants.get(ids["plain"])["context"] == {"tone": "precise"}
    assert versions(agent, ids["bare"]) == [1]
    crons = {each["cron_id"]: each for each in agent.crons.search()}
    cron = crons[ids["digest"]]
    assert (cron["schedule"], cron["enabled"], cron["on_run_completed"]) == ("20 9 * * mon", True, "delete")
    assert (cron["payload"]["context"], cron["metadata"]["team"]) == ({"tone": "precise"}, {"size": 20})
    assert crons[ids["ofAThread"]]["thread_id"] == thread
    stack.has_nothing_to_do()

    # What is taken out goes back to its default.
    changed = program("precise", 20, "true", "2031-01-31T13:00:00+01:00", "delete")
    stack.write(changed.replace('description: "Sorts 20", ', "").replace('endTime: "2031-01-31T13:00:00+01:00", ', ""))
    stack.up()
    assert agent.assistants.get(ids["triage"])["description"] == ""
    assert {each["end_time"] for each in agent.crons.search()} == {None}
    stack.has_nothing_to_do()


def test_what_a_client_changes_is_shown_and_put_back(
    make_stack: MakeStack, kept: dict, agent: SyncLangGraphClient
) -> None:
    mine = 'metadata: { team: "desk" }'
    stack = make_stack()
    when = 'schedule: "0 9 * * 1-5", timezone: "Europe/Berlin", enabled: true'
    stack.write(triage(at(kept), more=f'description: "Sorts", {mine}') + digest(more=f"{when}, {mine}"))
    stack.up()
    assistant_id, cron_id = id_of(stack, "triage"), id_of(stack, "digest")

    # Keys of others are no drift.
    agent.assistants.update(assistant_id, metadata={"seen": True})
    agent.crons.update(cron_id, metadata={"seen": True})
    stack.has_nothing_to_do()

    agent.assistants.update(assistant_id, context={"tone": "rude"}, description="Mine now", metadata={"team": "other"})
    agent.crons.update(cron_id, schedule="30 2 * * *", input={"topic": "gossip"}, timezone="UTC", enabled=False)
    shown = stack.drift()
    for difference in ["rude", "Mine now", "other", "30 2 * * *", "gossip", "UTC", "enabled"]:
        assert difference in shown
    previewed = stack.run("preview", "--refresh", "--diff", "--expect-no-changes")
    assert previewed.returncode == CHANGES and "rude" in previewed.stdout
    stack.up("--refresh")
    assistant, cron = agent.assistants.get(assistant_id), agent.crons.search()[0]
    assert (assistant["context"], assistant["description"]) == ({"tone": "brief"}, "Sorts")
    assert (cron["schedule"], cron["timezone"], cron["enabled"]) == ("0 9 * * 1-5", "Europe/Berlin", True)
    assert (cron["cron_id"], cron["payload"]["input"]) == (cron_id, {"topic": "news"})
    assert {**assistant["metadata"], **cron["metadata"]}.items() >= {"team": "desk", "seen": True}.items()
    assert assistant["metadata"]["seen"] is cron["metadata"]["seen"] is True
    stack.has_nothing_to_do()


def test_an_older_version_that_was_set_as_the_latest_is_drift_and_is_repaired(
    make_stack: MakeStack, kept: dict, agent: SyncLangGraphClient
) -> None:
    stack = make_stack()
    stack.write(triage(at(kept), more='description: "one"'))
    stack.up()
    stack.write(triage(at(kept), "precise", 'description: "two"'))
    stack.up()
    assistant_id = id_of(stack, "triage")
    agent.assistants.set_latest(assistant_id, 1)
    shown = stack.drift()
    assert "version 1 was set as the latest, after this stack made version 2" in shown
    stack.up("--refresh")
    now = agent.assistants.get(assistant_id)
    assert (now["version"], now["description"], now["context"]) == (3, "two", {"tone": "precise"})
    stack.has_nothing_to_do()


def test_a_new_revision_of_the_deployment_keeps_what_its_agent_has(
    make_stack: MakeStack, api_key: str
) -> None:
    def program(image: str) -> str:
        deployment = (
            'const agent = new platform.Deployment("rolled-agent", { source: "external_docker", '
            f'sourceRevisionConfig: {{ imageUri: "registry.example.com/agent:{image}" }}, secrets: {{ GREETING: "Hello" }} }});\n'
        )
        return deployment + triage("deployment: agent") + digest() + check("brief") + "exports.url = agent.url;\n"

    database = Path(os.environ["OFFICIAL_ROOM"]) / "rolled-agent" / ".langgraph_api" / ".langgraph_ops.pckl"
    stack = make_stack()
    stack.write(program("1"))
    stack.up()
    before = stack.resources()
    # The server writes its database every ten seconds, and the process of the next revision begins with what was written.
    made = time.time()
    until(lambda: True if written_at(database) > made else None, "write of the database", longest=60)
    stack.write(program("2"))
    stack.up()
    after = stack.resources()
    assert [after[name]["id"] for name in ("triage", "digest")] == [before[name]["id"] for name in ("triage", "digest")]
    assert after["answers"]["outputs"]["runId"] != before["answers"]["outputs"]["runId"]
    url = after["rolled-agent"]["outputs"]["url"]
    with get_sync_client(url=url, api_key=api_key) as agent:
        assert versions(agent, after["triage"]["id"]) == [1]
        assert [cron["cron_id"] for cron in agent.crons.search()] == [after["digest"]["id"]]
    stack.has_nothing_to_do()
    stack.destroy()


def test_a_graph_that_the_agent_lacks_fails_with_those_that_it_has(
    make_stack: MakeStack, kept: dict, agent: SyncLangGraphClient
) -> None:
    stack = make_stack()
    stack.write(triage(at(kept)).replace(f'graphId: "{GRAPH}"', 'graphId: "agnet"'))
    said = stack.fail("up", "--yes", "--skip-preview")
    assert "agnet" in said and f"['{GRAPH}']" in said
    assert own_assistants(agent) == []
