import { amount } from "./quantity";
import { read, type Rule } from "./props";

/** The most that one resource may request. Raising a ceiling is a reviewed change of this table. */
const CEILINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  SandboxTemplate: { "resources.cpu": "4", "resources.memory": "8Gi" },
  Deployment: {
    "sourceConfig.resourceSpec.maxScale": "10",
    "sourceConfig.resourceSpec.cpu": "4",
    "sourceConfig.resourceSpec.cpuLimit": "4",
    "sourceConfig.resourceSpec.memoryMb": "8192",
    "sourceConfig.resourceSpec.memoryLimitMb": "8192",
  },
};

export const ceilings: readonly Rule[] = Object.entries(CEILINGS).map(([kind, limits]) => ({
  name: `${kind === "Deployment" ? "deployment" : "template"}-ceilings`,
  description: "Processors, memory and scale stay under the ceilings.",
  kinds: [kind],
  problems: (props) =>
    Object.entries(limits).flatMap(([path, ceiling]) => {
      const asked = amount(read(props, path));
      const most = amount(ceiling);
      return asked !== undefined && most !== undefined && asked > most
        ? [
            `${path}: is more than the ceiling of ${ceiling}, which keeps one mistake from using up what all agents share. Ask for less, or raise the ceiling in policy/ceilings.ts in a separate pull request`,
          ]
        : [];
    }),
}));
