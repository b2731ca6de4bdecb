import { element, htmlList, page, preformatted, htmlTable, type Html, type ElementStyle } from "../base/html";
import { printable } from "../base/value-text";
import type { Risk } from "./consequences";
import type { Review, ReviewedObject, ReviewedPolicy } from "./review";
import { shownField, verbOf } from "./shown";

const LOOKS: Readonly<Record<Risk, "calm" | "notice" | "warning" | "danger">> = {
  none: "calm",
  "new revision": "notice",
  replacement: "warning",
  deletion: "danger",
};

/** A page of its own, for an artifact of a build. */
export function reviewHtml(review: Review): string {
  const { stack, headline, risk, errors, policies, objects, warnings } = review;
  const badge =
    errors.length > 0
      ? element("span", "failed", "badge danger")
      : element("span", `risk: ${risk}`, `badge ${LOOKS[risk]}`);
  return page(`Review of stack ${printable(stack)}`, [
    ...errors.map((error) => element("section", [element("h2", "Error"), preformatted(error)], "danger")),
    element("h1", printable(headline)),
    element("p", badge),
    ...policies.map(policySection),
    ...objects.map(objectSection),
    ...warnings.map((warning) => element("section", [element("h2", "Warning"), preformatted(warning)], "warning")),
  ]);
}

function policySection({ pack, policy, level, object, message }: ReviewedPolicy): Html {
  const of = object === undefined ? "" : ` is violated by ${printable(object)}`;
  const look: ElementStyle = level === "mandatory" ? "danger" : "warning";
  return element(
    "section",
    [
      element("h2", ["Policy ", element("code", printable(policy)), of]),
      element("p", `${printable(pack)}, ${printable(level)}`, "faint"),
      preformatted(message),
    ],
    look,
  );
}

function objectSection(object: ReviewedObject): Html {
  const { kind, name, id, risk, consequences, fields } = object;
  const title = [`${printable(kind)} `, element("code", printable(name)), ` ${verbOf(object)}`];
  const subtitle = id === undefined ? [] : [element("p", element("code", printable(id)), "faint")];
  const rows = fields
    .map(shownField)
    .map(({ path, before, after, inWords }) => [valueOf(path), valueOf(before), inWords ? after : valueOf(after)]);
  const content = [
    ...subtitle,
    htmlList(consequences.map(({ text }) => printable(text))),
    ...(rows.length === 0 ? [] : [htmlTable(["Field", "Before", "After"], rows)]),
  ];
  return risk === "none"
    ? element("details", [element("summary", title), ...content], LOOKS[risk])
    : element("section", [element("h2", title), ...content], LOOKS[risk]);
}

const valueOf = (text: string) => (text === "" ? "" : element("code", text));
