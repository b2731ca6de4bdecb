import type { SocketEnds } from "../server/request-handler";
import { createApp } from "./app";
import { SessionAuth } from "./session-auth";
import type { ConsoleServices } from "./handler";
import type { ConsoleParts } from "./parts";
import { KnownSecrets } from "./known-secrets";

/** The page of an emulator. */
export interface Console {
  /** Answers a request for the console; undefined for any other. */
  readonly handle: (request: Request, connection: SocketEnds) => Promise<Response> | undefined;
  /** A new address that opens the console once. */
  readonly address: () => string;
}

/** Opens the console over the parts of an emulator. */
export function openConsole(parts: ConsoleParts): Console {
  const { store, tenants, clock } = parts;
  const url = parts.services.publicUrl;
  const sessionAuth = new SessionAuth(tenants, clock, () => `agent-platform-console-${new URL(url()).port}`);
  const services: ConsoleServices = { ...parts, sessionAuth, secrets: new KnownSecrets(store, tenants) };
  const address = (): string => `${url()}/console?code=${sessionAuth.newCode()}`;
  const app = createApp(services, address);
  return {
    address,
    handle: (request, connection) =>
      isOurs(connection.incoming.url ?? "") ? Promise.resolve(app.fetch(request, connection)) : undefined,
  };
}

const isOurs = (path: string): boolean => /^\/console(?=[/?]|$)/.test(path);
