// Quantities as in Kubernetes: a number, and a decimal (m, k, M ...) or binary (Ki, Mi ...) suffix.
const QUANTITY = /^(\d{1,18})(?:\.(\d{1,9}))?(?:(m)|([kMGTPE])|([KMGTPE])i)?$/;
const LARGER = "KMGTPE";

/** The value of a quantity ("500m", "0.5", "1Gi") in units of 10^-12, exactly; undefined unless the text is a quantity. */
export function quantityValue(text: string): bigint | undefined {
  const match = QUANTITY.exec(text);
  if (!match) return undefined;
  const [, whole = "", fraction = "", milli, decimal = "", binary = ""] = match;
  const billionths = BigInt(whole + fraction.padEnd(9, "0"));
  // In thousandths, so that the milli suffix stays whole.
  if (milli !== undefined) return billionths;
  const scale = (base: bigint, suffix: string): bigint =>
    suffix === "" ? 1n : base ** BigInt(LARGER.indexOf(suffix.toUpperCase()) + 1);
  return billionths * 1000n * scale(1000n, decimal) * scale(1024n, binary);
}

/** True if two quantities mean the same ("1" and "1000m"), however they are spelled. */
export function sameQuantity(a: unknown, b: unknown): boolean {
  if (a === b || typeof a !== "string" || typeof b !== "string") return a === b;
  const value = quantityValue(a);
  return value !== undefined && value === quantityValue(b);
}
