import { z } from "zod";
import type { Channels, GraphState } from "./graph";

const object = z.record(z.string(), z.unknown());

const items = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** The part of an update (or an input) that the channels take; the rest is ignored, as a real graph does. */
export function knownChannels(channels: Channels, update: unknown): GraphState {
  const parsed = object.safeParse(update);
  if (!parsed.success) return {};
  return Object.fromEntries(Object.entries(parsed.data).filter(([name]) => Object.hasOwn(channels, name)));
}

/** The state after an update, in the order of the channels. Lists are there from the start. */
export function applyUpdate(channels: Channels, state: GraphState, update: GraphState): GraphState {
  const entries = Object.entries(channels).flatMap(([name, kind]): [string, unknown][] => {
    if (kind === "append") return [[name, [...items(state[name] ?? []), ...items(update[name] ?? [])]]];
    const value = name in update ? update[name] : state[name];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

/** A template with its placeholders filled in (graph.ts, Action). */
export function fillTemplate(template: unknown, scope: GraphState): unknown {
  if (typeof template === "string") {
    const whole = /^\{(\w+)\}$/.exec(template)?.[1];
    return whole === undefined ? fillText(template, scope) : (scope[whole] ?? null);
  }
  if (Array.isArray(template)) return template.map((item) => fillTemplate(item, scope));
  const parsed = object.safeParse(template);
  if (!parsed.success) return template;
  return Object.fromEntries(Object.entries(parsed.data).map(([name, value]) => [name, fillTemplate(value, scope)]));
}

export function fillText(template: string, scope: GraphState): string {
  return template.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = scope[name] ?? null;
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}
