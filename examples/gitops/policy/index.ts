// The rules that `pulumi preview --policy-pack policy` and `pulumi up --policy-pack policy` hold every resource to.
import { PolicyPack, type ResourceValidationPolicy, type StackValidationPolicy } from "@pulumi/policy";
import { kindOf, unmatched } from "./kinds";
import { plain } from "./props";
import { rules } from "./rules";

const ofResources = rules.map(({ name, description, kinds, problems }): ResourceValidationPolicy => ({
  name,
  description,
  enforcementLevel: "mandatory",
  validateResource: ({ type, props }, reportViolation) => {
    const kind = kindOf(type);
    if (kind === undefined || !kinds.includes(kind)) return;
    for (const problem of problems(plain(props))) reportViolation(problem);
  },
}));

const ofTheStack: StackValidationPolicy = {
  name: "every-resource-is-checked",
  description: "A resource of the agent platform has a type that these policies know.",
  enforcementLevel: "mandatory",
  validateStack: ({ resources }, reportViolation) => {
    for (const type of unmatched(resources.map((resource) => resource.type))) {
      reportViolation(`${type}: no policy of this pack matches this type, so nothing was checked; update the pack`);
    }
  },
};

new PolicyPack("agent-environment", { policies: [...ofResources, ofTheStack] });
