import { columns } from "../base/columns";
import { paragraphText } from "../base/printable";
import type { Style } from "../base/style";
import { printable } from "../base/value-text";
import type { Review, ReviewedObject, ReviewedPolicy } from "./review";
import { shownField, verbOf } from "./shown";

/** For a terminal: the headline, then one paragraph for each thing to know, the riskiest object first. */
export function terminal(review: Review, style: Style): string {
  const { headline, errors, policies, objects, warnings } = review;
  const paragraphs = [
    ...errors.map((error) => `${style.wrong("error:")} ${indented(error)}`),
    style.heading(printable(headline)),
    ...policies.map((policy) => policyText(policy, style)),
    ...objects.map((object) => objectText(object, style)),
    ...warnings.map((warning) => `${style.heading("warning:")} ${indented(warning)}`),
  ];
  return `${paragraphs.join("\n\n")}\n`;
}

const indented = (text: string): string => paragraphText(text.trim()).replace(/\n/g, "\n  ");

function policyText({ pack, policy, level, object, message }: ReviewedPolicy, style: Style): string {
  const of = object === undefined ? "" : ` by ${printable(object)}`;
  return `${style.wrong(`policy ${printable(policy)}`)} (${printable(pack)}, ${printable(level)}) is violated${of}\n  ${indented(message)}`;
}

function objectText(object: ReviewedObject, style: Style): string {
  const { kind, name, id, consequences, fields } = object;
  const title = `${style.heading(`${printable(kind)} ${printable(name)}`)} ${verbOf(object)}${id === undefined ? "" : style.faint(`  ${printable(id)}`)}`;
  const rows = columns(
    fields
      .map(shownField)
      .map(({ path, before, after }) => [`  ${path}`, before, before === "" ? after : `-> ${after}`]),
  );
  return [title, ...consequences.map(({ text }) => `  * ${printable(text)}`), ...rows].join("\n");
}
