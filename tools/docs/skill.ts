import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

/** How to write, test and roll out a program, in this order. */
const PAGES = ["start.md", "testing.md", "review.md", "waiting.md", "how-to/roll-back.md"];
const PACKAGE = "node_modules/pulumi-agent-platform";

const HEAD = `---
name: pulumi-agent-platform
description: How to write, test, review and roll out a Pulumi program with the package pulumi-agent-platform, which declares agents with their assistants, crons, sign-ins and sandboxes on an agent platform.
---

Paths begin in the project's folder. \`${PACKAGE}/docs\` has all pages: \`reference\` each resource with its arguments, \`cli.md\` the commands, \`troubleshooting.md\` the
messages. Begin with the emulator: it needs no account.
`;

/** Writes the skill file of the package, for readers that are programs: some pages, one after the other. */
export function writeSkill(checkout: string): void {
  const text = [HEAD, ...PAGES.map((page) => textOf(checkout, page))].join("\n");
  mkdirSync(join(checkout, "skill"), { recursive: true });
  writeFileSync(join(checkout, "skill", "SKILL.md"), text);
}

/** A page without comments, whose links begin in a project's folder. */
const textOf = (checkout: string, page: string): string =>
  readFileSync(join(checkout, "docs", page), "utf8")
    .replace(/^<!--[^\n]*-->\n\n?/gm, "")
    .replace(
      /\]\((?![a-z]+:|#)([^)]+)\)/g,
      (_all, target: string) => `](${posix.join(PACKAGE, "docs", dirname(page), target)})`,
    );
