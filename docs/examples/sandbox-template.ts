// a sandbox that reaches GitHub through a proxy
import { SandboxTemplate } from "pulumi-agent-platform";

export const workshop = new SandboxTemplate("workshop", {
  image: "node:20-bookworm",
  resources: { cpu: "2", memory: "4Gi", storage: "20Gi" },
  proxyConfig: {
    rules: [
      {
        name: "github",
        matchHosts: ["api.github.com"],
        // The proxy fills in the platform's secret. The sandbox never sees it.
        injectHeaders: { Authorization: "Bearer ${GITHUB_TOKEN}" },
      },
    ],
  },
});
