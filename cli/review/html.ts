import { element, htmlList, page, preformatted, htmlTable, type Html, type ElementStyle } from "../base/html";
import { printable } from "../base/value-text";
import type { Risk } from "./consequences";
import type { Review, ReviewedField } from "./review";
import { shownField } from "./shown";
import {
  kindOfStanza,
  stanzasOf,
  verbOfStanza,
  violatedPolicies,
  warningsOf,
  type Stanza,
  type ViolatedPolicy,
} from "./stanzas";

const LOOKS: Readonly<Record<Risk, "calm" | "notice" | "warning" | "danger">> = {
  none: "calm",
  "new revision": "notice",
  replacement: "warning",
  deletion: "danger",
};

/** A page of its own, for an artifact of a build. */
export function reviewHtml(review: Review): string {
  const { stack, headline, risk, errors } = review;
  const badge =
    errors.length > 0
      ? element("span", "failed", "badge danger")
      : element("span", `risk: ${risk}`, `badge ${LOOKS[risk]}`);
  return page(`Review of stack ${printable(stack)}`, [
    ...errors.map((error) => element("section", [element("h2", "Error"), preformatted(error)], "danger")),
    element("h1", printable(headline)),
    element("p", badge),
    ...violatedPolicies(review).map(policySection),
    ...stanzasOf(review).map(stanzaSection),
    ...warningsOf(review).map((warning) =>
      element("section", [element("h2", "Warning"), preformatted(warning)], "warning"),
    ),
  ]);
}

function policySection({ pack, policy, level, messages }: ViolatedPolicy): Html {
  const objects = messages.flatMap((each) => each.objects);
  const of = objects.length === 1 ? ` is violated by ${printable(objects[0] ?? "")}` : " is violated";
  const look: ElementStyle = level === "mandatory" ? "danger" : "warning";
  const isMany = objects.length > 1;
  return element(
    "section",
    [
      element("h2", ["Policy ", element("code", printable(policy)), of]),
      element("p", `${printable(pack)}, ${printable(level)}`, "faint"),
      ...messages.flatMap((each) => [
        ...(isMany ? [element("p", each.objects.map(printable).join(", "))] : []),
        preformatted(each.message),
      ]),
    ],
    look,
  );
}

function stanzaSection(stanza: Stanza): Html {
  const { objects, consequences, shared, own } = stanza;
  const [first] = objects;
  const isOne = objects.length === 1;
  const risk = first?.risk ?? "none";
  const name = isOne ? [" ", element("code", printable(first?.name ?? ""))] : [];
  const title = [printable(kindOfStanza(stanza)), ...name, ` ${verbOfStanza(stanza)}`];
  const id = isOne && first?.id !== undefined ? [element("p", element("code", printable(first.id)), "faint")] : [];
  const names = isOne ? [] : [element("p", objects.map((object) => printable(object.name)).join(", "))];
  const content = [
    ...id,
    ...names,
    htmlList(consequences.map(({ text }) => printable(text))),
    ...fieldTable(isOne ? (first?.fields ?? []) : shared),
    ...(isOne
      ? []
      : own.flatMap(({ object, fields }) => [element("h3", printable(object.name)), ...fieldTable(fields)])),
  ];
  return risk === "none"
    ? element("details", [element("summary", title), ...content], LOOKS[risk])
    : element("section", [element("h2", title), ...content], LOOKS[risk]);
}

function fieldTable(fields: readonly ReviewedField[]): Html[] {
  const rows = fields
    .map(shownField)
    .map(({ path, before, after, inWords }) => [valueOf(path), valueOf(before), inWords ? after : valueOf(after)]);
  return rows.length === 0 ? [] : [htmlTable(["Field", "Before", "After"], rows)];
}

const valueOf = (text: string) => (text === "" ? "" : element("code", text));
