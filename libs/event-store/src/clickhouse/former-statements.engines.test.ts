import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAtLeast } from '@assay/runtime';
import { queryOf } from '../../test/event-fixture.js';
import { DEFAULT_QUERY_LIMITS, type Insert, type Query } from '../sql/engine/engine.js';
import { TESTED_VERSIONS } from '../sql/engine/inspect-engine.js';
import { ClickHouseEngine } from './clickhouse-engine.js';
import { createClickHouseEventStore } from './create-clickhouse-event-store.js';

/** Statements of the store of a release, as `record-schema.cjs` has recorded them. */
interface FormerStatements {
  readonly inserts: readonly (Omit<Insert, 'parts'> & { readonly base64: string })[];
  readonly reads: readonly (Query & { readonly rows: readonly object[] })[];
}

const FOLDER = join(__dirname, '../../test');
const PROJECT_ID = 'project-of-a-former-release';
const url = process.env['CLICKHOUSE_URL'] ?? '';
/** Releases up to this schema ran on servers with text indexes only, and 25.8 refuses a type in one of their statements. */
const NEEDED_TEXT_INDEX = 8;
const { CLICKHOUSE_ENGINE: wanted = '' } = process.env;
const recorded = readdirSync(FOLDER).filter((name) => {
  const [, schema] = /^former-schema-(\d+)\.json$/.exec(name) ?? [];
  if (schema === undefined) return false;
  return Number(schema) > NEEDED_TEXT_INDEX || wanted === '' || isAtLeast(wanted, '26.2');
});

function inOrder(rows: readonly object[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}

describe('a server of this version', () => {
  it.each(recorded)('gets the tables, and stores and finds events by the statements of %s', async (name) => {
    const { inserts, reads } = JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as FormerStatements;
    const database = 'former';
    const store = createClickHouseEventStore({ url, database });
    const engine = new ClickHouseEngine({
      url,
      requestTimeoutMs: 30_000,
      maxConnections: 1,
      maxQueryConnections: 1,
      limits: DEFAULT_QUERY_LIMITS,
      replicated: false,
    });
    try {
      await engine.command(`DROP DATABASE IF EXISTS ${database}`);
      await store.administration.migrate();
      for (const { base64, ...insert } of inserts)
        await engine.insert({ ...insert, parts: [Buffer.from(base64, 'base64')] });
      expect(reads.length).toBeGreaterThan(5);
      for (const { sql, bindings, rows } of reads)
        expect([sql, inOrder(await engine.query<object>({ sql, bindings }))]).toEqual([sql, inOrder(rows)]);
      const { events, total } = await store.events.search(PROJECT_ID, queryOf());
      expect(total).toBe(3);
      await store.writer.writeMissingIds(0);
      for (const { event_id: id, session_id: session } of events) {
        const members = await store.sessions.read(PROJECT_ID, session, 100);
        expect(members?.events.map(({ event_id }) => event_id)).toContain(id);
      }
    } finally {
      await engine.command(`DROP DATABASE IF EXISTS ${database}`);
      await Promise.all([store.administration.close(), engine.close()]);
    }
  });

  it('has a version that may start, and is the one that was asked for', async () => {
    const store = createClickHouseEventStore({ url });
    try {
      const [version] = await store.administration.inspect();
      expect(version?.ok).toBe(true);
      expect(version?.detail.startsWith(wanted)).toBe(true);
    } finally {
      await store.administration.close();
    }
  });

  it('is tested in the oldest and the newest version that are stated', () => {
    const folder = join(__dirname, '../../../../test/harness/engines/clickhouse-front/versions');
    const versions = readdirSync(folder).map((name) => name.replace('.txt', ''));
    expect(versions).toEqual(expect.arrayContaining([TESTED_VERSIONS.oldest, TESTED_VERSIONS.newest]));
  });
});
