import { randomUUID } from 'node:crypto';
import type { Query, QueryRunner } from '../../engine/engine.js';
import { tableNames } from '../../schema/topology.js';
import { MAX_GROUPS, type SessionGroupRow } from './session-groups-query.js';
import { readSessionSummaries } from './summarise-sessions.js';

const group = (session: string, index: number): SessionGroupRow => ({
  session,
  hidden: 0,
  type: 'tool',
  name: `step ${index}`,
  day: '2026-01-01',
  run: '',
  num_rows: 1,
  versions: '2',
  num_errors: 0,
  num_with_metrics: 0,
  num_incomplete: 0,
  amounts: [0, 0, 0, 0],
  unpriced_models: [],
  first_start: 0,
  last_end: 1,
  newest: [1, 'test', 0, 1, 'sent'],
});

/** Returns the groups of the sessions that a statement names, up to its last limit. */
function engineWith(groupsOf: (session: string) => number, fields: Partial<SessionGroupRow> = {}) {
  const statements: number[] = [];
  const query = ({ sql, bindings }: Query): Promise<SessionGroupRow[]> => {
    const ids = Object.values(bindings).find((value) => Array.isArray(value)) as readonly string[];
    statements.push(ids.length);
    if (sql.includes('AS totals')) return Promise.resolve([]);
    const rows = ids.flatMap((id) =>
      Array.from({ length: groupsOf(id) }, (_, index) => ({ ...group(id, index), ...fields })),
    );
    return Promise.resolve(rows.slice(0, Number(/LIMIT (\d+)$/.exec(sql)?.[1])));
  };
  return { runner: { query } as QueryRunner, statements };
}

describe('reading the summaries of many sessions', () => {
  const keys = Array.from({ length: 2_600 }, () => ({ projectId: 'p', eventId: randomUUID() }));

  it.each([
    { title: 'one statement for 2,500 with few groups', groups: 2, expected: [2_500, 100] },
    {
      title: 'smaller statements where one cannot return all groups',
      groups: MAX_GROUPS,
      expected: [2_500, ...Array.from({ length: 10 }, () => 250), 100],
    },
  ])('takes $title', async ({ groups, expected }) => {
    const { runner, statements } = engineWith(() => groups);
    const summaries = await readSessionSummaries(runner, tableNames({ database: 'assay' }), keys);
    expect(statements).toEqual(expected);
    expect(summaries.size).toBe(keys.length);
    expect(new Set([...summaries.values()].map(({ numEvents }) => numEvents))).toEqual(new Set([groups]));
  });

  it.each([
    {
      title: 'one statement for the metrics of sessions with few rows',
      num_rows: 20,
      expected: [2_500, 2_500, 100, 100],
    },
    {
      title: 'smaller statements for those of sessions with more rows',
      num_rows: 21,
      expected: [2_500, ...Array.from({ length: 10 }, () => 250), 100, 100],
    },
  ])('takes $title', async ({ num_rows, expected }) => {
    const { runner, statements } = engineWith(() => 1, { num_with_metrics: 1, num_rows });
    await readSessionSummaries(runner, tableNames({ database: 'assay' }), keys);
    expect(statements).toEqual(expected);
  });
});
