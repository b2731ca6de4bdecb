import { randomBytes } from "node:crypto";
import { resolveConnection, type Resolved } from "../base/connection";
import { AgentPlatformError } from "../base/errors";
import { type JsonObject, sameJson, UNKNOWN } from "../base/json";
import { didYouMean, unknownSetting } from "../base/nearest";
import { problemsOfPlatform } from "../base/places";
import { CHECKED, NAMESPACE, settingRow, SETTINGS } from "../base/settings";
import { marshal, nameInUrn, typeOf } from "../base/engine-format";
import { version } from "../base/version";
import { checkNames } from "../functions/arguments";
import { FUNCTIONS } from "../functions/functions";
import { clientOf } from "../functions/platform-client";
import { readerOf } from "../functions/reading";
import type { Session } from "../lifecycle/session";
import { type Marked, NativeResource } from "./native-resource";
import { openResource } from "../resources/registry";
import { isResourceType, RESOURCE_TYPES } from "../resources/resource-types";
import type { PluginRun } from "./run";
import { unmarshal } from "./values";

/**
 * An input of the provider that no program sets. It is in the provider's row before the first resource is created, so it distinguishes the objects of this
 * stack from those of a stack with the same name elsewhere (docs/internals/design.md, Creating once). The engine drops inputs whose names begin with "__".
 */
export const STACK_KEY = "stackKey";

const newStackKey = (): string => randomBytes(12).toString("hex");

const NOT_CONFIGURED: Resolved = { problems: [] };

/** A plugin of one provider: it is configured once, and then has a resource for each kind. */
export class NativePlugin {
  private readonly opened = new Map<string, NativeResource>();
  private resolved: Resolved = NOT_CONFIGURED;
  /** The settings; undefined while one is not known yet, as at the preview of a program that makes the platform itself. */
  private configured: JsonObject | undefined;

  constructor(
    private readonly session: Session,
    readonly run: PluginRun,
  ) {}

  /** The problems of a provider's inputs, and the inputs as state is to hold them. */
  checkConfig(
    olds: Marked,
    news: Marked,
    urn = "",
  ): { readonly inputs: JsonObject; readonly reasons: readonly string[] } {
    const { values, secrets } = unmarshal(news);
    const secret = SETTINGS.filter((name) => settingRow(name).secret);
    const { [STACK_KEY]: given, [CHECKED]: isChecked, ...settings } = values;
    const strange = Object.keys(settings).flatMap((name) => unknownSetting(name) ?? []);
    // Only a program's own provider is asked. What has a stack's key comes from state, as for a destroy.
    const isOwn = nameInUrn(urn) !== "" && !nameInUrn(urn).startsWith("default");
    const isAsked = isOwn && isChecked === undefined && given === undefined;
    const missing = isAsked ? problemsOfPlatform((setting) => settings[setting] || undefined) : [];
    const stackKey = given ?? unmarshal(olds).values[STACK_KEY] ?? newStackKey();
    return {
      inputs: marshal({ ...settings, [STACK_KEY]: stackKey }, [...secrets, ...secret]),
      reasons: [
        ...otherMajor(textOf(values["version"]), version()),
        ...strange,
        ...missing.map(({ reason }) => reason),
      ],
    };
  }

  /** Whether a provider's inputs are the same but for the stack's key. */
  isSameConfig(olds: Marked, news: Marked): boolean {
    const [{ [STACK_KEY]: _old, ...before }, { [STACK_KEY]: _new, ...after }] = [olds ?? {}, news ?? {}];
    return sameJson(before, after);
  }

  /** Refuses other settings than before: the resources of the first connection would go on with the second one's key. */
  configure(args: Marked, urn = ""): void {
    const { values } = unmarshal(args);
    if (this.configured !== undefined && !sameJson(this.configured, values)) {
      throw new AgentPlatformError(
        "this process of the plugin is configured already, with other settings: each Platform needs a process of its own. If you started " +
          "it yourself (PULUMI_DEBUG_PROVIDERS), start one for each",
      );
    }
    if (!Object.values(values).includes(UNKNOWN)) this.configured = values;
    const resolved = this.configured
      ? resolveConnection((setting) => textOf(values[setting]), this.session.environment)
      : NOT_CONFIGURED;
    // Without a program (docs/internals/engine.md, trap 58), no state has the objects: each create makes one, and none has a Rollout.
    const isAlone = urn !== "" && nameInUrn(urn) === "";
    if (isAlone) this.run.fail();
    const stackKey = isAlone ? newStackKey() : textOf(values[STACK_KEY]);
    this.resolved = "connection" in resolved ? { connection: { ...resolved.connection, stackKey } } : resolved;
    for (const { resource } of this.opened.values()) resource.connect(this.resolved);
  }

  resource(urn: string): NativeResource {
    return this.open(typeOf(urn) || urn);
  }

  /** The objects of a type in the tenant, a page of the platform at a time. */
  async *list(token: string, query: Marked): AsyncGenerator<{ readonly id: string; readonly name: string }> {
    const { resource } = this.open(token);
    const [argument] = Object.keys(unmarshal(query).values);
    if (argument !== undefined) throw new AgentPlatformError(`a list takes no ${argument}: it covers the whole tenant`);
    const { naturalKey = "" } = resource.table;
    for await (const { id, inputs } of resource.reader.list()) yield { id, name: textOf(inputs[naturalKey]) ?? id };
  }

  private open(token: string): NativeResource {
    const kind = named(token);
    const known = this.opened.get(kind);
    if (known !== undefined) return known;
    if (!isResourceType(kind)) throw unknownName("resource type", token, RESOURCE_TYPES);
    const resource = openResource(kind, this.session);
    resource.connect(this.resolved);
    const opened = new NativeResource(resource, this.run);
    this.opened.set(kind, opened);
    return opened;
  }

  /** Calls a function; undefined while the connection is not known. */
  async invoke(token: string, args: Marked): Promise<JsonObject | undefined> {
    const name = named(token);
    const called = FUNCTIONS.get(name);
    if (called === undefined) throw unknownName("function", token, [...FUNCTIONS.keys()]);
    const { values } = unmarshal(args);
    checkNames(name, values, Object.keys(called.args));
    if (this.configured === undefined) return undefined;
    return marshal(await called.call(values, readerOf(clientOf(this.resolved, this.session))), []);
  }
}

/** An SDK and a plugin of different majors may not mean the same. @param wanted The version of the program's SDK, as the engine passes it along. */
function otherMajor(wanted: string | undefined, own: string): string[] {
  const majorOf = (given: string): string => given.replace(/^v/, "").split(".")[0] ?? "";
  if (wanted === undefined || majorOf(wanted) === majorOf(own)) return [];
  return [
    `the program's SDK of ${NAMESPACE} is version ${wanted}, but this plugin is version ${own}: install the same version of both`,
  ];
}

/** A setting as text: a program may give a number or a flag. */
const textOf = (value: JsonObject[string]): string | undefined =>
  value === undefined || value === null ? undefined : typeof value === "string" ? value : JSON.stringify(value);

/** `Deployment` of `agent-platform:index:Deployment`; some languages have a folder in the middle. */
const named = (token: string): string => token.split(":").at(-1) ?? token;

function unknownName(what: string, token: string, known: readonly string[]): AgentPlatformError {
  return new AgentPlatformError(
    `there is no ${what} "${token}" in this plugin. It has: ${known.join(", ")}${didYouMean(named(token), known)}`,
  );
}
