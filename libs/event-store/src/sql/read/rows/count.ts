import type { Query, QueryRunner } from '../../engine/engine.js';

/** A row with a number of matches. */
export interface Counted {
  readonly total: number;
}

/** A page beyond the last match has no row that could say how many there are. */
export async function count(runner: QueryRunner, total: Query): Promise<number> {
  const [row] = await runner.query<Counted>(total);
  return row?.total ?? 0;
}
