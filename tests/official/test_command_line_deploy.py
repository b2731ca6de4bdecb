"""`langgraph deploy` itself, as a process: an image that is there already, and a source that the platform builds."""

from langgraph_cli.host_backend import HostBackendClient

from command_line import CommandLine
from made import make_listener

DIGEST = "sha256:" + "1" * 64
IMAGE = f"registry.example.com/agent@{DIGEST}"
QUIET = ("--json", "--no-input")


def result(events: list[dict]) -> dict:
    (found,) = [event for event in events if event["event"] == "result"]
    return found


def test_an_image_is_deployed_and_its_address_told(host: HostBackendClient, project: CommandLine, name: str) -> None:
    ended = result(project.events("deploy", "--image-uri", IMAGE, "--name", name, *QUIET))
    assert ended["status"] == "succeeded"
    made = host.get_deployment(ended["deployment_id"])
    assert ended["url"] == made["source_config"]["custom_url"]
    assert f"/o/{made['tenant_id']}/host/deployments/{made['id']}" in ended["status_url"]
    assert made["source"] == "external_docker"
    assert made["secrets"] == [{"name": "MODEL_API_KEY", "value": "first-value"}], "PORT is reserved: left out"


def test_a_second_deploy_updates_what_the_first_made(host: HostBackendClient, project: CommandLine, name: str) -> None:
    first = result(project.events("deploy", "--image-uri", IMAGE, "--name", name, *QUIET))
    newer = IMAGE.replace("1" * 64, "2" * 64)
    second = result(project.events("deploy", "--image-uri", newer, "--name", name, *QUIET))
    assert (second["status"], second["deployment_id"]) == ("succeeded", first["deployment_id"])
    newest, oldest = host.list_revisions(second["deployment_id"], limit=10)
    assert newest["source_revision_config"]["image_uri"] == newer
    assert newest["source_revision_config"]["tracked_packages"] == ["google-adk:==1.18.0"]
    assert oldest["source_revision_config"]["image_uri"] == IMAGE


def test_an_image_is_placed_on_a_listener(host: HostBackendClient, project: CommandLine, name: str) -> None:
    listener = make_listener(host, "agents")
    placement = ("--listener-id", listener["id"], "--image-pull-secret", "registry-key")
    ended = result(project.events("deploy", "--image-uri", IMAGE, "--name", name, *placement, *QUIET))
    assert ended["status"] == "succeeded"
    config = host.get_deployment(ended["deployment_id"])["source_config"]
    assert config["listener_id"] == listener["id"]
    assert config["resource_spec"]["image_pull_secrets"] == [{"name": "registry-key"}]


def test_a_deploy_need_not_wait(host: HostBackendClient, project: CommandLine, name: str) -> None:
    events = project.events("deploy", "--image-uri", IMAGE, "--name", name, "--no-wait", *QUIET)
    assert "result" not in [event["event"] for event in events]
    assert [found["name"] for found in host.list_deployments(name=name)] == [name]


def test_a_failed_deploy_ends_with_an_error(project: CommandLine, name: str) -> None:
    image = f"registry.example.com/emulator-fail-deploy@{DIGEST}"
    ended = project.run("deploy", "--image-uri", image, "--name", name, *QUIET)
    assert ended.returncode == 1
    assert '"status": "failed"' in ended.stdout


def test_a_source_is_uploaded_built_and_deployed(host: HostBackendClient, project: CommandLine, name: str) -> None:
    # Without --deployment-type: serverless, which is dev_zero on the wire.
    events = project.events("deploy", "--remote", "--name", name, *QUIET)
    ended = result(events)
    assert ended["status"] == "succeeded"
    made = host.get_deployment(ended["deployment_id"])
    assert made["source"] == "internal_source"
    assert made["source_config"]["deployment_type"] == "dev_zero"
    assert made["source_revision_config"]["langgraph_config_path"] == "langgraph.json"
    assert ended["url"]


def test_a_failed_build_shows_the_last_lines_of_its_log(
    host: HostBackendClient, project: CommandLine, name: str
) -> None:
    # The tarball's path is the platform's own: the name of the configuration alone can mark a build that fails.
    marked = "emulator-fail-build.json"
    (project.folder / "langgraph.json").rename(project.folder / marked)
    events = project.events("deploy", "--remote", "--name", name, "--config", marked, *QUIET)
    assert result(events)["status"] == "failed"
    logged = [event["message"] for event in events if event["event"] == "log"]
    assert logged, "the reason of a failure stands in the log alone"
