import type { Query, QueryRunner, SqlEngine } from './engine/engine.js';

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
