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
