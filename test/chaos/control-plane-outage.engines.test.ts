import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openMongoDocumentStore, type DocumentCollection } from '@assay/document-store';
import { Client } from '../harness/stack/client.js';
import { databaseOf, enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { until, type Stack } from '../harness/stack/stack.js';

interface Entry {
  readonly event_id: string;
  readonly metrics: { readonly count?: number };
  readonly event_version: number;
}

const EVENTS = 40;
const UPDATES = 6;
const session_id = randomUUID();

describe('while the control plane is away', () => {
  let stack: Stack;
  let client: Client;
  /** Writes go straight to ingestion, which has to know the key by itself. */
  let ingestion: Client;
  let projectId: string;
  const ids = Array.from({ length: EVENTS }, () => randomUUID());

  beforeAll(async () => {
    stack = await startSplit(enginesFromEnvironment());
    client = new Client(stack);
    ingestion = new Client({ baseUrl: stack.urlOf('ingestion'), apiKey: stack.apiKey });
    projectId = (await client.call('GET', '/v1/projects')).json<{ id: string }[]>()[0]!.id;
    await create(ids[0]!);
    // A service that has never known a key cannot know it while the control plane is away.
    const snapshots = ['ingestion', 'data-plane'].map((service) => join(stack.dir, service, 'known-keys.json'));
    await until('the keys are kept on disk', 20_000, () => Promise.resolve(snapshots.every((file) => existsSync(file))));
  }, 60_000);
  afterAll(async () => {
    expect(await stack.stop()).toBe(true);
  }, 60_000);

  const create = (event_id: string) =>
    accepted(ingestion.post('/v1/events', { event_id, session_id, event_type: 'tool', inputs: { q: 1 }, metrics: { count: 0 } }));
  const update = (event_id: string, count: number) =>
    accepted(ingestion.call('PUT', `/v1/events/${event_id}`, { body: { metrics: { count } } }));

  it('events are accepted and read, also after ingestion has started anew', async () => {
    await stack.kill('control-plane');
    for (const id of ids.slice(1, EVENTS / 2)) await create(id);
    await stack.kill('ingestion');
    await stack.start('ingestion');
    for (const id of ids.slice(EVENTS / 2)) await create(id);
    for (let count = 1; count <= UPDATES; count++) for (const id of ids) await update(id, count);
    const filters = [{ field: 'session_id', operator: 'is', value: session_id, type: 'string' }];
    const { events } = await client.search({ filters, limit: 100 });
    const counts = events.filter(({ event_type }) => event_type === 'tool').map(({ metrics }) => metrics);
    expect(counts).toEqual(ids.map(() => ({ count: UPDATES })));
  }, 30_000);

  it('nothing is lost for it: once back it learns everything, and never goes back on what it knew of an event', async () => {
    const documents = await openMongoDocumentStore({ url: enginesFromEnvironment().mongodbUrl, database: databaseOf(stack) });
    const entries: DocumentCollection<Entry> = await documents.collection({
      name: 'events',
      unique: [],
      indexes: [['project_id', 'session_id']],
    });
    const newest = new Map<string, number>();
    await stack.start('control-plane');
    await until('the control plane knows every event', 45_000, async () => {
      const found = await entries.list({ equals: { project_id: projectId, session_id }, limit: 1_000 });
      for (const { event_id, event_version } of found) {
        expect(event_version).toBeGreaterThanOrEqual(newest.get(event_id) ?? -1);
        newest.set(event_id, event_version);
      }
      const complete = new Set(found.filter(({ metrics }) => metrics.count === UPDATES).map(({ event_id }) => event_id));
      return ids.every((id) => complete.has(id));
    });
    await documents.close();
  }, 60_000);
});

async function accepted(answer: ReturnType<Client['call']>): Promise<void> {
  const { status, text } = await answer;
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
}
