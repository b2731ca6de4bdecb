"""Two agents with their assistants, what runs on a schedule, and a check of each."""

import pulumi
import pulumi_agent_platform as platform


def image(name: str, tag: str) -> dict[str, str]:
    return {"image_uri": f"registry.example.com/agents/{name}:{tag}"}


def answers(pattern: str) -> dict[str, list[dict[str, str]]]:
    return {"values": [{"mode": "values", "path": "messages[0].content", "matches": pattern}]}


model_key = platform.WorkspaceSecret(
    "model-key", key="OPENAI_API_KEY", value=pulumi.Config().require_secret("modelKey")
)
keyed = {
    "secret_references": [{"name": model_key.key, "secret_name": model_key.key, "secret_key": model_key.key}],
    # A rotated key gives each agent a new revision.
    "redeploy_trigger": model_key.rotated_at,
}

desk = platform.Agent(
    "desk",
    source="external_docker",
    source_revision_config=image("desk", "1.4.0"),
    **keyed,
    assistants={
        "triage": {"graph_id": "agent", "description": "Sorts what comes in", "context": {"greeting": "In short:"}},
        "answers": {"graph_id": "agent", "description": "Answers customers", "context": {"greeting": "Gladly:"}},
    },
    crons={
        "digest": {
            "assistant": "answers",
            "schedule": "0 9 * * 1-5",
            "timezone": "Europe/Berlin",
            "input": {"topic": "what came in yesterday"},
        }
    },
    # Runs again when the revision or the version of its assistant changes.
    check={
        "assistant": "triage",
        "input": {"topic": "opening hours"},
        "expect": answers("^In short: opening hours$"),
    },
)

reader = platform.Agent(
    "reader",
    source="external_docker",
    source_revision_config=image("reader", "2.0.1"),
    **keyed,
    assistants={
        "summaries": {"graph_id": "agent", "description": "Sums documents up", "context": {"greeting": "Precisely:"}}
    },
    crons={"nightly": {"assistant": "summaries", "schedule": "30 2 * * *", "input": {"topic": "new documents"}}},
    check={"assistant": "summaries", "input": {"topic": "the contract"}, "expect": answers("^Precisely: ")},
)

pulumi.export("urls", {"desk": desk.url, "reader": reader.url})
