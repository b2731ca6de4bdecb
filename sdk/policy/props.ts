import { SECRET_SIGNATURE, SIGNATURE } from "../../provider/base/engine-format";

/** Stands for a value that is unknown before `up`: it counts neither as absent nor as wrong. */
export const UNKNOWN_PROP = Symbol("unknown");

export type Props = Readonly<Record<string, unknown>>;

export function isProps(value: unknown): value is Props {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Inputs as plain data: secrets unwrapped, {@link UNKNOWN_PROP} for unknown values, and without nulls, which count as omitted. */
export function plain(props: Props): Props {
  const all = Object.keys(props).map((key) => [key, plainValue(at(props, key))] as const);
  return Object.fromEntries(all.filter(([, value]) => value !== null));
}

function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return Array.from({ length: value.length }, (_, index) => plainValue(at(value, index)));
  if (!isProps(value)) return value;
  return at(value, SIGNATURE) === SECRET_SIGNATURE ? plainValue(at(value, "value")) : plain(value);
}

// @pulumi/policy passes inputs that throw when an unknown value is read. Uncaught, that ends the whole rule, and violations in
// the resource's other properties would show only at `up`.
function at(container: object, key: string | number): unknown {
  try {
    const value: unknown = Reflect.get(container, key);
    return value;
  } catch {
    return UNKNOWN_PROP;
  }
}

/** The value at a path of property names; {@link UNKNOWN_PROP} if anything along the path is unknown. */
export function read(props: Props, path: string): unknown {
  return path.split(".").reduce<unknown>((value, key) => (isProps(value) ? value[key] : asUnknown(value)), props);
}

function asUnknown(value: unknown): unknown {
  return value === UNKNOWN_PROP ? UNKNOWN_PROP : undefined;
}

/** The elements of a list; none of anything else. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
