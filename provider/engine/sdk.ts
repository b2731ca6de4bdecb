import { createRequire } from "node:module";
import type * as Grpc from "@grpc/grpc-js";

/**
 * A module of the SDK, or one that it depends on. Protos and gRPC must come from the same installation of the SDK: this package depends on
 * neither itself, and an unhoisted installation has them beside the SDK alone.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- a require has no type; the SDK promises the named one
export function fromSdk<Module>(name: string): Module {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- as above
  return createRequire(require.resolve("@pulumi/pulumi/package.json"))(name) as Module;
}

export const grpcOfSdk = (): typeof Grpc => fromSdk<typeof Grpc>("@grpc/grpc-js");
