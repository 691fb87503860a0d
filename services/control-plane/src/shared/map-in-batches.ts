import { chunks } from './chunks.js';

/** Concurrent calls: enough to share a sync to disk or to use the connections of the pool. */
const BATCH_SIZE = 100;

/** Maps every item, 100 concurrently, and returns the results in order. Stops at the first failure. */
export async function mapInBatches<T, R>(
  items: readonly T[],
  map: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (const batch of chunks(items, BATCH_SIZE)) {
    const start = results.length;
    results.push(...(await Promise.all(batch.map((item, index) => map(item, start + index)))));
  }
  return results;
}
