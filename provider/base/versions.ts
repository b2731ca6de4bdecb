/** Numbers of the first version in a text ("v3.246.0", "go version go1.26.8 linux/amd64"), or undefined. */
export function parseVersion(text: string): string | undefined {
  return /(?<!\d)\d+\.\d+(?:\.\d+)?/.exec(text)?.[0];
}

/** Whether a version (numbers and dots) is the same as or newer than another. */
export function isAtLeast(version: string, oldest: string): boolean {
  const [left, right] = [version, oldest].map((text) => text.split(".").map(Number));
  for (let index = 0; index < 3; index++) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
