"""Two agents with their assistants, what runs on a schedule, and a check of each."""

import pulumi
import pulumi_agent_platform as platform
from pulumi import ResourceOptions


class Agent:
    """A deployment, the wait for its revision, and what its agent keeps."""

    def __init__(self, name: str, tag: str) -> None:
        self.name = name
        self.deployment = platform.Deployment(
            name,
            source="external_docker",
            source_revision_config={"image_uri": f"registry.example.com/agents/{name}:{tag}"},
        )
        self.rollout = platform.Rollout(
            name,
            deployment_id=self.deployment.id,
            deployment_name=self.deployment.name,
            revision_id=self.deployment.latest_revision_id,
        )
        # Known once the revision is DEPLOYED.
        self.url = self.rollout.url.apply(lambda url: url or "")

    def assistant(self, name: str, description: str, tone: str) -> platform.Assistant:
        """An assistant goes with the deployment's database, so nothing has to be deleted on an agent that goes anyway."""
        return platform.Assistant(
            name,
            deployment_id=self.deployment.id,
            url=self.url,
            graph_id="agent",
            description=description,
            context={"tone": tone},
            opts=ResourceOptions(deleted_with=self.deployment),
        )

    def cron(self, name: str, assistant: platform.Assistant, schedule: str, topic: str, **more: str) -> None:
        platform.Cron(
            name,
            deployment_id=self.deployment.id,
            url=self.url,
            assistant_id=assistant.id,
            schedule=schedule,
            input={"topic": topic},
            opts=ResourceOptions(deleted_with=assistant),
            **more,
        )

    def check(self, assistant: platform.Assistant, topic: str, answer: str) -> None:
        """Runs again when the revision or the version of the assistant changes."""
        platform.RunCheck(
            f"{self.name}-answers",
            url=self.url,
            revision_id=self.rollout.active_revision_id,
            deployment_id=self.deployment.id,
            assistant_id=assistant.id,
            assistant_version=assistant.version,
            input={"topic": topic},
            expect={"values": [{"mode": "values", "path": "answer", "matches": answer}]},
        )


desk = Agent("desk", "1.4.0")
triage = desk.assistant("triage", "Sorts what comes in", "brief")
answers = desk.assistant("answers", "Answers customers", "friendly")
desk.cron("digest", answers, "0 9 * * 1-5", "what came in yesterday", timezone="Europe/Berlin")
desk.check(triage, "opening hours", "^brief: opening hours$")

reader = Agent("reader", "2.0.1")
summaries = reader.assistant("summaries", "Sums documents up", "precise")
reader.cron("nightly", summaries, "30 2 * * *", "new documents")
reader.check(summaries, "the contract", "^precise: ")

pulumi.export("urls", {"desk": desk.rollout.url, "reader": reader.rollout.url})
