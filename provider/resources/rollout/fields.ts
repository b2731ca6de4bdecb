import { sameId } from "../../base/uuid";
import { table, type InputsOf } from "../../lifecycle/fields/table";
import { checkedText, flag, nullable, progressUrn, record, referenceTo, text } from "../../lifecycle/fields/types";
import { address, outputs, providersTime, remembered } from "../rows";

/** The wait for a deployment's revision. None of its fields is sent: it only reads the deployment. */
export const rolloutTable = table(
  {
    kind: "Rollout",
    one: "rollout",
    acts: { what: "waits until the revision is DEPLOYED", limit: "rolloutTimeout" },
    summary:
      "The wait until a revision of a deployment is DEPLOYED. It has no object on the platform, so cutting it off costs nothing: the next " +
      "`pulumi up` waits again.",
    description: "Arguments of a {@link Rollout}.",
  },
  {
    deploymentId: {
      type: referenceTo("Deployment"),
      description: "The deployment's id.",
      required: true,
      replaceOn: "always",
      equal: sameId,
    },
    // Null until the platform names the first revision, "after <id>" until it names the next one: the wait then asks the deployment.
    revisionId: {
      type: nullable(checkedText({ isNeverEmpty: true })),
      description:
        'The revision to wait for: the deployment\'s `latestRevisionId`, or "after <id>" for the one that follows. A change waits for that one.',
    },
    deploymentName: {
      type: text(255),
      description: "The deployment's name, for messages.",
      providerOnly: "kept",
    },
    __progressUrn: progressUrn,
    followsPushes: {
      type: flag(),
      description: "Whether pushes make revisions (`buildOnPush`): a newer revision is then not drift.",
      wire: false,
      notReturned: "always",
      default: false,
    },
    customUrl: {
      ...address,
      description:
        "The deployment's `sourceConfig.customUrl`, if it declares one: a change makes no revision, but moves `url`.",
      wire: false,
    },
    rolloutTimeout: { ...providersTime('How long to wait, like "45m".', '"30m"'), providerOnly: "kept" },
    ...outputs({
      activeRevisionId: {
        type: nullable(text()),
        description: "The revision that serves: the one waited for, or a newer one that took its place.",
      },
      url: {
        type: nullable(text()),
        description: "The agent's address; null if the platform does not say.",
        repeats: ["customUrl"],
      },
      repoCommitSha: {
        type: nullable(text()),
        description: "The commit that serves; null if the platform names none.",
      },
      imageVersion: {
        type: nullable(text()),
        description: "The version of the agent server that serves; null if the platform names none.",
      },
    }),
    ...remembered({
      __latestBuiltFrom: {
        type: record(nullable(text())),
        description: "The same two of the latest revision, while another one serves.",
      },
      __followedRevisionId: { type: text(), description: "The revision that took the place of the declared one." },
      __customUrl: {
        type: nullable(text()),
        description: "The configured address when the deployment was last seen; null if it had none.",
        repeats: ["customUrl"],
      },
      problem: {
        type: text(),
        description: "What a read found wrong with the latest revision: the next `up` waits for it again.",
      },
    }),
  },
);

export type RolloutInputs = InputsOf<typeof rolloutTable.fields>;
