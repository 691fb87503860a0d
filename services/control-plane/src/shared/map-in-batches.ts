/** Calls under way at once: enough that they share a sync to disk or the connections of the pool. */
const BATCH = 100;

/** Does the work for every item, a hundred at a time, and returns the results in order. The first failure ends it. */
export async function mapInBatches<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += BATCH) {
    const batch = items.slice(start, start + BATCH);
    results.push(...(await Promise.all(batch.map((item, index) => work(item, start + index)))));
  }
  return results;
}
