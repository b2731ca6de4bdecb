"""A support desk: one agent answers customers, one reads code."""

import pulumi
import pulumi_agent_platform as platform

REGISTRY = "registry.example.com/agents"


def declare() -> None:
    """Declares everything. `__main__.py` and `automation.py` both call it."""
    config = pulumi.Config()

    # Sandboxes in which agents run tools. The large one reaches GitHub through a proxy that adds the token.
    notebook = platform.SandboxTemplate(
        "notebook", image="python:3.12-slim", resources={"cpu": "500m", "memory": "512Mi"}
    )
    workshop = platform.SandboxTemplate(
        "workshop",
        image="node:20-bookworm",
        resources={"cpu": "2", "memory": "4Gi", "storage": "20Gi"},
        proxy_config={
            "rules": [
                {
                    "name": "github",
                    "match_hosts": ["api.github.com"],
                    "inject_headers": {"Authorization": "Bearer ${GITHUB_TOKEN}"},
                }
            ]
        },
    )

    # People sign in here, so that the agents may act for them.
    github = platform.OAuthProvider(
        "github",
        provider_id="github",
        name="GitHub",
        client_id="support-desk",
        client_secret=config.require_secret("githubClientSecret"),
        auth_url="https://github.com/login/oauth/authorize",
        token_url="https://github.com/login/oauth/access_token",
    )

    reader = agent("code-reader", config.get("readerTag") or "1.4.0", workshop, github)
    # DEPLOYED means that the server runs, not that the graph works: `pulumi up` ends once the desk has answered.
    check = {
        "assistant_id": "agent",
        "input": {"topic": "opening hours"},
        "expect": {"values": [{"mode": "messages-tuple", "matches": "opening hours"}]},
    }
    desk = agent("support-desk", config.get("deskTag") or "2.1.0", notebook, github, check)

    pulumi.export("urls", {"code-reader": reader.url, "support-desk": desk.url})
    pulumi.export("revisions", {"code-reader": reader.revision_id, "support-desk": desk.revision_id})


def agent(
    name: str,
    tag: str,
    sandbox: platform.SandboxTemplate,
    provider: platform.OAuthProvider,
    check: platform.AgentCheckArgsDict | None = None,
) -> platform.Agent:
    """Declares an agent. Using its `url` waits until its revision is DEPLOYED and its check has passed."""
    return platform.Agent(
        name,
        source="external_docker",
        source_config={"resource_spec": {"min_scale": 1, "max_scale": 3, "cpu": 1, "memory_mb": 2048}},
        source_revision_config={"image_uri": f"{REGISTRY}/{name}:{tag}"},
        environment_variables={"SANDBOX_TEMPLATE": sandbox.name, "OAUTH_PROVIDER": provider.provider_id},
        secrets={"MODEL_API_KEY": pulumi.Config().require_secret("modelApiKey")},
        check=check,
    )
