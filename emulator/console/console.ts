import type { Layer } from "../base/exchange";
import type { SocketEnds } from "../server/request-handler";
import { createApp } from "./app";
import { SessionAuth } from "./session-auth";
import type { ConsoleServices } from "./handler";
import type { ConsoleParts } from "./parts";
import { KnownSecrets } from "./known-secrets";
import { OpenPages } from "./live";

/** The page of an emulator. */
export interface Console {
  /** Tells the open pages of each request of the API. */
  readonly layer: Layer;
  /** Answers a request for the console; undefined for any other. */
  readonly handle: (request: Request, connection: SocketEnds) => Promise<Response> | undefined;
  /** A new address that opens the console once. */
  readonly address: () => string;
  /** Shows that everything was forgotten. */
  reset(): void;
  /** Ends the streams of its pages. */
  close(): void;
}

/** Opens the console over the parts of an emulator. */
export function openConsole(parts: ConsoleParts): Console {
  const { store, tenants, clock } = parts;
  const live: OpenPages = new OpenPages(parts, (changed) => store.onChange(changed));
  const told = <T>(answer: T): Promise<T> => {
    live.changed();
    return Promise.resolve(answer);
  };
  const url = parts.services.publicUrl;
  const sessionAuth = new SessionAuth(tenants, clock, () => `agent-platform-console-${new URL(url()).port}`);
  const services: ConsoleServices = {
    ...parts,
    live,
    sessionAuth,
    secrets: new KnownSecrets(store, tenants),
  };
  const address = (): string => `${url()}/console?code=${sessionAuth.newCode()}`;
  const app = createApp(services, address);
  return {
    layer: { beforeRoute: () => told(undefined), afterCommit: (_exchange, response) => told(response) },
    address,
    handle: (request, connection) =>
      isOurs(connection.incoming.url ?? "") ? Promise.resolve(app.fetch(request, connection)) : undefined,
    reset: () => live.changed(),
    close: () => live.close(),
  };
}

const isOurs = (path: string): boolean => /^\/console(?=[/?]|$)/.test(path);
