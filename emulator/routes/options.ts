/** How answers look. */
export interface ResponseOptions {
  /** Most items of a page, whatever `limit` asks for; the offset counts the items answered. @default what `limit` asks for */
  readonly pageSize?: number;
  /** Answer a cpu of whole cores as a number, `resources: {cpu: 1}`. @default false */
  readonly numericCpu?: boolean;
  /** Answer deployment secrets with their values, as some versions of the platform do. @default false */
  readonly echoSecretValues?: boolean;
  /** Leave install_command and build_command out of answers, as older versions of the platform do. @default false */
  readonly hideCommands?: boolean;
}

/** The options with every default filled in. */
export type ResponseSettings = Readonly<Required<ResponseOptions>>;

export function responseSettings(options: ResponseOptions): ResponseSettings {
  return {
    pageSize: options.pageSize ?? Infinity,
    numericCpu: options.numericCpu ?? false,
    echoSecretValues: options.echoSecretValues ?? false,
    hideCommands: options.hideCommands ?? false,
  };
}
