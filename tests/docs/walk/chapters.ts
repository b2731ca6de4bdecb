import { anImport, aReview, asATeam, livePlatform, theEnd, theNativePlugin } from "./adopted";
import { anotherKey, aRunByHand, theEmulator, whatIsSent } from "./daily";
import { findPython } from "../../../tools/official/python";
import { inGo, inPython, inYaml } from "./languages";
import { manyStacks } from "./many";
import { toAnotherStack } from "./moving";
import {
  anotherImage,
  awayWithIt,
  backAgain,
  drifted,
  emptied,
  failingRevision,
  firstMinutes,
  renamedResource,
  rotatedSecret,
} from "./support";
import type { Walk } from "./walk";

export type Chapter = readonly [title: string, play: (walk: Walk) => Promise<void>, isPossible?: boolean];

/** The walk: one story, whose chapters go on where the one before ended. One that this machine cannot play is left out (setup.js says so). */
export const CHAPTERS: readonly Chapter[] = [
  ["the first five minutes", firstMinutes],
  ["another image", anotherImage],
  ["the revision of yesterday", backAgain],
  ["another secret", rotatedSecret],
  ["another name in Pulumi", renamedResource],
  ["a change by somebody else", drifted],
  ["a revision that fails", failingRevision],
  ["what is asked, and what is sent", whatIsSent],
  ["a run by hand", aRunByHand],
  ["another key of the platform", anotherKey],
  ["away with it", awayWithIt],
  ["an object moves to another stack", toAnotherStack],
  ["many stacks", manyStacks],
  ["a platform that was built by hand", livePlatform],
  ["a review", aReview],
  ["the native plugin", theNativePlugin],
  ["an import", anImport],
  ["many hands", asATeam],
  ["the end", theEnd],
  ["the emulator", theEmulator],
];

/** What the week plays of it: the languages whose programs other suites run at each merge, too. */
export const LANGUAGES: readonly Chapter[] = [
  ["the first five minutes", firstMinutes],
  ["away with it", emptied],
  ["a program in YAML", inYaml, process.env["YAML_HOST_BIN"] !== undefined],
  ["a program in Python", inPython, findPython(process.env) !== undefined],
  ["a program in Go", inGo, process.env["GO_UNAVAILABLE"] === undefined],
];
