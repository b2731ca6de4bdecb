import { serveStatic } from "@hono/node-server/serve-static";
import { Hono, type MiddlewareHandler } from "hono";
import { ApiError } from "../base/api-error";
import { authenticate } from "../server/authentication";
import type { SocketEnds } from "../server/request-handler";
import { CHANGES } from "./changes";
import { Refusal, type ConsoleContext, type ConsoleServices, type Env } from "./handler";
import { KnownSecrets } from "./known-secrets";
import { PLACES, Refused, SignIn } from "./pages/page";
import type { ConsoleParts } from "./parts";
import { isOfAnotherPage, isOwnHost, isSameOrigin, SessionAuth } from "./session-auth";
import { htmlOf, show } from "./show";

/** No script and no style but our own files, nothing from anywhere else, and no frame around a page. */
const GUARDS: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  // Not no-referrer: forms would then come from the origin "null".
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

const NOT_THIS_NAME = new Refusal(403, "Not under this name", "The console answers as 127.0.0.1 and localhost only.");
const NOT_THIS_PAGE = new Refusal(403, "Not from there", "Only a page of this console may ask for this.");

/** Opens the page of an emulator, over its parts. */
export function openConsole(parts: ConsoleParts) {
  const { store, tenants, clock, publicUrl } = parts;
  const auth = new SessionAuth(tenants, clock, () => `agent-platform-console-${new URL(publicUrl()).port}`);
  /** A new address that opens the console once. */
  const address = (): string => `${publicUrl()}/console?code=${auth.newCode()}`;
  const app = createApp({ ...parts, secrets: new KnownSecrets(store, tenants) }, auth, address);
  return {
    address,
    /** Answers a request for the console; undefined for any other. */
    handle: (request: Request, connection: SocketEnds): Promise<Response> | undefined =>
      isOurs(connection.incoming.url ?? "") ? Promise.resolve(app.fetch(request, connection)) : undefined,
  };
}

const isOurs = (path: string): boolean => /^\/console(?=[/?]|$)/.test(path);

function createApp(services: ConsoleServices, auth: SessionAuth, address: () => string): Hono<Env> {
  const app = new Hono<Env>();
  app.use(guarded);
  const rewriteRequestPath = (path: string): string => path.slice("/console".length);
  app.get("/console/assets/*", serveStatic({ root: __dirname, rewriteRequestPath }));
  app.post("/console/code", ({ req }) => {
    authenticate(req.raw.headers, services.tenants);
    return Response.json({ url: address() });
  });
  app.use(signedIn(auth, services.publicUrl));
  for (const [path, change] of Object.entries(CHANGES)) {
    app.post(`/console${path}`, (asked) => {
      if (isSameOrigin(asked.env.incoming.headers)) return change(services, asked);
      throw new Refusal(403, "Not from there", "Only a page of this console may change anything.");
    });
  }
  // Where the answer of an agent was shown.
  app.get("/console/deployments/:id/ask", ({ req, redirect }) => redirect(req.path.replace(/\/ask$/, ""), 303));
  app.get("/console/*", async (asked) => {
    return (await show(services, asked.req.path.slice("/console".length), asked)) ?? notFound();
  });
  app.onError((error) => refusal(error));
  app.notFound(() => notFound());
  return app;
}

const guarded: MiddlewareHandler<Env> = async (asked, next) => {
  const { headers } = asked.env.incoming;
  if (!isOwnHost(headers)) asked.res = refusal(NOT_THIS_NAME);
  else {
    const answer = isOfAnotherPage(headers) ? answerToAnotherPage(asked) : undefined;
    if (answer === undefined) await next();
    else asked.res = answer;
  }
  for (const [name, value] of Object.entries(GUARDS)) asked.res.headers.set(name, value);
};

/** Such a page may open the console in a window, where a person sees it, but choose nothing that is looked for there, and read or set off nothing. */
function answerToAnotherPage({ req, env }: ConsoleContext): Response | undefined {
  const { pathname, search, searchParams } = new URL(req.url);
  const isWindow = env.incoming.headers["sec-fetch-dest"] === "document";
  if (!isWindow) return refusal(NOT_THIS_PAGE);
  // A code signs in, and looks for nothing.
  if (search === "" || (pathname === "/console" && searchParams.has("code"))) return undefined;
  return new Response(null, { status: 303, headers: { location: pathname } });
}

/** Lets those pass who have the cookie; a code in the address becomes one. */
function signedIn(auth: SessionAuth, publicUrl: () => string): MiddlewareHandler<Env> {
  return async ({ req, env }, next) => {
    const code = req.method === "GET" && req.path === "/console" ? req.query("code") : undefined;
    if (code === undefined && auth.isSignedIn(env.incoming.headers)) {
      await next();
      return undefined;
    }
    const cookie = code === undefined ? undefined : auth.signIn(code);
    if (cookie !== undefined)
      return new Response(null, { status: 303, headers: { location: "/console", "set-cookie": cookie } });
    // A code that was used, in a browser that needs none.
    if (auth.isSignedIn(env.incoming.headers))
      return new Response(null, { status: 303, headers: { location: "/console" } });
    return htmlOf(<SignIn address={publicUrl()} isCodeWrong={code !== undefined} />, 401);
  };
}

const NO_PAGE = `Pages are ${PLACES.map(({ href }) => href).join(", ")}, and that of each object and request, to which these lead.`;
const notFound = (): Response => refusal(new Refusal(404, "There is no such page", NO_PAGE));

function refusal(error: Error): Response {
  if (error instanceof ApiError) return error.toResponse();
  if (error instanceof Refusal) {
    const { title, reason, form, status } = error;
    return htmlOf(<Refused title={title} reason={reason} children={form} />, status);
  }
  // A mistake of the console itself: its author needs the trace.
  console.error(error);
  return htmlOf(<Refused title="The console failed" reason="The emulator's terminal says why." />, 500);
}
