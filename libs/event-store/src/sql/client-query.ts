import type { ClientRunner, Lane, Query, QueryRunner, SqlEngine } from './engine/engine.js';

/**
 * Runs the statements of one query: one after the other, except for reads that run concurrently, so that a query occupies
 * at most one connection of each lane.
 */
export function clientRunner(engine: SqlEngine, signal: AbortSignal): ClientRunner {
  const [onMain, onSide] = [oneByOne(), oneByOne()];
  const query =
    (afterLast: OneByOne, lane: Lane, cancelled: AbortSignal): QueryRunner['query'] =>
    <Row>(statement: Query) =>
      afterLast(() => engine.queryForClient<Row>(statement, cancelled, lane));
  return {
    query: query(onMain, 'main', signal),
    side: { query: query(onSide, 'side', signal) },
    bytes: (statement) => onMain(() => engine.bytesForClient(statement, signal)),
    concurrently: async (main, side) => {
      const failed = new AbortController();
      const cancelled = AbortSignal.any([signal, failed.signal]);
      const run = async <Result>(read: (runner: QueryRunner) => Promise<Result>, runner: QueryRunner) => {
        try {
          return await read(runner);
        } catch (error) {
          failed.abort(error);
          throw error;
        }
      };
      const reads = [
        run(main, { query: query(onMain, 'main', cancelled) }),
        run(side, { query: query(onSide, 'side', cancelled) }),
      ] as const;
      await Promise.allSettled(reads);
      // The first failure, not that of the read which was cancelled because of it.
      if (failed.signal.aborted) throw failed.signal.reason;
      return Promise.all(reads);
    },
  };
}

type OneByOne = <Result>(run: () => Promise<Result>) => Promise<Result>;

function oneByOne(): OneByOne {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const result = last.then(run);
    last = result.catch(() => undefined);
    return result;
  };
}
