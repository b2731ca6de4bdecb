// the file system of an image, ready when the sandboxes need it
import { SandboxSnapshot } from "pulumi-agent-platform";

export const notebook = new SandboxSnapshot("notebook", {
  dockerImage: "registry.example.com/notebook:3.12",
  fsCapacityBytes: 4 * 1024 ** 3,
  labels: { team: "data" },
});
