import { createRequire } from "node:module";
import type * as Api from "@opentelemetry/api";
import type * as Exporter from "@opentelemetry/exporter-trace-otlp-http";
import type * as Sdk from "@opentelemetry/sdk-trace-node";
import { messageOf } from "../base/errors";
import { safeText } from "../base/masker";
import { UNTRACED, type Facts, type Span, type Tracer } from "../base/spans";
import { version } from "../base/version";

const NAME = "pulumi-agent-platform";

/** Small and often: the engine may kill a plugin at any moment. */
const BATCH = { maxExportBatchSize: 64, scheduledDelayMillis: 500, exportTimeoutMillis: 2000 };
/** A receiver that is down or slow must not keep a command from ending. */
const FLUSH_MS = 300;

/**
 * Sends spans where the environment names a receiver (OTEL_EXPORTER_OTLP_ENDPOINT); elsewhere it does nothing, and loads nothing. The packages
 * that send are loaded with the first span. If they are not installed, one warning says so.
 */
export function openTracer(environment: NodeJS.ProcessEnv, warn: (message: string) => void): Tracer {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = environment;
  const isOff = environment["OTEL_SDK_DISABLED"]?.toLowerCase() === "true";
  if ((!all && !own) || isOff) return UNTRACED;
  let opened: Tracer | undefined;
  return {
    start: (...span) => (opened ??= open(environment, warn)).start(...span),
    flush: () => (opened ?? UNTRACED).flush(),
  };
}

function open(environment: NodeJS.ProcessEnv, warn: (message: string) => void): Tracer {
  try {
    return sending(loadPackages(), environment);
  } catch (error) {
    const [reason = ""] = messageOf(error).split("\n");
    warn(
      `OTEL_EXPORTER_OTLP_ENDPOINT is set, but no spans are sent, since OpenTelemetry cannot be loaded (${reason}): install it with \`${INSTALL}\`, or unset the variable`,
    );
    return UNTRACED;
  }
}

function sending({ api, sdk, exporter, resources }: Packages, environment: NodeJS.ProcessEnv): Tracer {
  const own = resources.resourceFromAttributes({ "service.name": NAME, "service.version": version() });
  const provider = new sdk.NodeTracerProvider({
    resource: own.merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor(new exporter.OTLPTraceExporter(), BATCH)],
  });
  const tracer = provider.getTracer(NAME, version());
  const root = parentOf(environment, api);
  return {
    start: (name, facts) => new OtelSpan(api, tracer, tracer.startSpan(name, { attributes: known(facts) }, root)),
    flush: () => {
      const flushed = provider.forceFlush().catch(() => undefined);
      return Promise.race([flushed, new Promise<void>((resolve) => setTimeout(resolve, FLUSH_MS).unref())]);
    },
  };
}

/** What the spans of this process are part of: what TRACEPARENT names (W3C Trace Context), as a pipeline sets it. */
function parentOf({ TRACEPARENT: given = "" }: NodeJS.ProcessEnv, api: typeof Api): Api.Context {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(given) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return api.ROOT_CONTEXT;
  const parent = { traceId, spanId, traceFlags: parseInt(flags, 16), isRemote: true };
  return api.trace.setSpanContext(api.ROOT_CONTEXT, parent);
}

class OtelSpan implements Span {
  constructor(
    private readonly api: typeof Api,
    private readonly tracer: Api.Tracer,
    private readonly span: Api.Span,
  ) {}

  child(name: string, facts: Facts, kind?: "client"): Span {
    const { api, tracer } = this;
    const context = api.trace.setSpan(api.ROOT_CONTEXT, this.span);
    const options = { attributes: known(facts), ...(kind && { kind: api.SpanKind.CLIENT }) };
    return new OtelSpan(api, tracer, tracer.startSpan(name, options, context));
  }

  add(facts: Facts): void {
    this.span.setAttributes(known(facts));
  }

  event(name: string, facts: Facts): void {
    this.span.addEvent(name, known(facts));
  }

  end(problem?: string): void {
    if (problem !== undefined) {
      this.add({ "error.type": problem });
      this.span.setStatus({ code: this.api.SpanStatusCode.ERROR });
    }
    this.span.end();
  }
}

const known = (facts: Facts): Api.Attributes =>
  Object.fromEntries(
    Object.entries(facts).flatMap(([name, fact]) =>
      fact === undefined ? [] : [[name, typeof fact === "string" ? safeText(fact) : fact]],
    ),
  );

type Resource = NonNullable<Sdk.NodeTracerConfig["resource"]>;

/** The part of @opentelemetry/resources that is used here. Its own types may be those of another version, which Pulumi's SDK brings along. */
interface Resources {
  resourceFromAttributes(attributes: Api.Attributes): Resource;
  detectResources(config: { readonly detectors: readonly unknown[] }): Resource;
  readonly envDetector: unknown;
}

/** The standard SDK of OpenTelemetry, which a project installs if it wants spans. */
interface Packages {
  readonly api: typeof Api;
  readonly sdk: typeof Sdk;
  readonly exporter: typeof Exporter;
  readonly resources: Resources;
}

/** How to get them: later lines of OpenTelemetry need a newer Node and do not go with Pulumi's own SDK. */
const INSTALL =
  "npm install @opentelemetry/api@1.9 @opentelemetry/sdk-trace-node@2 @opentelemetry/exporter-trace-otlp-http@0.223";

/** Loads them, in some 200 ms. Throws if one of them is not installed. */
function loadPackages(): Packages {
  const resolve = createRequire(__filename);
  const sdkFile = resolve.resolve("@opentelemetry/sdk-trace-node");
  // From the SDK's own installation: it cannot use a resource of another version.
  const baseFile = createRequire(sdkFile).resolve("@opentelemetry/sdk-trace-base");
  return {
    api: loaded<typeof Api>(resolve, "@opentelemetry/api"),
    sdk: loaded<typeof Sdk>(resolve, sdkFile),
    exporter: loaded<typeof Exporter>(resolve, "@opentelemetry/exporter-trace-otlp-http"),
    resources: loaded<Resources>(createRequire(baseFile), "@opentelemetry/resources"),
  };
}

// Not import(): a bundler would try to include the packages.
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- a require has no type; the package promises the named one
function loaded<Module>(from: NodeJS.Require, name: string): Module {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- as above
  return from(name) as Module;
}
