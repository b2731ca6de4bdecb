/** Text that the new resource adds to an existing file, behind another text of it. */
export interface Addition {
  readonly file: string;
  /** If absent, the text is added at the end of the file. */
  readonly after?: string;
  readonly text: string;
}

/** The lines that the webhook of this folder adds to existing files; its other places are the files of `webhook/`. */
export const ADDITIONS: readonly Addition[] = [
  { file: "provider/resources/resource-types.ts", after: "  RunCheck: false,\n", text: "  Webhook: true,\n" },
  {
    file: "provider/resources/index.ts",
    text: 'export { webhook as Webhook } from "./webhook/definition";\n',
  },
  { file: "emulator/routes/index.ts", text: 'export { webhookRoutes } from "./webhooks";\n' },
  {
    file: "tests/conformance/cases.ts",
    after: "export const CASES: Readonly<Record<ManagedType, Case>> = {\n",
    text: `  Webhook: {
    program: hook,
    respelled: { ...hook, retries: "3" },
    updated: { ...hook, url: "https://b.example" },
    replacing: { ...hook, event: "failed" },
    renamed: { ...hook, name: "pager-2" },
    drift: (emulator) => {
      emulator.outOfBand(webhooks).change("pager", { url: "https://evil.example" });
      return "url";
    },
    gone: (emulator) => emulator.outOfBand(webhooks).remove("pager"),
    objects: (emulator) =>
      emulator
        .outOfBand(webhooks)
        .list()
        .map(({ name, url }) => ({ name, url })),
  },
`,
  },
  {
    file: "tests/conformance/cases.ts",
    after: 'from "../../emulator";\n',
    text: `import { webhooks } from "../../emulator/routes/webhooks";

const hook = { name: "pager", event: "deployed", url: "https://a.example" };
`,
  },
  {
    file: "README.md",
    after: "| `Listener`        | the connection to your own cluster                                   |\n",
    text: "| `Webhook` | an address that the platform calls |\n",
  },
];
