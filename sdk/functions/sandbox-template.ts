import type * as pulumi from "@pulumi/pulumi";
import type { Key, PlatformReader } from "../../provider/reading";
import type {
  ProxyConfigArgs,
  ResourceSpecArgs,
  SandboxTemplate,
  VolumeMountArgs,
} from "../resources/sandbox-template";
import { atMost, checkNames, idOrName } from "./arguments";
import { lookUp, lookUpOutput, open, type FunctionOptions, type Lookup } from "./lookup";
import { ObjectResult, type Shown } from "./result";

/** Which template: exactly one of the two. */
export interface GetSandboxTemplateArgs {
  /** The platform's UUID. */
  id?: string;
  /** Its name. */
  name?: string;
}

/** {@link GetSandboxTemplateArgs}, which may come from resources. */
export interface GetSandboxTemplateOutputArgs {
  /** The platform's UUID. */
  id?: pulumi.Input<string | undefined>;
  /** Its name. */
  name?: pulumi.Input<string | undefined>;
}

/** A sandbox template as it is on the platform. */
export class GetSandboxTemplateResult extends ObjectResult implements Shown<SandboxTemplate, never> {
  /** The platform's UUID; on old rows its name. */
  declare readonly id: string;
  declare readonly name: string;
  /** Container image of the sandbox. */
  declare readonly image: string;
  /** Resource limits, as the platform spells the quantities. */
  declare readonly resources: pulumi.Unwrap<ResourceSpecArgs>;
  declare readonly volumeMounts: pulumi.Unwrap<VolumeMountArgs>[] | undefined;
  declare readonly proxyConfig: pulumi.Unwrap<ProxyConfigArgs> | undefined;
  /** When the platform made it, as the platform writes it; null on old rows. */
  declare readonly createdAt: string | null;
  /** When it was last changed; null on old rows. */
  declare readonly updatedAt: string | null;
}

const GET: Lookup<GetSandboxTemplateOutputArgs, Key, GetSandboxTemplateResult> = {
  name: "getSandboxTemplate",
  check: (args) => idOrName("getSandboxTemplate", args),
  read: async (platform, key) => new GetSandboxTemplateResult(await platform.reader("SandboxTemplate").get(key)),
};

/**
 * An existing sandbox template, by its id or its name, as it is now (docs/platform.md, SandboxTemplate).
 * Fails where it does not exist, and before any request where the arguments or the connection are wrong.
 */
export function getSandboxTemplate(
  args: GetSandboxTemplateArgs,
  options: FunctionOptions = {},
): Promise<GetSandboxTemplateResult> {
  return lookUp(GET, args, options);
}

/** {@link getSandboxTemplate} for arguments that come from resources: not known at preview where one of them is not. */
export function getSandboxTemplateOutput(
  args: GetSandboxTemplateOutputArgs,
  options: FunctionOptions = {},
): pulumi.Output<GetSandboxTemplateResult> {
  return lookUpOutput(GET, args, options);
}

/** Which templates. */
export interface ListSandboxTemplatesArgs {
  /** How many at most, a whole number above 0. @default all of the tenant */
  maximum?: number;
}

/** {@link ListSandboxTemplatesArgs}, which may come from resources. */
export interface ListSandboxTemplatesOutputArgs {
  /** How many at most, a whole number above 0. @default all of the tenant */
  maximum?: pulumi.Input<number | undefined>;
}

const LIST: Lookup<ListSandboxTemplatesOutputArgs, number, GetSandboxTemplateResult[]> = {
  name: "listSandboxTemplates",
  check: (args) => {
    checkNames("listSandboxTemplates", args, ["maximum"]);
    return atMost("listSandboxTemplates", "maximum", args.maximum);
  },
  read: async (platform, maximum) => {
    const all = [];
    for await (const template of list(platform, maximum)) all.push(template);
    return all;
  },
};

/**
 * The sandbox templates of the tenant, in the platform's order, for `for await`: a page of 500 is asked for when it is needed, and none
 * after the last one that is wanted (docs/platform.md, Lists). Throws at once where the arguments are wrong.
 */
export function listSandboxTemplates(
  args: ListSandboxTemplatesArgs = {},
  options: FunctionOptions = {},
): AsyncGenerator<GetSandboxTemplateResult, void, undefined> {
  const maximum = LIST.check(args);
  return (async function* () {
    yield* list(await open(LIST.name, options), maximum);
  })();
}

/** {@link listSandboxTemplates} as one array: not known at preview where an argument is not. */
export function listSandboxTemplatesOutput(
  args: ListSandboxTemplatesOutputArgs = {},
  options: FunctionOptions = {},
): pulumi.Output<GetSandboxTemplateResult[]> {
  return lookUpOutput(LIST, args, options);
}

async function* list(
  platform: PlatformReader,
  maximum: number,
): AsyncGenerator<GetSandboxTemplateResult, void, undefined> {
  let left = maximum;
  for await (const found of platform.reader("SandboxTemplate").list()) {
    yield new GetSandboxTemplateResult(found);
    // Here, and not when the next one is asked for: that could cost a page.
    left -= 1;
    if (left === 0) return;
  }
}
