"""What tests need to be there before they begin, made by the client under test."""

from langgraph_cli.host_backend import HostBackendClient

from names import fresh_name

IMAGE = "registry.example.com/agent:1"


def deploy_image(host: HostBackendClient, name: str, image: str = IMAGE, secrets: list[dict] | None = None) -> dict:
    """A new deployment of an image, as `langgraph deploy --image-uri` makes it."""
    return host.create_deployment(
        name=name,
        source="external_docker",
        source_config={"resource_spec": {}},
        source_revision_config={"image_uri": image},
        secrets=secrets or [],
    )


def make_listener(host: HostBackendClient, *namespaces: str) -> dict:
    """A new listener. The client only reads them, so the body is the one that the platform's interface describes."""
    body = {
        "compute_type": "k8s",
        "compute_id": fresh_name("cluster"),
        "compute_config": {"k8s_namespaces": list(namespaces)},
    }
    return host._request("POST", "/v2/listeners", body)
