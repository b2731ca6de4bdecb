import type { Witnessed, Strike } from "./spoiler";
import { EXTENDED } from "./stage";
import type { Story } from "./stories";

/** A lie that cannot be seen through. Every other lie must be seen through, or end in an error. */
interface Excuse {
  readonly reason: string;
  readonly covers: (story: Story, strike: Strike, witnessed: readonly Witnessed[]) => boolean;
}

const ONE_DEPLOYMENT = /^\/v2\/deployments\/[^/]+$/;

const EXCUSES: readonly Excuse[] = [
  {
    reason:
      "GET of one deployment is documented, so the platform's own 404 of it means gone: there is nothing else to ask",
    covers: (_story, { spoiling }, witnessed) =>
      spoiling.name === "the platform's own 404, untrue" &&
      witnessed.some(({ method, path, struck }) => struck && method === "GET" && ONE_DEPLOYMENT.test(path)),
  },
  {
    reason:
      "two complete lists without the object, where a list is all there is: no name is known to look up, or it cannot be looked up",
    covers: ({ world, verb, name }, { spoiling, forEver }, witnessed) =>
      (spoiling.name === "an empty list" || spoiling.name === "a list without the object") &&
      forEver &&
      witnessed.filter(({ struck }) => struck).length >= 2 &&
      (world !== EXTENDED || verb === "get" || name.endsWith("by id")),
  },
];

/** Why an untrue absence was believed; undefined: there is no excuse. */
export function excuseOf(story: Story, strike: Strike, witnessed: readonly Witnessed[]): string | undefined {
  return EXCUSES.find(({ covers }) => covers(story, strike, witnessed))?.reason;
}
