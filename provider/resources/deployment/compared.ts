import type { JsonObject } from "../../base/json";
import { compare, hiddenFields } from "../../lifecycle/fields/comparison";
import { rulesOf } from "../../lifecycle/fields/table";
import { deploymentTable } from "./fields";
import { showsValues, toInputs, type DeploymentWire } from "./wire";

const fields = rulesOf(deploymentTable.fields);

/** How a deployment differs from a declaration of it, and the declared fields that the answer does not show. */
export function comparedWith(live: DeploymentWire, declared: JsonObject) {
  const { shown, changes: differences } = compare({ fields, toInputs }, live, declared, "ignored");
  return { differences, hidden: hiddenFields(fields, declared, shown, showsValues(live)) };
}
