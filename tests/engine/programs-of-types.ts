import fc from "fast-check";
import { compact, type Json, type JsonObject } from "../../provider/base/json";
import type { ManagedType } from "../../provider/resources/resource-types";
import { CASES } from "../conformance/cases";

const maybe = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(values, { nil: undefined });
const some = <T>(...values: T[]): fc.Arbitrary<T | undefined> => maybe(fc.constantFrom(...values));
const map = (...names: string[]): fc.Arbitrary<JsonObject | undefined> =>
  maybe(fc.dictionary(fc.constantFrom(...names), fc.constantFrom("1", "2"), { maxKeys: names.length }));
const of = (fields: Record<string, fc.Arbitrary<Json | undefined>>): fc.Arbitrary<JsonObject> =>
  fc.record(fields).map(compact);

const futureFields = {
  team: some<Json>("a", "b"),
  color: some<Json>({ of: "red" }, { of: "red", at: 1 }, {}),
};

const external = of({
  name: fc.constant("desk"),
  source: fc.constant("external_docker"),
  sourceConfig: maybe(
    of({
      resourceSpec: maybe(of({ cpu: some(1, 2), minScale: some(1, 2) })),
      customUrl: some("a.example", "https://a.example/", "b.example"),
      listenerConfig: fc.constantFrom(undefined, undefined, undefined, { k8sNamespace: "desk" }),
    }),
  ),
  sourceRevisionConfig: of({ imageUri: fc.constantFrom("a:1", "a:2") }),
  environmentVariables: map("A", "B"),
  secrets: map("K", "L"),
  secretReferences: some<Json>([], [{ name: "R", secretName: "s", secretKey: "k" }]),
  displayName: some("Desk", "Table"),
  extra: maybe(
    of({
      ...futureFields,
      source_config: maybe(of({ zone: some(1, 2), resource_spec: maybe(of({ db_cpu: some(1, 2) })) })),
      source_revision_config: maybe(of({ tracked_packages: some<Json>(["a"], ["b"]) })),
    }),
  ),
  redeployTrigger: some<Json>(1, 2, { at: "noon" }),
  deleteTracingProject: some(true, false),
});
const github = of({
  name: fc.constant("desk"),
  source: fc.constant("github"),
  sourceConfig: of({
    integrationId: fc.constant("i"),
    repoUrl: fc.constant("https://git.example/a"),
    deploymentType: fc.constantFrom("dev", "dev", "dev", "prod"),
    buildOnPush: some(true, false),
    installCommand: some("make", "ninja"),
  }),
  sourceRevisionConfig: of({
    repoRef: fc.constantFrom("main", "next"),
    langgraphConfigPath: fc.constant("langgraph.json"),
  }),
  secrets: map("K", "L"),
  displayName: some("Desk", "Table"),
});

const PROGRAMS: Readonly<Partial<Record<ManagedType, readonly fc.Arbitrary<JsonObject>[]>>> = {
  Deployment: [external, external, external, github],
  OAuthProvider: [
    of({
      providerId: fc.constant("github"),
      name: fc.constantFrom("One", "Two"),
      clientId: fc.constantFrom("one", "two"),
      clientSecret: some("s-1", "s-2"),
      authUrl: fc.constant("https://a.example/auth"),
      tokenUrl: fc.constant("https://a.example/token"),
      usesPkce: some(true, false),
      codeChallengeMethod: some("S256", "plain"),
      tokenEndpointAuthMethod: fc.constantFrom(undefined, undefined, "client_secret_basic"),
      authorizationParams: map("prompt", "scope"),
      allowedRedirectUris: some<Json>([], ["https://a.example/1"], ["https://a.example/1", "https://a.example/2"]),
      extra: maybe(of(futureFields)),
    }),
  ],
  SandboxTemplate: [
    of({
      name: fc.constantFrom("box", "crate"),
      image: fc.constantFrom("a:1", "a:1", "a:2"),
      resources: fc.constant({ cpu: "1", memory: "1Gi" }),
      extra: fc.constantFrom(undefined, undefined, { team: "a" }),
    }),
  ],
  Listener: [
    of({
      computeId: fc.constantFrom("eu", "eu", "us"),
      computeConfig: of({ k8sNamespaces: some<Json>(["a"], ["a", "b"], ["b", "a"]) }),
      extra: maybe(of(futureFields)),
    }),
  ],
};

/** The arguments of a random object of a resource type. Two of one resource type often differ in few fields. A resource type without a generator has those of its conformance case. */
export function programsOf(managedType: ManagedType): readonly fc.Arbitrary<JsonObject>[] {
  const { program, updated, replacing, respelled } = CASES[managedType];
  return PROGRAMS[managedType] ?? [fc.constantFrom(program, updated ?? replacing ?? program, respelled)];
}
