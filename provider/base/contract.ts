import { configKey } from "./settings";

/** Why contract `documented` refuses something, and the remedy. @param what What it has no endpoint for. */
export const noEndpointFor = (what: string): string =>
  `contract "documented" has no endpoint for ${what}; set ${configKey("contract")} to "extended" if the platform offers it`;
