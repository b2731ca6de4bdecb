import type { Exchange, Layer } from "../base/exchange";

/** Runs one request through the layers, outermost first on the way in and last on the way out. */
export async function through(
  layers: readonly Layer[],
  exchange: Exchange,
  route: () => Promise<Response>,
  commit: () => Promise<void>,
): Promise<Response> {
  const passed: Layer[] = [];
  let response: Response | undefined;
  for (const layer of layers) {
    response = await layer.beforeRoute?.(exchange);
    if (response !== undefined) break;
    passed.unshift(layer);
  }
  if (response === undefined) {
    response = await route();
    // Also after a read: it may have seen the change of a concurrent request that is not written yet.
    await commit();
    exchange.entry.phase = "committed";
  }
  for (const layer of passed) {
    response = (await layer.afterCommit?.(exchange, response)) ?? response;
  }
  return response;
}
