// a disk, and a copy of it for tests
import { SandboxVolume } from "pulumi-agent-platform";

export const data = new SandboxVolume("data", {
  sizeBytes: 20 * 1024 ** 3,
  description: "What the analysts' agents have collected",
  labels: { team: "data" },
});
export const copy = new SandboxVolume("data-test", { sourceVolume: data.id });
