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
// The keys of `extra`, of a map and of a free value are anybody's.
type Own<T> = Keys<Omit<T, "extra">>;
const templates: Same<Own<Declared<SandboxTemplateArgs>>, Own<SandboxTemplateInputs>> = true;
const providers: Same<Own<Declared<OAuthProviderArgs>>, Own<Omit<OAuthProviderInputs, Internal>>> = true;
const listeners: Same<Own<Declared<ListenerArgs>>, Own<ListenerInputs>> = true;
const extras: Same<keyof Pick<SandboxTemplateArgs & OAuthProviderArgs, "extra">, "extra"> = true;
// `rolloutTimeout` is for the class alone.
type OwnOfDeployment = "rolloutTimeout";
const deployments: Same<keyof Omit<DeploymentArgs, OwnOfDeployment>, keyof Omit<DeploymentInputs, Internal>> = true;
const configs: Same<
  keyof NonNullable<Declared<DeploymentArgs["sourceConfig"]>>,
  keyof NonNullable<DeploymentInputs["sourceConfig"]>
> = true;
const specs: Same<
  keyof NonNullable<NonNullable<Declared<DeploymentArgs["sourceConfig"]>>["resourceSpec"]>,
  keyof NonNullable<NonNullable<DeploymentInputs["sourceConfig"]>["resourceSpec"]>
> = true;
const revisions: Same<
  keyof NonNullable<Declared<DeploymentArgs["sourceRevisionConfig"]>>,
  keyof NonNullable<DeploymentInputs["sourceRevisionConfig"]>
> = true;
const rollouts: Same<
  keyof RolloutArgs,
  "deploymentId" | "revisionId" | "deploymentName" | "followsPushes" | "customUrl" | "rolloutTimeout"
> = true;

type ChecksOwn = Internal | "showData";
const checks: Same<keyof Omit<RunCheckArgs, "deployment" | "assistant">, keyof Omit<RunCheckInputs, ChecksOwn>> = true;
const expectations: Same<
  Keys<Omit<Declared<ExpectationsArgs>, "values">>,
  Keys<Omit<NonNullable<RunCheckInputs["expect"]>, "values">>
> = true;

test("the SDK's arguments and the provider's schemas know the same properties", () => {
  expect([
    templates,
    providers,
    listeners,
    extras,
    deployments,
    configs,
    specs,
    revisions,
    rollouts,
    checks,
    expectations,
  ]).toEqual(Array(11).fill(true));
});
