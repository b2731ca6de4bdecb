"""An agent, and the sandbox in which it runs tools."""

import pulumi
import pulumi_agent_platform as platform

notebook = platform.SandboxTemplate("notebook", image="python:3.12-slim", resources={"cpu": "500m", "memory": "512Mi"})

assistant = platform.Deployment(
    "assistant",
    source="external_docker",
    source_config={"resource_spec": {"min_scale": 1, "max_scale": 2}},
    source_revision_config={"image_uri": pulumi.Config().require("image")},
    environment_variables={"SANDBOX_TEMPLATE": notebook.name},
)

# Waits until the revision is DEPLOYED.
rollout = platform.Rollout(
    "assistant",
    deployment_id=assistant.id,
    deployment_name=assistant.name,
    revision_id=assistant.latest_revision_id,
    opts=pulumi.ResourceOptions(parent=assistant),
)

pulumi.export("url", rollout.url)
