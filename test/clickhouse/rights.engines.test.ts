import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClickHouseEventStore, type EventStore, type StoreUse } from '@assay/event-store';
import {
  batchOf,
  newProject,
  queryOf,
  sampleEvent,
  writeEvents,
} from '@assay/event-store/test/event-fixture';
import { CLICKHOUSE, explainRefusal, refuseFaults } from '@assay/runtime';
import { repository } from '../harness/stack/repository.js';
import { startServer } from './server-config.js';

/** Documented statements that give rights on tables of the store, by user. */
function documentedGrants(user: string): string[] {
  const document = readFileSync(join(repository, 'docs/kubernetes.md'), 'utf8');
  const found = [...document.matchAll(/^GRANT .* ON assay\.\* TO (\w+);$/gm)];
  return found.flatMap(([statement, to]) => (to === user ? [statement] : []));
}

/** Rights of statements such as `GRANT SELECT, INSERT ON assay.* TO assay;`. */
function rightsOf(grants: readonly string[]): string[] {
  return grants.flatMap((grant) => (/^GRANT (.*) ON /.exec(grant)?.[1] ?? '').split(', '));
}

interface Given {
  readonly grants?: readonly string[];
  readonly profile?: string;
  readonly use: StoreUse;
}

describe('a user of ClickHouse with exactly the documented rights', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-rights-'));
  const project_id = newProject();
  const event = sampleEvent({ project_id });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  /** Runs a function as a user of a server, whose data stay. */
  async function asUser<T>({ use, ...config }: Given, run: (store: EventStore) => Promise<T>, data = dir) {
    const server = await startServer(config, data);
    const store = createClickHouseEventStore({ url: server.url, use });
    try {
      return await run(store);
    } finally {
      await store.administration.close();
      await server.stop();
    }
  }

  it('creates the tables', async () => {
    await asUser({ grants: documentedGrants('assay_migrations'), use: 'migrate' }, async (store) => {
      refuseFaults(await store.administration.inspect());
      await store.administration.migrate();
      expect(await store.administration.missingMigrations()).toEqual([]);
    });
  });

  it('stores, changes, reads and removes events', async () => {
    await asUser({ grants: documentedGrants('assay'), use: 'write' }, async (store) => {
      refuseFaults(await store.administration.inspect());
      await writeEvents(store, [event, sampleEvent({ project_id })]);
      const changes = {
        projectId: project_id,
        eventId: event.event_id,
        patch: {},
        deleted: false,
        version: 9,
      };
      await store.writer.write(batchOf({ changes: [changes] }));
      await store.writer.recordLogEpoch({
        epoch: 1,
        log: 'log',
        partitions: new Map([[0, { first: 0, position: 1 }]]),
      });
      expect((await store.events.search(project_id, queryOf())).total).toBe(2);
      expect(await store.administration.repair()).toEqual({ removed: 0, completed: 0 });
      const removed = newProject();
      await writeEvents(store, [sampleEvent({ project_id: removed })]);
      expect(await store.administration.removeProject(removed)).toMatchObject({ isComplete: false });
    });
  });

  it('reads, also with readonly = 2', async () => {
    const grants = documentedGrants('assay_queries');
    for (const profile of ['', '<readonly>2</readonly>'])
      await asUser({ grants, profile, use: 'read' }, async (store) => {
        refuseFaults(await store.administration.inspect());
        expect((await store.events.search(project_id, queryOf())).total).toBe(2);
        expect((await store.events.find(project_id, event.event_id))?.event_id).toBe(event.event_id);
      });
  });

  it('is refused at the start when a right to store lacks, by the name of the right', async () => {
    const rights = rightsOf(documentedGrants('assay'));
    expect(rights.length).toBeGreaterThan(2);
    for (const missing of rights) {
      const grants = rights.flatMap((right) => (right === missing ? [] : [`GRANT ${right} ON assay.*`]));
      await asUser({ grants, use: 'write' }, async (store) => {
        const refused = store.administration.inspect().then(refuseFaults);
        const message = expect.stringContaining(`the user lacks ${missing} ON assay.*`) as string;
        await expect(refused).rejects.toMatchObject({ exitCode: 78, message });
      });
    }
  });

  it('is refused at the start when its profile has readonly and the process stores', async () => {
    await asUser({ profile: '<readonly>2</readonly>', use: 'write' }, async (store) => {
      const message = expect.stringContaining('the profile of the user has the setting readonly') as string;
      await expect(store.administration.inspect().then(refuseFaults)).rejects.toMatchObject({
        exitCode: 78,
        message,
      });
    });
    await asUser({ profile: '<readonly>1</readonly>', use: 'read' }, async (store) => {
      const message = expect.stringContaining('processes that only read can have readonly = 2') as string;
      await expect(explainRefusal(CLICKHOUSE, () => store.administration.inspect())).rejects.toMatchObject({
        exitCode: 78,
        message,
      });
    });
  });

  /** Only tables of the first release are converted by such a statement. */
  const NEVER_ASKED = ['OPTIMIZE'];

  it('gets the name of the right that a migration lacks', async () => {
    const rights = rightsOf(documentedGrants('assay_migrations'));
    expect(rights.length).toBeGreaterThan(7);
    const asked = rights.filter((right) => !NEVER_ASKED.includes(right));
    const named: string[] = [];
    for (const missing of asked) {
      const grants = rights.flatMap((right) => (right === missing ? [] : [`GRANT ${right} ON assay.*`]));
      const data = mkdtempSync(join(tmpdir(), 'assay-rights-'));
      const migrate = (store: EventStore) => explainRefusal(CLICKHOUSE, () => store.administration.migrate());
      const refusal = await asUser({ grants, use: 'migrate' }, migrate, data).catch(
        (error: unknown) => error,
      );
      // A right on tables has parts, which errors name: ALTER ADD COLUMN is one of ALTER TABLE.
      const [group] = missing.split(' TABLE');
      const isNamed = new RegExp(`the user lacks the right [A-Z, ]*${group}[A-Z, ]* ON assay`).test(
        String(refusal),
      );
      named.push(isNamed ? missing : `${missing}: ${String(refusal)}`);
      rmSync(data, { recursive: true, force: true });
    }
    expect(named).toEqual(asked);
  }, 300_000);
});
