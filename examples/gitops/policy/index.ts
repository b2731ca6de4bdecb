// The rules that `pulumi preview --policy-pack policy` and `pulumi up --policy-pack policy` hold every resource to.
import { PolicyPack } from "@pulumi/policy";
import { plain } from "./props";
import { rules } from "./rules";

const TYPE = "pulumi-nodejs:dynamic/agent-platform:";

new PolicyPack("agent-environment", {
  policies: rules.map(({ name, description, kinds, problems }) => ({
    name,
    description,
    enforcementLevel: "mandatory",
    validateResource: ({ type, props }, reportViolation) => {
      if (!kinds.some((kind) => type === TYPE + kind)) return;
      for (const problem of problems(plain(props))) reportViolation(problem);
    },
  })),
});
