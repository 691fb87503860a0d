import type { ClientRunner, Query, SqlEngine } from './engine/engine.js';

/** Runs the statements of one query one after the other, so that a query occupies one connection. */
export function oneByOne(engine: SqlEngine, signal: AbortSignal): ClientRunner {
  let last: Promise<unknown> = Promise.resolve();
  const afterLast = <Result>(run: () => Promise<Result>): Promise<Result> => {
    const result = last.then(run);
    last = result.catch(() => undefined);
    return result;
  };
  return {
    query: <Row>(statement: Query) => afterLast(() => engine.queryForClient<Row>(statement, signal)),
    bytes: (statement) => afterLast(() => engine.bytesForClient(statement, signal)),
  };
}
