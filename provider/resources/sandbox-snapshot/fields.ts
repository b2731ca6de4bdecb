import { sameId } from "../../base/uuid";
import { table, type InputsOf } from "../../lifecycle/fields/table";
import * as types from "../../lifecycle/fields/types";
import { createdAt, outputs, providersTime, pulumiName, remembered } from "../rows";

/** The label with the key, which identifies the resource and the inputs that a snapshot was made for. */
export const OWN_LABEL = "pulumi-agent-platform";

const { text, nullable, count } = types;
const noColon = types.fits(/^[^:]*$/, "must not contain a colon, which separates name and tag");
// There is no PATCH: every change needs a new snapshot.
const replaceOn = "always";

/** docs/internals/platform.md, Sandbox snapshots: what a request carries. */
export const sandboxSnapshotTable = table(
  {
    kind: "SandboxSnapshot",
    api: "sandbox",
    naturalKey: "name",
    undocumented: ["list", "create", "read", "update", "delete"],
    echoes: true,
    one: "sandbox snapshot",
    summary:
      "A file system for sandboxes, built from a container image. `pulumi up` waits until it is built. Every change builds a new one, and the old one " +
      'stays until that is ready. Needs contract "extended".',
    description: "Arguments of a {@link SandboxSnapshot} (docs/internals/platform.md, Sandbox snapshots).",
    namesRepeat: true,
    reading: {
      foundBy: "its id or its `name:tag`",
      key: "Its name and tag, `name:tag`; a name alone means `name:latest`, or without that its newest ready snapshot that has no tag.",
      place: "docs/internals/platform.md, Sandbox snapshots",
      page: 100,
      cursor: true,
      details: {
        status: { type: nullable(text()), description: '"building", "ready", "failed" or "deleting".', computed: true },
      },
    },
  },
  {
    name: { ...pulumiName("Its name, which several snapshots may have."), type: text(255, noColon), replaceOn },
    dockerImage: { type: text(), description: "The image that it is built from.", required: true, replaceOn },
    fsCapacityBytes: { type: count(1), description: "Size of the file system, in bytes.", required: true, replaceOn },
    tag: {
      type: text(255, noColon),
      description: "A tag: the newest snapshot of a name with this tag has it, and an older one loses it.",
      default: "latest",
      replaceOn,
    },
    labels: {
      type: types.entries(types.anyText(4096), {
        pattern: new RegExp(`^(?!${OWN_LABEL}$)[^]+$`),
        rule: `must not be empty, or "${OWN_LABEL}", which marks what this provider has made`,
      }),
      description: "Labels of your own, over those of the image.",
      replaceOn,
    },
    description: { type: types.anyText(1024), description: "What it can do, for agents.", default: "", replaceOn },
    runConfig: {
      type: types.object(
        {
          user: { type: text(), description: "The user, instead of the image's." },
          workDir: { type: text(), description: "The working directory, instead of the image's." },
          envVars: { type: types.entries(types.anyText()), description: "Variables, over those of the image." },
        },
        { name: "SandboxRunConfigArgs", description: "How the sandboxes of a snapshot run." },
      ),
      description: "How its sandboxes run, where that is not as the image says.",
      notReturned: "always",
      secret: true,
      replaceOn,
    },
    registryId: {
      type: nullable(text()),
      description: "The id of the SandboxRegistry with the credentials for the image.",
      defaultText: "none",
      equal: sameId,
      replaceOn,
    },
    rebuildTrigger: {
      type: text(),
      description:
        "Any text: a change builds the same image again, for example after its tag has moved. `pulumi up --target-replace` finds the snapshot that is there, and " +
        "fails, unless the option `deleteBeforeReplace: true` is set.",
      wire: false,
      seenAs: "argument",
      notReturned: "always",
      onRemove: "unmanage",
      replaceOn,
    },
    buildTimeout: providersTime('How long to wait for the build, like "45m".', '"30m"'),
    extra: { ...types.extra, replaceOn },
    adopt: types.adoptField("name and tag"),
    __progressUrn: { ...types.progressUrn, providerOnly: true },
    ...outputs({
      imageDigest: {
        type: nullable(text()),
        description: "The digest of the image that it was built from.",
        isStable: true,
      },
      fsUsedBytes: {
        type: nullable(count(0)),
        description: "How many bytes of the file system are in use.",
        isStable: true,
      },
      createdAt,
    }),
    // A snapshot cannot be repaired, so a problem replaces it.
    ...remembered({ problem: { type: text(), description: "The problem that a read found.", replaceOn } }),
  },
);

export type SandboxSnapshotInputs = InputsOf<typeof sandboxSnapshotTable.fields>;
