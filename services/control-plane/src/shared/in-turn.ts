/** Runs work on the same key one after the other. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/**
 * Returns a runner for this process. Optimistic writes of many requests to one document mostly lose against each other;
 * in turn they only lose against other processes. Keys without work take no memory.
 */
export function makeInTurn(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return async function inTurn(key, work) {
    const before = last.get(key) ?? Promise.resolve();
    // The caller of the earlier work handles its failure.
    const result = before.then(work, work);
    last.set(key, result);
    try {
      return await result;
    } finally {
      if (last.get(key) === result) last.delete(key);
    }
  };
}
