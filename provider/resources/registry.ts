import * as definitions from ".";
import type { Resource } from "../lifecycle/resource";
import type { Session } from "../lifecycle/session";
import type { Defined } from "../lifecycle/defined";
import { askWorkspace } from "./deployment/list";
import type { Kind } from "./kinds";

/** The definitions by kind. A kind that is missing here has no line in index.ts. */
export const RESOURCES: Readonly<Record<Kind, Defined>> = definitions;

/** The resource of a kind, for one process. */
export const openResource = (kind: Kind, session: Session): Resource => RESOURCES[kind].open(session, askWorkspace);
