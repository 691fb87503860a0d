import type { Query, QueryRunner, SqlEngine } from './engine.js';

/** Runs the statements of one query one after the other, so that a query occupies one connection. */
export function oneByOne(engine: SqlEngine, signal: AbortSignal): QueryRunner {
  let last: Promise<unknown> = Promise.resolve();
  return {
    query: <Row>(statement: Query) => {
      const result = last.then(() => engine.queryForClient<Row>(statement, signal));
      last = result.catch(() => undefined);
      return result;
    },
  };
}
