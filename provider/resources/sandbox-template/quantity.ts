/** Powers of a quantity's suffix: decimal (m, k, M ...) and binary (Ki, Mi ...), as in Kubernetes. */
const SCALES: Readonly<Record<string, { base: bigint; power: bigint }>> = {
  m: { base: 10n, power: -3n },
  "": { base: 10n, power: 0n },
  k: { base: 10n, power: 3n },
  M: { base: 10n, power: 6n },
  G: { base: 10n, power: 9n },
  T: { base: 10n, power: 12n },
  P: { base: 10n, power: 15n },
  E: { base: 10n, power: 18n },
  Ki: { base: 2n, power: 10n },
  Mi: { base: 2n, power: 20n },
  Gi: { base: 2n, power: 30n },
  Ti: { base: 2n, power: 40n },
  Pi: { base: 2n, power: 50n },
  Ei: { base: 2n, power: 60n },
};

const QUANTITY = /^(\d{1,18})(?:\.(\d{1,9}))?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$/;

/** The value of a quantity ("500m", "0.5", "1Gi") in billionths of a thousandth, exactly; undefined unless the text is a quantity. */
export function quantityValue(text: string): bigint | undefined {
  const match = QUANTITY.exec(text);
  if (!match) return undefined;
  const [, whole = "", fraction = "", suffix = ""] = match;
  const scale = SCALES[suffix];
  if (!scale) return undefined;
  const billionths = BigInt(whole + fraction.padEnd(9, "0"));
  // In thousandths, so that the milli suffix stays whole.
  return scale.power < 0n ? billionths : billionths * 1000n * scale.base ** scale.power;
}

/** True if two quantities mean the same ("1" and "1000m"), however they are spelled. */
export function sameQuantity(a: unknown, b: unknown): boolean {
  if (a === b || typeof a !== "string" || typeof b !== "string") return a === b;
  const value = quantityValue(a);
  return value !== undefined && value === quantityValue(b);
}
