import * as definitions from ".";
import type { Resource } from "../lifecycle/defined";
import type { Session } from "../lifecycle/session";
import type { Defined } from "../lifecycle/defined";
import { askWorkspace } from "./deployment/api";
import type { ResourceType } from "./resource-types";

/** The definitions by kind. A kind that is missing here has no line in index.ts. */
export const RESOURCES: Readonly<Record<ResourceType, Defined>> = definitions;

export const openResource = (kind: ResourceType, session: Session): Resource =>
  RESOURCES[kind].open(session, askWorkspace);
