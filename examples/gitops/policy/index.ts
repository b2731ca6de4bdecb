// The rules that `pulumi preview --policy-pack policy` and `pulumi up --policy-pack policy` hold every resource to.
import { PolicyPack } from "@pulumi/policy";
import { policies } from "pulumi-agent-platform/policy";

new PolicyPack("agent-environment", {
  policies: policies({
    // Raising a ceiling is a reviewed change of this file.
    "template-ceilings": { ceilings: { "resources.cpu": "4", "resources.memory": "8Gi" } },
    "protected-deployments": { deployments: ["release-notes"] },
    "listener-namespaces": { namespaces: ["agents", "agents-*"] },
  }),
});
