import type { Story } from "./drawing";

// What has once failed, and what chance seldom says, each with its reason: a story of its own, at every merge.

interface Regression {
  readonly why: string;
  readonly quirks?: Story["quirks"];
  /** Each line ends with a command. */
  readonly steps: Story["steps"];
}

// prettier-ignore
const REGRESSIONS: readonly Regression[] = [
  {
    why: "a rename by adopt stayed half done, a refresh found the successor for the old row, too, and that row deleted it",
    quirks: ["deletes slowly"],
    steps: [
      ["declare", "OAuthProvider1"], ["declare", "Deployment1"], ["up"],
      ["rename in Pulumi, with adopt", "OAuthProvider1"], ["change a field", "Deployment1"],
        ["the next revision is stuck", "Deployment1"], ["up --target", "OAuthProvider1"],
      ["delete the object and make it again", "OAuthProvider1"], ["refresh"],
      ["up --continue-on-error"],
    ],
  },
  {
    why: "an import by the option: a review says a delete that is not sent, and not the update that is; and again in the next one",
    steps: [
      ["declare", "OAuthProvider1"], ["up"],
      ["rename in Pulumi, with import", "OAuthProvider1"], ["up"],
      ["up"],
    ],
  },
  {
    why: "ignoreChanges keeps the image that does not build, and the error says to correct the arguments",
    quirks: ["hides commands"],
    steps: [
      ["declare", "Deployment2"], ["up"],
      ["declare an image that does not build", "Deployment2"], ["up"],
      ["ignoreChanges", "Deployment2"], ["declare an image that builds", "Deployment2"], ["preview"],
    ],
  },
  {
    why: "a replacement that was cut off behind its delete: somebody's object of the name is deleted as the error advises",
    steps: [
      ["declare", "SandboxTemplate1"], ["declare", "Listener1"], ["up"],
      ["change what replaces", "SandboxTemplate1"], ["up, killed at a DELETE", "SandboxTemplate1", 1],
      ["make an object of its name", "SandboxTemplate1"], ["503"], ["a connection is cut before the request", "Listener1", 4], ["up --refresh"],
    ],
  },
  {
    why: "a replacement that was cut off behind its delete: a review said that delete again",
    steps: [
      ["declare", "SandboxTemplate1"], ["up"],
      ["change what replaces", "SandboxTemplate1"], ["up, killed at a POST", "SandboxTemplate1"],
      ["change what replaces", "SandboxTemplate1"], ["up"],
    ],
  },
  {
    why: "an outage of all reads held up a wait for a deletion, which is longer than a command may take",
    quirks: ["deletes slowly"],
    steps: [
      ["declare", "Deployment3"], ["switch awaitRollout", "Deployment3"], ["up"],
      ["all reads answer a gateway's 404"], ["half of an answer", "Deployment3", 2], ["destroy, killed at a DELETE", "Deployment3", 1],
      ["a page of HTML", "Deployment3", 2], ["destroy --refresh"],
    ],
  },
  {
    why: "the second row of an object that a target deleted",
    quirks: ["gives one item a page"],
    steps: [
      ["declare", "OAuthProvider1"], ["declare", "OAuthProvider2"], ["up"],
      ["rename in Pulumi, with adopt", "OAuthProvider1"], ["up, killed at a POST"],
      ["change a field", "OAuthProvider2", 2], ["take a field out", "OAuthProvider2"], ["up --target", "OAuthProvider1"],
      ["destroy --target", "OAuthProvider1"],
      ["make an object beside it", "OAuthProvider1"], ["429"], ["up"],
    ],
  },
  {
    why: "an agent is down, loses answers, and ignores a filter, while what it keeps is replaced",
    quirks: ["has an agent that ignores filters"],
    steps: [
      ["declare", "Assistant1"], ["declare", "Cron1"], ["declare", "Cron2"], ["the agent's answers are lost"], ["up"],
      ["the agent is down"], ["refresh"],
      ["up --target-replace", "Cron1"],
      ["lists lag"], ["destroy --target", "Cron2"],
    ],
  },
  {
    why: "a check's expectation changes, on a revision that somebody pushed, and behind one that does not start",
    steps: [
      ["declare", "Deployment2"], ["declare", "OAuthProvider1", 1], ["check the deployment", "Deployment2"], ["up"],
      ["push a revision", "Deployment2"], ["expect what the agent does not show, or no longer", "Deployment2"], ["up --refresh"],
      ["expect what the agent does not show, or no longer", "Deployment2"], ["ask another question", "Deployment2"],
        ["the next revision fails to start", "Deployment2"], ["change a field", "Deployment2"], ["up"],
      ["take nothing from another", "OAuthProvider1"],
        ["the next revision fails to build", "Deployment2"], ["up --target --target-dependents", "Deployment2"],
    ],
  },
  {
    why: "the whole sourceConfig comes from a resource that is replaced, and then moves to another provider",
    quirks: ["names a revision late, the old one until then"],
    steps: [
      ["declare", "OAuthProvider1"], ["declare", "Deployment1"],
        ["declare", "Deployment2"], ["take a whole argument from another", "Deployment2", 20], ["up"],
      ["change what replaces", "Deployment1"], ["rename in Pulumi, with adopt, through another provider", "Deployment2"], ["up"],
      ["change the source", "Deployment2"], ["the lists answer 501"], ["up"],
      ["make an object beside it", "OAuthProvider1"], ["inventory"],
      ["destroy --run-program"],
    ],
  },
  {
    why: "another key finds nothing, and no list answers: nothing is taken for gone",
    steps: [
      ["declare", "Listener1"], ["declare", "SandboxRegistry1"], ["up"],
      ["up and refresh with another tenant's key", "Listener1", 1],
      ["rotate the key, then up"],
      ["state move", "SandboxRegistry1"],
      ["doctor"],
      ["the lists answer 405"], ["all reads answer 405"], ["502 behind the request", "Listener1", 1], ["refresh"],
      ["delete the object", "Listener1"], ["the lists answer a gateway's 404"], ["up --refresh"],
    ],
  },
  {
    why: "no read answers: a snapshot must not take the tag of somebody else's",
    steps: [
      ["declare", "Listener1"], ["replaceOnChanges", "Listener1"], ["up"],
      ["make an object of its name", "SandboxSnapshot1"], ["declare", "SandboxSnapshot1"], ["all reads answer 501"], ["up"],
      ["up"],
    ],
  },
  {
    why: "a secret is made and changed by one request, so the platform's outage must not make it somebody else's",
    steps: [
      ["declare", "WorkspaceSecret1"], ["declare", "PlatformAgent1"], ["everything answers 503", "WorkspaceSecret1"], ["up"],
      ["change a field", "WorkspaceSecret1"], ["change a field", "PlatformAgent1"], ["up"],
      ["make an object of its name", "WorkspaceSecret2"], ["declare", "WorkspaceSecret2"], ["up"],
    ],
  },
  {
    why: "what a target takes along is compared before its delete, as if the program declared it, and stayed",
    steps: [
      ["declare", "Deployment1"], ["declare", "Deployment2"], ["take a value from another", "Deployment2", 8],
        ["declare", "OAuthProvider1"], ["take a value from another", "OAuthProvider1"], ["up"],
      ["destroy --target --target-dependents", "Deployment1"],
    ],
  },
  {
    why: "a resource is replaced, and the one that uses it has an update and a change that replaces",
    steps: [
      ["declare", "Deployment1"], ["declare", "Deployment2"], ["take a value from another", "Deployment2", 8], ["up"],
      ["change what replaces", "Deployment1"], ["change a field", "Deployment2", 1], ["change what replaces", "Deployment2"], ["up"],
    ],
  },
  {
    why: "a refresh records the id of an object that was made again, which shows no drift, and destroy left it",
    steps: [["declare", "SandboxTemplate1"], ["up"], ["delete the object and make it again", "SandboxTemplate1"], ["destroy --refresh"]],
  },
  {
    why: "a replacement that was asked for begins with a POST, which is refused: a review said none",
    steps: [
      ["declare", "Listener1"], ["declare as YAML does, or no longer", "Listener1"], ["declare", "SandboxVolume1"], ["up"],
      ["declare", "OAuthProvider1"], ["up --target-replace", "SandboxVolume1"],
      ["up --target-replace", "Listener1"],
      ["deleteBeforeReplace", "SandboxVolume1"], ["up --target-replace", "SandboxVolume1"],
      ["deleteBeforeReplace", "Listener1"], ["up --target-replace", "Listener1"],
    ],
  },
  {
    why: "a deployment that a cut-off destroy is still deleting counted as one that serves",
    quirks: ["deletes slowly"],
    steps: [["declare", "Deployment1"], ["up"], ["begin to delete the deployment", "Deployment1"], ["up --refresh"]],
  },
];

export const regressions = (): Story[] =>
  REGRESSIONS.map(({ quirks = [], steps }) => ({ quirks, steps, refreshes: false }));
