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

/** What answers the calls of the protocol, by their names: a message in, a message out. */
type Answers = Readonly<Record<string, (request: never) => unknown>>;

/** The engine's protocol for plugins over the plugin of the current run: messages in, messages out. It knows no kinds and no rules. */
export function createService(
  plugin: () => NativePlugin,
  onAttach: (address: string) => void,
  construct: (request: unknown) => Promise<unknown>,
): Grpc.UntypedServiceImplementation {
  const proto = protocol();
  const unary =
    (answer: Answers[string]): Grpc.handleUnaryCall<never, unknown> =>
    ({ request }, callback) => {
      const { run } = plugin();
      run.track(Promise.resolve(request).then(answer)).then(
        (response) => callback(null, response),
        (error: unknown) => callback(refusal(proto, error, run.tell(error))),
      );
    };
  const answers: Answers = {
    ...answersOfSession(proto, onAttach),
    ...answersOfConfiguration(proto, plugin),
    ...answersOfResources(proto, plugin),
    construct: (request) => plugin().run.ofParts(construct(request)),
  };
  return {
    ...Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, unary(answer)])),
    list: (call: Listing) => {
      const { run } = plugin();
      void run.track(answerList(proto, plugin(), call)).then(
        () => call.end(),
        (error: unknown) => call.emit("error", refusal(proto, error, run.tell(error))),
      );
    },
    // Not one of the calls that it ends.
    cancel: (_call: unknown, callback: Grpc.sendUnaryData<unknown>) => {
      plugin().run.cancel();
      callback(null, new proto.Empty());
    },
  };
}

const answersOfSession = (proto: GrpcProtocol, onAttach: (address: string) => void): Answers => ({
  handshake(request: ProviderMessages.ProviderHandshakeRequest) {
    onAttach(request.getEngineAddress());
    // Outputs are of components alone: their parts then depend on what they use, and not on all inputs.
    return new proto.ProviderHandshakeResponse()
      .setAcceptSecrets(true)
      .setAcceptResources(false)
      .setAcceptOutputs(true);
  },
  attach(request: InstanceType<GrpcProtocol["PluginAttach"]>) {
    onAttach(request.getAddress());
    return new proto.Empty();
  },
  getPluginInfo: () => new proto.PluginInfo().setVersion(version()),
  getSchema(request: ProviderMessages.GetSchemaRequest) {
    if (request.getVersion() !== 0)
      throw new AgentPlatformError(`there is no version ${request.getVersion()} of the schema's format`);
    return new proto.GetSchemaResponse().setSchema(pluginSchema());
  },
});

const answersOfConfiguration = (proto: GrpcProtocol, plugin: () => NativePlugin): Answers => ({
  checkConfig(request: ProviderMessages.CheckRequest) {
    const [olds, news] = [marked(request.getOlds()), marked(request.getNews())];
    return checked(proto, plugin().checkConfig(olds, news, request.getUrn()));
  },
  // Every change is made in place: the resources of another address or tenant refuse it themselves (docs/internals/design.md, Origin).
  diffConfig(request: ProviderMessages.DiffRequest) {
    // The key that this version adds is no change of the program's.
    const isSame = plugin().isSameConfig(marked(request.getOldInputs()), marked(request.getNews()));
    return new proto.DiffResponse().setChanges(proto.DiffResponse.DiffChanges[isSame ? "DIFF_NONE" : "DIFF_UNKNOWN"]);
  },
  configure(request: ProviderMessages.ConfigureRequest) {
    plugin().configure(marked(request.getArgs()), request.getUrn());
    return new proto.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true).setAcceptoutputs(true);
  },
  async invoke(request: ProviderMessages.InvokeRequest) {
    const result = await plugin().invoke(request.getTok(), marked(request.getArgs()));
    const response = new proto.InvokeResponse();
    return result === undefined ? response : response.setReturn(structOf(proto, result));
  },
});

