import type { ClientRunner, Lane, Query, QueryRunner, SqlEngine } from './engine/engine.js';
import type { RunnableQuery } from './query-run.js';

/**
 * Returns a query of a client on an engine. When it fails, its other statements are cancelled and awaited first, so that none runs on
 * after the query.
 */
export function runForClient<Result>(
  engine: SqlEngine,
  query: (runner: ClientRunner) => Promise<Result>,
): RunnableQuery<Result> {
  return async (signal) => {
    const failed = new AbortController();
    const lanes = newLanes();
    try {
      return await query(clientRunner(engine, AbortSignal.any([signal, failed.signal]), lanes));
    } catch (error) {
      failed.abort(error);
      await Promise.all([lanes.main.last, lanes.side.last]);
      throw error;
    }
  };
}

/**
 * Runs the statements of one query: one after the other, except for reads that run concurrently, so that a query occupies
 * at most one connection of each lane.
 */
export function clientRunner(
  engine: SqlEngine,
  signal: AbortSignal,
  { main: onMain, side: onSide } = newLanes(),
): ClientRunner {
  const query =
    (queue: LaneQueue, lane: Lane, cancelled: AbortSignal): QueryRunner['query'] =>
    <Row>(statement: Query) =>
      queue.run(() => engine.queryForClient<Row>(statement, cancelled, lane));
  return {
    query: query(onMain, 'main', signal),
    side: { query: query(onSide, 'side', signal) },
    bytes: (statement) => onMain.run(() => engine.bytesForClient(statement, signal)),
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

function newLanes(): Readonly<Record<Lane, LaneQueue>> {
  return { main: new LaneQueue(), side: new LaneQueue() };
}

/** Runs the statements of a lane one after the other. */
class LaneQueue {
  /** Resolves when the last statement has ended. */
  last: Promise<unknown> = Promise.resolve();

  run<Result>(statement: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(statement);
    this.last = result.catch(() => undefined);
    return result;
  }
}
