/** Sets a value, as the latest one, and drops the oldest beyond `most`: a client that chooses the keys must not make a map grow. */
export function setLatest<V>(map: Map<string, V>, key: string, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