function answersOfResources(proto: GrpcProtocol, plugin: () => NativePlugin): Answers {
  const struct = (properties: JsonObject): Struct => structOf(proto, properties);
  const resourceOf = (request: { getUrn(): string }): NativeResource => plugin().resource(request.getUrn());
  return {
    check(request: ProviderMessages.CheckRequest) {
      const [olds, news] = [marked(request.getOlds()), marked(request.getNews())];
      return checked(proto, resourceOf(request).check(request.getUrn(), olds, news));
    },
    diff(request: ProviderMessages.DiffRequest) {
      const [id, urn, ignored] = [request.getId(), request.getUrn(), request.getIgnorechangesList()];
      const [olds, oldInputs] = [marked(request.getOlds()), marked(request.getOldInputs())];
      return diffed(proto, resourceOf(request).diff(id, urn, olds, oldInputs, marked(request.getNews()), ignored));
    },
    async create(request: ProviderMessages.CreateRequest) {
      const made = await resourceOf(request).create(changing(request, marked(request.getProperties())));
      return new proto.CreateResponse().setId(made.id).setProperties(struct(made.outputs));
    },
    async read(request: ProviderMessages.ReadRequest) {
      const [properties, declared] = [marked(request.getProperties()), marked(request.getInputs())];
      const read = await resourceOf(request).read(request.getId(), request.getUrn(), properties, declared);
      // An empty id means that the object is gone.
      if (read === undefined) return new proto.ReadResponse();
      const response = new proto.ReadResponse().setId(read.id).setProperties(struct(read.outputs));
      return read.inputs === undefined ? response : response.setInputs(struct(read.inputs));
    },
    async update(request: ProviderMessages.UpdateRequest) {
      const [olds, oldInputs] = [marked(request.getOlds()), marked(request.getOldInputs())];
      const wanted = changing(request, marked(request.getNews()));
      const outputs = await resourceOf(request).update(request.getId(), olds, oldInputs, wanted);
      return new proto.UpdateResponse().setProperties(struct(outputs));
    },
    async delete(request: ProviderMessages.DeleteRequest) {
      const [olds, oldInputs] = [marked(request.getProperties()), marked(request.getOldInputs())];
      await resourceOf(request).delete(request.getId(), request.getUrn(), olds, oldInputs, request.getTimeout());
      return new proto.Empty();
    },
  };
}

/** What a create and an update have in common. */
function changing(request: ProviderMessages.CreateRequest | ProviderMessages.UpdateRequest, properties: Marked) {
  return { urn: request.getUrn(), properties, timeout: request.getTimeout(), preview: request.getPreview() };
}

type Listing = Grpc.ServerWritableStream<ProviderMessages.ListRequest, ProviderMessages.ListResponse>;

async function answerList(proto: GrpcProtocol, plugin: NativePlugin, call: Listing): Promise<void> {
  const { request } = call;
  const listed = plugin.list(request.getToken(), marked(request.getQuery()));
  for await (const { id, name } of first(request.getLimit() || Infinity, listed)) {
    call.write(new proto.ListResponse().setResult(new proto.ListResponse.Result().setId(id).setName(name)));
    if (call.cancelled) return;
  }
}

function checked(proto: GrpcProtocol, { inputs, reasons }: ReturnType<NativePlugin["checkConfig"]>) {
  // The engine prints the value of a property that is named here, secret or not (docs/internals/engine.md, trap 15).
  const failures = reasons.map((reason) => new proto.CheckFailure().setProperty("").setReason(safeText(reason)));
  return new proto.CheckResponse().setInputs(structOf(proto, inputs)).setFailuresList(failures);
}

function diffed(
  proto: GrpcProtocol,
  { isChanged, diffs, replaces, deleteBeforeReplace }: ReturnType<NativeResource["diff"]>,
) {
  const { DIFF_NONE, DIFF_SOME } = proto.DiffResponse.DiffChanges;
  const response = new proto.DiffResponse()
    .setChanges(isChanged ? DIFF_SOME : DIFF_NONE)
    .setReplacesList([...replaces])
    .setDeletebeforereplace(deleteBeforeReplace)
    .setHasdetaileddiff(true);
  const detailed = response.getDetaileddiffMap();
  const kinds = proto.PropertyDiff.Kind;
  for (const { path, kind, replaces: isReplacing } of diffs) {
    const shown = isReplacing ? kinds[`${kind}_REPLACE`] : kinds[kind];
    detailed.set(path, new proto.PropertyDiff().setKind(shown).setInputdiff(true));
  }
  return response;
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
