import { join } from "node:path";

/** A preview worth reading: what is there, and the program that is to come. The bodies are as `CliStack.write` takes them. */
export interface Story {
  /** What the recorded preview shows. */
  readonly shows: string;
  /** Brought up first; absent where nothing is there. */
  readonly before?: string;
  readonly after: string;
  /** Arguments of the review. */
  readonly args?: readonly string[];
}

const template = (name: string, more: string, options = ""): string =>
  `const ${name} = new platform.SandboxTemplate("${name}", { image: "python:3.12", resources: { cpu: "1", memory: "1Gi" }, ${more} }${options});`;
const provider = (more: string): string => `
  new platform.OAuthProvider("github", {
    providerId: "github", name: "GitHub", clientId: "desk", usesPkce: true,
    authUrl: "https://github.example/authorize", tokenUrl: "https://github.example/token", ${more}
  });`;
const agent = (image: string, more: string, options = ""): string => `
  const agent = new platform.Deployment("agent", {
    name: "support-desk", source: "external_docker",
    sourceRevisionConfig: { imageUri: "registry.example/desk:${image}" },
    ${more}
  }${options});`;
const check = `new platform.RunCheck("answers", { deployment: agent, assistantId: "agent", input: { topic: "hours" } });`;

/** Every value of a secret begins with this: none may be in a recording or a report. */
export const CANARY = "canary-secret";
const secrets = (names: Record<string, string>): string =>
  `secrets: { ${Object.entries(names)
    .map(([name, value]) => `${name}: "${CANARY}-${value}"`)
    .join(", ")} },`;

const spec = "sourceConfig: { resourceSpec: { minScale: 1, maxScale: 3 } },";
const ENVIRONMENT = [
  template("workshop", ""),
  provider(`clientSecret: "${CANARY}-0",`),
  agent(
    "1.0.0",
    `${spec} environmentVariables: { LEVEL: "info", TEMPLATE: workshop.name }, ${secrets({ MODEL_API_KEY: "1" })}`,
  ),
  check,
].join("\n");

const onCluster = (namespace: string, more = ""): string => `
  const cluster = new platform.Listener("cluster", { computeId: "eu-1", computeConfig: { k8sNamespaces: ["agents", "desk"] } });
  ${agent("1.0.0", `sourceConfig: { resourceSpec: {}, listenerId: cluster.id, listenerConfig: { k8sNamespace: "${namespace}" } }, ${more}`)}
  ${check}`;

