import * as pulumi from "@pulumi/pulumi";
import { NAMESPACE, PLUGIN_SETTING } from "../provider/base/settings";
import { componentOf } from "../provider/resources/components";
import { Agent, type AgentArgs } from "./components/agent";
import { AgentEnvironment, type AgentEnvironmentArgs } from "./components/agent-environment";

/** The SDK's server of components, which it does not export. It answers the engine's messages. */
type ComponentServer = new (
  engine: string,
  provider: pulumi.provider.Provider,
  uncaught: Set<Error>,
) => {
  construct(call: { request: unknown }, answer: (error: Error | null | undefined, response: unknown) => void): unknown;
};

/** Answers a Construct, with the class of the component. Loaded when a program declares one. */
export function constructorFor(serverClass: ComponentServer, engine: string): (request: unknown) => Promise<unknown> {
  const server = new serverClass(engine, { version: "", construct }, new Set());
  return (request) =>
    new Promise((resolve, reject) => {
      void server.construct({ request }, (error, response) => (error ? reject(error) : resolve(response)));
    });
}

type Construct = NonNullable<pulumi.provider.Provider["construct"]>;

const construct: Construct = (...given) => Promise.resolve().then(() => build(...given));

function build(...[name, type, inputs, options]: Parameters<Construct>): pulumi.provider.ConstructResult {
  // The parts are of this plugin, whatever the stack has chosen.
  pulumi.runtime.setConfig(`${NAMESPACE}:${PLUGIN_SETTING}`, "native");
  // Some languages send null for an omitted property.
  const given = Object.fromEntries(Object.entries(inputs).filter(([, each]) => each !== null));
  const component = componentOf(type);
  if (component === undefined) throw new pulumi.RunError(`there is no component "${type}" in this plugin`);
  /* eslint-disable @typescript-eslint/consistent-type-assertions -- the classes check their arguments */
  const made =
    component.kind === "Agent"
      ? new Agent(name, given as AgentArgs, options)
      : new AgentEnvironment(name, given as AgentEnvironmentArgs, options);
  /* eslint-enable */
  const state = Object.keys(component.outputs).map((key) => [key, Reflect.get(made, key)] as const);
  return { urn: made.urn, state: Object.fromEntries(state) };
}
