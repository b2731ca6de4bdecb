import type * as pulumi from "@pulumi/pulumi";
import type {
  DeploymentArgs,
  ExpectationsArgs,
  ListenerArgs,
  OAuthProviderArgs,
  RolloutArgs,
  RunCheckArgs,
  SandboxTemplateArgs,
} from ".";
import type { DeploymentInputs } from "../provider/resources/deployment/fields";
import type { ListenerInputs } from "../provider/resources/listener/definition";
import type { OAuthProviderInputs } from "../provider/resources/oauth-provider/fields";
import type { RunCheckInputs } from "../provider/resources/run-check/fields";
import type { SandboxTemplateInputs } from "../provider/resources/sandbox-template/fields";

/** True where both are the same union of keys. */
type Same<A, B> = [A, B] extends [B, A] ? true : false;
/** All keys of a type, also of its members' members, as one string each. */
type Keys<T> = T extends readonly (infer E)[]
  ? Keys<E>
  : T extends object
    ? { [K in keyof T & string]: K | `${K}.${Keys<NonNullable<T[K]>> & string}` }[keyof T & string]
    : never;
type Declared<T> = pulumi.Unwrap<T>;

// The documented arguments of the SDK and the inputs that the provider checks come from the same tables in different ways: these lines
// do not compile where one of them knows a property that the other does not.
// The classes fill it in.
type Internal = "__progressUrn";
type ChecksOwn = Internal | "showData";
// The keys of `extra`, of a map and of a free value are anybody's.
type Own<T> = Keys<Omit<T, "extra">>;
type Part<T, Name extends keyof T> = NonNullable<T[Name]>;
type Given<Name extends keyof DeploymentArgs> = NonNullable<Declared<DeploymentArgs[Name]>>;
const same: readonly true[] = [
  true satisfies Same<Own<Declared<SandboxTemplateArgs>>, Own<SandboxTemplateInputs>>,
  true satisfies Same<Own<Declared<OAuthProviderArgs>>, Own<Omit<OAuthProviderInputs, Internal>>>,
  true satisfies Same<Own<Declared<ListenerArgs>>, Own<ListenerInputs>>,
  true satisfies Same<keyof Pick<SandboxTemplateArgs & OAuthProviderArgs, "extra">, "extra">,
  // `rolloutTimeout` is for the class alone.
  true satisfies Same<keyof Omit<DeploymentArgs, "rolloutTimeout">, keyof Omit<DeploymentInputs, Internal>>,
  true satisfies Same<keyof Given<"sourceConfig">, keyof Part<DeploymentInputs, "sourceConfig">>,
  true satisfies Same<
    keyof Part<Given<"sourceConfig">, "resourceSpec">,
    keyof Part<Part<DeploymentInputs, "sourceConfig">, "resourceSpec">
  >,
  true satisfies Same<keyof Given<"sourceRevisionConfig">, keyof Part<DeploymentInputs, "sourceRevisionConfig">>,
  true satisfies Same<
    keyof RolloutArgs,
    "deploymentId" | "revisionId" | "deploymentName" | "followsPushes" | "customUrl" | "rolloutTimeout"
  >,
  true satisfies Same<keyof Omit<RunCheckArgs, "deployment" | "assistant">, keyof Omit<RunCheckInputs, ChecksOwn>>,
  true satisfies Same<
    Keys<Omit<Declared<ExpectationsArgs>, "values">>,
    Keys<Omit<Part<RunCheckInputs, "expect">, "values">>
  >,
];

test("the SDK's arguments and the provider's schemas know the same properties", () =>
  expect(same).not.toContain(false));
