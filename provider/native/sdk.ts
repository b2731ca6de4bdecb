import type * as AnyMessages from "google-protobuf/google/protobuf/any_pb";
import type * as EmptyMessages from "google-protobuf/google/protobuf/empty_pb";
import type * as StructMessages from "google-protobuf/google/protobuf/struct_pb";
import type * as PluginMessages from "@pulumi/pulumi/proto/plugin_pb";
import type * as ProviderMessages from "@pulumi/pulumi/proto/provider_pb";
import type * as ProviderServices from "@pulumi/pulumi/proto/provider_grpc_pb";
import type * as StatusMessages from "@pulumi/pulumi/proto/status_pb";
import { fromSdk } from "../engine/sdk";

/** The engine's protocol for plugins, as the installed SDK speaks it. */
export const protocol = () => ({
  ...fromSdk<typeof AnyMessages>("google-protobuf/google/protobuf/any_pb.js"),
  ...fromSdk<typeof EmptyMessages>("google-protobuf/google/protobuf/empty_pb.js"),
  ...fromSdk<typeof StructMessages>("google-protobuf/google/protobuf/struct_pb.js"),
  ...fromSdk<typeof PluginMessages>("./proto/plugin_pb"),
  ...fromSdk<typeof ProviderMessages>("./proto/provider_pb"),
  ...fromSdk<typeof ProviderServices>("./proto/provider_grpc_pb"),
  ...fromSdk<typeof StatusMessages>("./proto/status_pb"),
});

export type GrpcProtocol = ReturnType<typeof protocol>;
export type { ProviderMessages };
