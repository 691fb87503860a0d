import type { ClientRunner, Query, QueryRunner, SqlEngine } from './engine/engine.js';

/** A row with a number of matches. */
export interface Counted {
  readonly total: number;
}

/** A page beyond the last match has no row that could say how many there are. */
export async function count(runner: QueryRunner, total: Query): Promise<number> {
  const [row] = await runner.query<Counted>(total);
  return row?.total ?? 0;
}

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
