// Pulumi's SDK loads TypeScript and npm's Arborist when it starts, which is more than half of its start. Only what serializes a function uses them, and what
// compiles a program uses TypeScript: so each is loaded when it is first used. AGENT_PLATFORM_LOAD_AT_START=true leaves the SDK as it is.
import nodeModule from "node:module";

type Load = (name: string, parent: { readonly filename?: string } | undefined, isMain?: boolean) => unknown;

const LATER = ["typescript", "@npmcli/arborist"];

if (process.env["AGENT_PLATFORM_LOAD_AT_START"] !== "true") {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- Node has no types for what `require` calls
  const modules = nodeModule as unknown as Record<"_load" | "_resolveFilename", Load>;
  const load = modules._load.bind(modules);
  modules._load = (name, parent, isMain) => {
    const now = () => load(name, parent, isMain);
    if (!LATER.includes(name) || !/[\\/]@pulumi[\\/]pulumi[\\/]/.test(parent?.filename ?? "")) return now();
    // Where it is missing, the SDK takes another.
    modules._resolveFilename(name, parent);
    let library: unknown;
    const valueOf = (key: PropertyKey): unknown => Reflect.get(Object((library ??= now())), key);
    // What is compiled asks for `__esModule` at once.
    return new Proxy({}, { get: (_, key) => key === "__esModule" || valueOf(key) });
  };
}
