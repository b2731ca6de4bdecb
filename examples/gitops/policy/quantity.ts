const SCALES: Readonly<Record<string, number>> = {
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** The numeric value of a quantity, however it is spelled ("1000m" is "1"); undefined if the value is not a quantity. */
export function amount(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  const [, digits, suffix = ""] = /^(\d+(?:\.\d+)?)([A-Za-z]*)$/.exec(typeof value === "string" ? value : "") ?? [];
  const scale = suffix === "" ? 1 : SCALES[suffix];
  return digits === undefined || scale === undefined ? undefined : Number(digits) * scale;
}
