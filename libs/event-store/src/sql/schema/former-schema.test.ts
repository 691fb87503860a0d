import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chdbUnderTest } from '../../../test/chdb-under-test.js';
import { queryOf } from '../../../test/event-fixture.js';
import type { Insert, Query } from '../engine/engine.js';
import { migrations } from './migrations.js';

/** The tables of a release and statements of its store, as `record-schema.cjs` has recorded them. */
interface FormerSchema {
  /** The last migration of the tables. */
  readonly version: number;
  readonly definitions: readonly string[];
  readonly inserts: readonly (Omit<Insert, 'parts'> & { readonly base64: string })[];
  readonly reads: readonly (Query & { readonly rows: readonly object[] })[];
}

const FOLDER = join(__dirname, '../../../test');
const DATABASE = 'former';
const PROJECT_ID = 'project-of-a-former-release';

const former = readdirSync(FOLDER)
  .filter((name) => /^former-schema-\d+\.json$/.test(name))
  .map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as FormerSchema);

/** The store itself orders the rows of most reads. */
function inOrder(rows: readonly object[]): object[] {
  const key = (row: object) => JSON.stringify(row);
  return [...rows].sort((one, other) => (key(one) < key(other) ? -1 : 1));
}

it('the tables before the last migration are recorded', () => {
  const versions = migrations({ database: DATABASE }).map(({ version }) => version);
  expect(former.map(({ version }) => version)).toContain(versions.at(-2));
});

describe.each(former)('the tables of migration $version', ({ version, definitions, inserts, reads }) => {
  const engineUnderTest = chdbUnderTest();

  it('are migrated while a process of their release writes and reads, and both find every event', async () => {
    const engine = engineUnderTest.engine();
    const store = engineUnderTest.open(DATABASE);
    try {
      for (const definition of definitions) await engine.command(definition);
      const send = ({ base64, ...insert }: FormerSchema['inserts'][number]) =>
        engine.insert({ ...insert, parts: [Buffer.from(base64, 'base64')] });
      const [before, ...after] = inserts;
      await send(before!);
      expect((await store.administration.missingMigrations())[0]).toBeGreaterThan(version);
      await store.administration.migrate();
      for (const insert of after) await send(insert);
      expect(reads.length).toBeGreaterThan(5);
      for (const { sql, bindings, rows } of reads)
        expect([sql, inOrder(await engine.query<object>({ sql, bindings }))]).toEqual([sql, inOrder(rows)]);
      const { events, total } = await store.events.search(PROJECT_ID, queryOf());
      expect([total, events.map(({ event_name: name }) => name).sort()]).toEqual([
        3,
        ['answer 0', 'answer 2', 'answer 3'],
      ]);
      expect(events.find(({ event_name: name }) => name === 'answer 0')?.metrics).toEqual({ score: 9 });
      expect(await store.administration.rowsWithoutPayload(10)).toEqual([]);
      await store.writer.writeMissingIds(0);
      for (const { event_id: id, session_id: session } of events) {
        expect(await store.events.find(PROJECT_ID, id)).toMatchObject({ event_id: id });
        const members = await store.sessions.read(PROJECT_ID, session, 100);
        expect(members?.events.map(({ event_id }) => event_id)).toContain(id);
      }
    } finally {
      await store.administration.close();
      await engine.close();
    }
  });
});
