import type { ConcurrentRunner, QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { count, type Counted } from '../rows/count.js';
import { fetchPage, type SizedKey } from './fetch-page.js';
import { isFull, readRowsPage, type FoundPage, type RowsPage } from './read-rows-page.js';
import { searchQueries, type Search } from './search-queries.js';

/**
 * Reads a page of a search. It is not full when some of its rows were moved or deleted meanwhile.
 * @throws AppError `VALIDATION_ERROR` when the payloads together are larger than `maxBytes`
 */
export async function readPage(
  runner: ConcurrentRunner,
  tables: TableNames,
  request: RowsPage,
): Promise<{ page: FoundPage; isFull: boolean }> {
  const read = await readRowsPage(runner, tables, request);
  if (read !== undefined) return read;
  const { search, maxBytes, withDerived, mayHold } = request;
  const { keys, total } = await readKeys(runner, tables, search);
  const asked = { projectId: search.projectId, keys, maxBytes, withDerived, mayHold };
  const page = await fetchPage(runner, tables, asked);
  return { page: { ...page, total }, isFull: isFull(page, keys.length) };
}

/** Reads the keys of a page, and the number of matches over all pages, in one scan. */
export async function readKeys(
  runner: QueryRunner,
  tables: TableNames,
  search: Search,
): Promise<{ keys: readonly SizedKey[]; total: number }> {
  const queries = searchQueries(tables, search);
  const keys = await runner.query<SizedKey & Counted>(queries.page);
  const isFirst = search.query.offset === 0;
  return { keys, total: keys[0]?.total ?? (isFirst ? 0 : await count(runner, queries.total)) };
}