/** The previews that are recorded (record.js). A component is the parent of some resources, since a program may have one. */
export const STORIES: Readonly<Record<string, Story>> = {
  create: {
    shows: "a whole environment that is new, below a component",
    after: `
      const desk = new pulumi.ComponentResource("example:index:Desk", "desk");
      ${ENVIRONMENT.replace(/\}\);/g, "}, { parent: desk });")}`,
  },
  "no-op": { shows: "nothing to do", before: ENVIRONMENT, after: ENVIRONMENT },
  revision: {
    shows: "a new revision, a field that needs none, and one that can never be removed again",
    before: ENVIRONMENT,
    after: ENVIRONMENT.replace("desk:1.0.0", "desk:1.1.0")
      .replace('LEVEL: "info"', 'LEVEL: "debug", TRACE: "on"')
      .replace(spec, `${spec.replace("maxScale: 3", "maxScale: 5")} displayName: "Support <b>desk</b>",`),
  },
  replacement: {
    shows: "a deployment that is deleted first, and what depends on it",
    before: onCluster("agents"),
    after: onCluster("desk"),
    args: ["--fail-on", "replacement"],
  },
  delete: {
    shows: "objects that leave the program: a deployment with its traces, one that stays on the platform, a check",
    before: [
      agent("1.0.0", "deleteTracingProject: true,"),
      check,
      template("workshop", ""),
      template("kept", "", ", { retainOnDelete: true }"),
      provider(""),
    ].join("\n"),
    after: provider(""),
    args: ["--fail-on", "deletion"],
  },
  adopt: {
    shows: "objects of the platform that the program takes over, by name and by id",
    after: [agent("1.0.0", `adopt: true, ${secrets({ MODEL_API_KEY: "1" })}`), provider('adopt: "github",')].join("\n"),
  },
  rotation: {
    shows: "secrets that change, come and go, by name",
    before: [
      provider(`clientSecret: "${CANARY}-0",`),
      agent("1.0.0", secrets({ MODEL_API_KEY: "1", OLD_TOKEN: "2", SAME: "3" })),
    ].join("\n"),
    after: [
      provider(`clientSecret: "${CANARY}-9",`),
      agent("1.0.0", secrets({ MODEL_API_KEY: "8", SAME: "3", SLACK_TOKEN: "4" })),
    ].join("\n"),
  },
  unknowns: {
    shows: "values that are only known at up, with what they wait for",
    before: [
      agent("1.0.0", `environmentVariables: { LEVEL: "info", BOX: "none" }, ${secrets({ ID: "1" })}`),
      provider(""),
    ].join("\n"),
    after: [
      template("workshop", ""),
      agent(
        "1.0.0",
        'environmentVariables: { LEVEL: "info", BOX: workshop.id, NEW: workshop.id }, secrets: { ID: workshop.id },',
      ),
      provider("authorizationParams: { box: workshop.id }, clientSecret: workshop.id,"),
      template("replica", "volumeMounts: [{ volumeName: workshop.id, mountPath: '/data' }],"),
    ].join("\n"),
  },
  policies: {
    shows: "a preview that mandatory policies refuse",
    after: [
      template(
        "workshop",
        'proxyConfig: { rules: [{ name: "all", matchHosts: ["*.example.com"], injectHeaders: { A: "${TOKEN}" } }] },',
      ),
      agent("latest", ""),
    ].join("\n"),
    args: ["--policy-pack", join(__dirname, "..", "..", "examples", "gitops", "policy")],
  },
  rename: {
    shows: "a resource under another name in the program, by an alias",
    before: ENVIRONMENT,
    after: ENVIRONMENT.replace(
      'const workshop = new platform.SandboxTemplate("workshop", {',
      'const workshop = new platform.SandboxTemplate("atelier", { name: "workshop",',
    ).replace('memory: "1Gi" },  });', 'memory: "1Gi" } }, { aliases: [{ name: "workshop" }] });'),
  },
  "rename-and-replace": {
    shows: "a resource under another name in the program, by an alias, that is replaced",
    before: agent("1.0.0", `displayName: "Desk", ${secrets({ MODEL_API_KEY: "1" })}`),
    after: agent(
      "1.0.0",
      `displayName: "Desk", ${secrets({ MODEL_API_KEY: "1" })}`,
      ', { aliases: [{ name: "agent" }] }',
    )
      .replace('Deployment("agent"', 'Deployment("desk"')
      .replace('name: "support-desk"', 'name: "help-desk"'),
  },
  "rename-and-adopt": {
    shows: "a resource under another name in the program, which adopts the object of the old one",
    before: agent("1.0.0", ""),
    after: agent("1.0.0", 'adopt: true, displayName: "Desk",').replace('Deployment("agent"', 'Deployment("desk"'),
  },
  released: {
    shows: "an environment that the program gives up, and one key of extra that changes",
    before: [
      agent("1.0.0", `environmentVariables: { LEVEL: "info" }, ${secrets({ MODEL_API_KEY: "1" })}`),
      agent("1.0.0", 'extra: { team: "a", source_revision_config: { tracked_packages: ["a"] } },')
        .replace("const agent", "const other")
        .replace('"agent"', '"other"')
        .replace("support-desk", "other-desk"),
    ].join("\n"),
    after: [
      agent("1.0.0", ""),
      agent("1.0.0", 'extra: { team: "b", source_revision_config: { tracked_packages: ["a"] } },')
        .replace("const agent", "const other")
        .replace('"agent"', '"other"')
        .replace("support-desk", "other-desk"),
    ].join("\n"),
  },
  target: {
    shows: "a deployment alone (--target): nothing waits for its revision",
    before: agent("1.0.0", ""),
    after: agent("1.1.0", ""),
    args: ["--", "--target", "**Deployment::agent"],
  },
  failed: {
    shows: "a preview that fails: what the platform cannot do is refused",
    before: agent("1.0.0", 'displayName: "Desk", sourceConfig: { resourceSpec: {}, customUrl: "desk.example.com" },'),
    after: agent("1.0.0", "sourceConfig: { resourceSpec: {} },"),
  },
};
