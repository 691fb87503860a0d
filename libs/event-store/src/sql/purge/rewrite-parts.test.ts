import { FORGOTTEN_TABLES } from './forgotten-tables.js';
import { PURGED_TABLES } from './purged-tables.js';
import { rewrite, rewriteOf } from './rewrite-parts.js';
import { SLICE_BOUNDS } from './slices.js';

const TOPOLOGY = { database: 'assay' };
const SLICES = [' AND start_hour < 7', ' AND start_hour >= 7'].map((within) => ({ within, deletions: 1 }));
const PART = {
  ...{ name: '2026_1_1_0', partition: '2026', rows: 2, bytes: 100 },
  slices: SLICES.map((slice) => ({ slice, rows: 1 })),
};

/** The sub-queries of a statement, those within others too. */
function subQueries(sql: string): string[] {
  return [...sql.matchAll(/\(SELECT /g)].map(({ index }) => {
    let depth = 0;
    for (let at = index; at < sql.length; at++) {
      if (sql[at] === '(') depth++;
      else if (sql[at] === ')' && --depth === 0) return sql.slice(index, at + 1);
    }
    throw new Error('a bracket is missing');
  });
}

/** A mutation with two equal sub-queries, one of them within a third, can wait for itself. */
describe('statements that rewrite parts', () => {
  it.each(PURGED_TABLES.map((table) => [table.table, table] as const))(
    'have no sub-query twice where they remove values of %s',
    (_name, table) => {
      const part = { ...PART, table, deletedBytes: 50, oldest: 0 };
      const found = subQueries(rewriteOf([part], TOPOLOGY, SLICE_BOUNDS).sql);
      expect(found.length).toBeGreaterThan(1);
      expect(new Set(found).size).toBe(found.length);
    },
  );

  it.each(FORGOTTEN_TABLES.map((table) => [table.table, table] as const))(
    'have no sub-query twice where they remove tombstones of %s',
    (name, table) => {
      const sources = {
        ...{ events: 'e', payloads: 'p', ids: 'i', evaluations: 'v', changes: 'c', allEvents: 'e' },
      };
      const where = table.isForgotten(sources, { before: 1, within: SLICES[0]!.within });
      const found = subQueries(rewrite([PART], { name, slices: SLICES, where }, TOPOLOGY).sql);
      expect(found.length).toBeGreaterThan(1);
      expect(new Set(found).size).toBe(found.length);
    },
  );
});
