/** Runs tasks one after the other, in the order of the calls. The routes bound how many wait. */
export type RunInOrder = <T>(task: () => Promise<T>) => Promise<T>;

export function makeRunInOrder(): RunInOrder {
  let previous: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = previous.then(task);
    previous = result.catch(() => undefined);
    return result;
  };
}

/** Returns a function that runs the tasks of each key one after the other. */
export function makeRunInOrderOf(): <T>(key: string, task: () => Promise<T>) => Promise<T> {
  const lasts = new Map<string, Promise<unknown>>();
  return (key, task) => {
    const result = (lasts.get(key) ?? Promise.resolve()).then(task);
    const last = result
      .catch(() => undefined)
      .then(() => {
        if (lasts.get(key) === last) lasts.delete(key);
      });
    lasts.set(key, last);
    return result;
  };
}
