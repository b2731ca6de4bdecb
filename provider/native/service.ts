import type * as Grpc from "@grpc/grpc-js";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type * as AnyMessages from "google-protobuf/google/protobuf/any_pb";
import type * as EmptyMessages from "google-protobuf/google/protobuf/empty_pb";
import type * as StructMessages from "google-protobuf/google/protobuf/struct_pb";
import type * as PluginMessages from "@pulumi/pulumi/proto/plugin_pb";
import type * as ProviderMessages from "@pulumi/pulumi/proto/provider_pb";
import type * as ProviderServices from "@pulumi/pulumi/proto/provider_grpc_pb";
import type * as StatusMessages from "@pulumi/pulumi/proto/status_pb";
import { AgentPlatformError, isUnfinished } from "../base/errors";
import { compact, isObject, type JsonObject } from "../base/json";
import { safeText } from "../base/masker";
import { version } from "../base/version";
import { fromSdk, grpcOfSdk } from "../engine/sdk";
import { first } from "../functions/values";
import type { NativePlugin } from "./native-plugin";
import type { Marked, NativeResource } from "./native-resource";
import { pluginSchema } from "./schema";

type Answer<Request, Response> = (request: Request) => Response | Promise<Response>;

/** The engine's protocol for plugins over the plugin of the current run: messages in, messages out. It knows no kinds and no rules. */
export function createService(
  plugin: () => NativePlugin,
  onAttach: (address: string) => void,
  construct: (request: unknown) => Promise<unknown>,
): Grpc.UntypedServiceImplementation {
  const proto = protocol();
  const struct = (properties: JsonObject) => structOf(proto, properties);
  const empty = () => new proto.Empty();

  const unary =
    <Request, Response>(answer: Answer<Request, Response>): Grpc.handleUnaryCall<Request, Response> =>
    ({ request }, callback) => {
      const { run } = plugin();
      run.track(Promise.resolve(request).then(answer)).then(
        (response) => callback(null, response),
        (error: unknown) => callback(refusal(proto, error, run.tell(error))),
      );
    };

  return {
    handshake: unary((request: ProviderMessages.ProviderHandshakeRequest) => {
      onAttach(request.getEngineAddress());
      // Outputs are of components alone: their parts then depend on what they use, and not on all inputs.
      return new proto.ProviderHandshakeResponse()
        .setAcceptSecrets(true)
        .setAcceptResources(false)
        .setAcceptOutputs(true);
    }),
    attach: unary((request: InstanceType<GrpcProtocol["PluginAttach"]>) => {
      onAttach(request.getAddress());
      return empty();
    }),
    getPluginInfo: unary(() => new proto.PluginInfo().setVersion(version())),
    getSchema: unary((request: ProviderMessages.GetSchemaRequest) => {
      if (request.getVersion() !== 0)
        throw new AgentPlatformError(`there is no version ${request.getVersion()} of the schema's format`);
      return new proto.GetSchemaResponse().setSchema(pluginSchema());
    }),

    checkConfig: unary((request: ProviderMessages.CheckRequest) => {
      const [olds, news] = [marked(request.getOlds()), marked(request.getNews())];
      const { inputs, reasons } = plugin().checkConfig(olds, news, request.getUrn());
      return checked(inputs, reasons);
    }),
    // Every change is made in place: the resources of another address or tenant refuse it themselves (docs/internals/design.md, Origin).
    diffConfig: unary((request: ProviderMessages.DiffRequest) => {
      // The key that this version adds is no change of the program's.
      const isSame = plugin().isSameConfig(marked(request.getOldInputs()), marked(request.getNews()));
      return new proto.DiffResponse().setChanges(proto.DiffResponse.DiffChanges[isSame ? "DIFF_NONE" : "DIFF_UNKNOWN"]);
    }),
    configure: unary((request: ProviderMessages.ConfigureRequest) => {
      plugin().configure(marked(request.getArgs()), request.getUrn());
      return new proto.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true).setAcceptoutputs(true);
    }),

    check: unary((request: ProviderMessages.CheckRequest) => {
      const urn = request.getUrn();
      const [olds, news] = [marked(request.getOlds()), marked(request.getNews())];
      const { inputs, reasons } = plugin().resource(urn).check(urn, olds, news);
      return checked(inputs, reasons);
    }),
    diff: unary((request: ProviderMessages.DiffRequest) => {
      const [id, urn] = [request.getId(), request.getUrn()];
      const [olds, oldInputs] = [marked(request.getOlds()), marked(request.getOldInputs())];
      const news = marked(request.getNews());
      return diffed(plugin().resource(urn).diff(id, urn, olds, oldInputs, news, request.getIgnorechangesList()));
    }),
    create: unary(async (request: ProviderMessages.CreateRequest) => {
      const [urn, properties] = [request.getUrn(), marked(request.getProperties())];
      const changing = { urn, properties, timeout: request.getTimeout(), preview: request.getPreview() };
      const made = await plugin().resource(urn).create(changing);
      return new proto.CreateResponse().setId(made.id).setProperties(struct(made.outputs));
    }),
    read: unary(async (request: ProviderMessages.ReadRequest) => {
      const [id, urn] = [request.getId(), request.getUrn()];
      const [properties, declared] = [marked(request.getProperties()), marked(request.getInputs())];
      const read = await plugin().resource(urn).read(id, urn, properties, declared);
      // An empty id means that the object is gone.
      if (read === undefined) return new proto.ReadResponse();
      const response = new proto.ReadResponse().setId(read.id).setProperties(struct(read.outputs));
      return read.inputs === undefined ? response : response.setInputs(struct(read.inputs));
    }),
    update: unary(async (request: ProviderMessages.UpdateRequest) => {
      const [urn, properties] = [request.getUrn(), marked(request.getNews())];
      const [olds, oldInputs] = [marked(request.getOlds()), marked(request.getOldInputs())];
      const changing = { urn, properties, timeout: request.getTimeout(), preview: request.getPreview() };
      const outputs = await plugin().resource(urn).update(request.getId(), olds, oldInputs, changing);
      return new proto.UpdateResponse().setProperties(struct(outputs));
    }),
    delete: unary(async (request: ProviderMessages.DeleteRequest) => {
      const [id, urn] = [request.getId(), request.getUrn()];
      const [olds, oldInputs] = [marked(request.getProperties()), marked(request.getOldInputs())];
      await plugin().resource(urn).delete(id, urn, olds, oldInputs, request.getTimeout());
      return empty();
    }),
    construct: unary((request) => plugin().run.ofParts(construct(request))),

    invoke: unary(async (request: ProviderMessages.InvokeRequest) => {
      const result = await plugin().invoke(request.getTok(), marked(request.getArgs()));
      const response = new proto.InvokeResponse();
      return result === undefined ? response : response.setReturn(struct(result));
    }),
    list: (call: Grpc.ServerWritableStream<ProviderMessages.ListRequest, ProviderMessages.ListResponse>) => {
      const { run } = plugin();
      void run.track(answerList(call)).then(
        () => call.end(),
        (error: unknown) => call.emit("error", refusal(proto, error, run.tell(error))),
      );
    },
    // Not one of the calls that it ends.
    cancel: (_call: unknown, callback: Grpc.sendUnaryData<unknown>) => {
      plugin().run.cancel();
      callback(null, empty());
    },
  };

  async function answerList(
    call: Grpc.ServerWritableStream<ProviderMessages.ListRequest, ProviderMessages.ListResponse>,
  ) {
    const { request } = call;
    const listed = plugin().list(request.getToken(), marked(request.getQuery()));
    for await (const { id, name } of first(request.getLimit() || Infinity, listed)) {
      call.write(new proto.ListResponse().setResult(new proto.ListResponse.Result().setId(id).setName(name)));
      if (call.cancelled) return;
    }
  }

  function checked(inputs: JsonObject, reasons: readonly string[]) {
    // The engine prints the value of a property that is named here, secret or not (docs/internals/engine.md, trap 15).
    const failures = reasons.map((reason) => new proto.CheckFailure().setProperty("").setReason(safeText(reason)));
    return new proto.CheckResponse().setInputs(struct(inputs)).setFailuresList(failures);
  }

  function diffed({ isChanged, diffs, replaces, deleteBeforeReplace }: ReturnType<NativeResource["diff"]>) {
    const { DIFF_NONE, DIFF_SOME } = proto.DiffResponse.DiffChanges;
    const response = new proto.DiffResponse()
      .setChanges(isChanged ? DIFF_SOME : DIFF_NONE)
      .setReplacesList([...replaces])
      .setDeletebeforereplace(deleteBeforeReplace)
      .setHasdetaileddiff(true);
    const detailed = response.getDetaileddiffMap();
    for (const { path, kind, replaces: isReplacing } of diffs) {
      const kinds = proto.PropertyDiff.Kind;
      const shown = new proto.PropertyDiff()
        .setKind(isReplacing ? kinds[`${kind}_REPLACE`] : kinds[kind])
        .setInputdiff(true);
      detailed.set(path, shown);
    }
    return response;
  }
}

function structOf(proto: GrpcProtocol, properties: JsonObject): Struct {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- without undefined keys, JSON is what a Struct takes
  return proto.Struct.fromJavaScript(compact(properties) as Record<string, never>);
}

/** A struct as JSON; undefined for an absent one. */
function marked(struct: Struct | undefined): Marked {
  const value: unknown = struct?.toJavaScript();
  return isObject(value) ? value : undefined;
}

/** An error as gRPC carries it, with what it says. */
function refusal(proto: GrpcProtocol, error: unknown, says: string): Partial<Grpc.StatusObject> {
  const { status, Metadata } = grpcOfSdk();
  const details = safeText(says);
  if (!isUnfinished(error)) return { code: status.UNKNOWN, details };
  const failed = new proto.ErrorResourceInitFailed()
    .setId(error.id)
    .setProperties(structOf(proto, error.properties))
    .setReasonsList([details]);
  const packed = new proto.Any();
  packed.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const whole = new proto.Status().setCode(status.UNKNOWN).setMessage(details).setDetailsList([packed]);
  const metadata = new Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(whole.serializeBinary()));
  return { code: status.UNKNOWN, details, metadata };
}

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

type GrpcProtocol = ReturnType<typeof protocol>;
