import { withDefaults } from "../base/with-defaults";

/** How answers look. */
export interface ResponseOptions {
  /** Maximum items per page, whatever `limit` requests; the offset counts the items returned. @default `limit` */
  readonly pageSize?: number;
  /** Return a cpu of whole cores as a number, `resources: {cpu: 1}`. @default false */
  readonly numericCpu?: boolean;
  /** Return the secrets of a deployment with their values, or by name alone, as older versions of the platform do. @default "values" */
  readonly secrets?: "values" | "names";
  /** Leave install_command and build_command out of answers, as older versions of the platform do. @default false */
  readonly hideCommands?: boolean;
  /** Page registries and snapshots by offset alone, as older versions of the platform do. @default false */
  readonly offsetsOnly?: boolean;
  /** Filter deployments by the agent that they are of, which older versions of the platform do not. @default true */
  readonly agentFilters?: boolean;
}

/** The options with every default filled in. */
export type ResponseSettings = Readonly<Required<ResponseOptions>>;

const DEFAULTS: ResponseSettings = {
  pageSize: Infinity,
  numericCpu: false,
  secrets: "values",
  hideCommands: false,
  offsetsOnly: false,
  agentFilters: true,
};

export const responseSettings = (options: ResponseOptions): ResponseSettings => withDefaults(DEFAULTS, options);
