// the listener of a Kubernetes cluster
import { Listener } from "pulumi-agent-platform";

export const listener = new Listener("cluster", {
  computeId: "cluster-eu-1",
  computeConfig: { k8sNamespaces: ["agents", "agents-staging"] },
});
