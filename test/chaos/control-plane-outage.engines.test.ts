import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openMongoDocumentStore, type DocumentCollection } from '@assay/document-store';
import { waitFor } from '@assay/testing';
import { Client } from '../harness/stack/client.js';
import { databaseOf, enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import type { Stack } from '../harness/stack/stack.js';

interface Entry {
  readonly event_id: string;
  readonly metrics: { readonly count?: number };
  readonly event_version: number;
}

const EVENTS = 300;
const UPDATES = 6;
const PARTITIONS = 3;
/**
 * Tries that each partition makes in an hour in which nobody answers: waits grow to 60 s and are spread over the whole of that, 30 s on average. Here the
 * longest wait is 20 ms, so that as many tries take seconds.
 */
const TRIES_OF_AN_HOUR = 3_600 / 30 + 5;
/** How many times the rate at which events arrive the control plane must at least be told, once it is back. */
const CATCH_UP = 3;
const session_id = randomUUID();

describe('while the control plane is away', () => {
  let stack: Stack;
  let client: Client;
  /** Writes go straight to ingestion, which has to know the key by itself. */
  let ingestion: Client;
  let projectId: string;
  const ids = Array.from({ length: EVENTS }, () => randomUUID());

  beforeAll(async () => {
    stack = await startSplit(enginesFromEnvironment(), { dataPlane: { FORWARD_RETRY_MAX_MS: '20' } });
    client = new Client(stack);
    ingestion = new Client({ baseUrl: stack.urlOf('ingestion'), apiKey: stack.apiKey });
    projectId = (await client.call('GET', '/v1/projects')).json<{ id: string }[]>()[0]!.id;
    await create(ids[0]!);
    // A service that has never known a key cannot know it while the control plane is away.
    const snapshots = ['ingestion', 'data-plane'].map((service) =>
      join(stack.dir, service, 'known-keys.json'),
    );
    await waitFor(
      'the keys are kept on disk',
      () => Promise.resolve(snapshots.every((file) => existsSync(file))),
      { withinMs: 20_000 },
    );
  }, 60_000);
  afterAll(async () => {
    expect(await stack.stop()).toBe(true);
  }, 60_000);

  const create = (event_id: string) =>
    accepted(
      ingestion.post('/v1/events', {
        event_id,
        session_id,
        event_type: 'tool',
        inputs: { q: 1 },
        metrics: { count: 0 },
      }),
    );
  const update = (event_id: string, count: number) =>
    accepted(ingestion.call('PUT', `/v1/events/${event_id}`, { body: { metrics: { count } } }));

  const updateAll = async (count: number) => {
    for (let start = 0; start < EVENTS; start += 50)
      await Promise.all(ids.slice(start, start + 50).map((id) => update(id, count)));
  };
  const countsRead = async () => {
    const filters = [{ field: 'session_id', operator: 'is', value: session_id, type: 'string' }];
    const { events } = await client.search({ filters, limit: 1_000 });
    return events
      .filter(({ event_type }) => event_type === 'tool')
      .map(({ metrics }) => (metrics as Entry['metrics']).count);
  };
  /** What the data plane counts about forwarding. */
  const counted = async (name: string) => {
    const text = await fetch(`${stack.adminUrl('data-plane')}/metrics`).then((response) => response.text());
    return Number(new RegExp(`^${name}(?:\\{group="forward"\\})? (\\d+)`, 'm').exec(text)?.[1] ?? 0);
  };

  it('events are accepted and read for as many tries as an hour takes, also after ingestion has started anew', async () => {
    await stack.kill('control-plane');
    for (const id of ids.slice(1, EVENTS / 2)) await create(id);
    await stack.kill('ingestion');
    await stack.start('ingestion');
    for (const id of ids.slice(EVENTS / 2)) await create(id);
    for (let count = 1; count < UPDATES; count++) {
      await updateAll(count);
      const tries = (TRIES_OF_AN_HOUR * PARTITIONS * count) / (UPDATES - 1);
      await waitFor(
        'it was tried again',
        async () => (await counted('assay_reader_retries_total')) >= tries,
        { withinMs: 60_000 },
      );
      expect(await countsRead()).toEqual(ids.map(() => count));
    }
    await updateAll(UPDATES);
    expect(await countsRead()).toEqual(ids.map(() => UPDATES));
    expect(await counted('assay_reader_set_aside_total')).toBe(0);
    const ready = await fetch(`${stack.adminUrl('data-plane')}/readyz`);
    expect(await ready.json()).toMatchObject({ ready: true, failing: [] });
  }, 300_000);

  it('nothing is lost for it: once back it learns everything faster than events arrive, and never goes back on what it knew of an event', async () => {
    const documents = await openMongoDocumentStore({
      url: enginesFromEnvironment().mongodbUrl,
      database: databaseOf(stack),
    });
    const entries: DocumentCollection<Entry> = await documents.collection({
      name: 'events',
      unique: [],
      indexes: [['project_id', 'session_id']],
    });
    const newest = new Map<string, number>();
    const told = await counted('assay_forward_records_total');
    let arrived = 0;
    await stack.start('control-plane');
    await waitFor(
      'the control plane knows every event',
      async () => {
        await accepted(ingestion.post('/v1/events', { event_type: 'tool', inputs: {} }));
        arrived += 1;
        const found = await entries.list({ equals: { project_id: projectId, session_id }, limit: 1_000 });
        for (const { event_id, event_version } of found) {
          expect(event_version).toBeGreaterThanOrEqual(newest.get(event_id) ?? -1);
          newest.set(event_id, event_version);
        }
        const complete = new Set(
          found.filter(({ metrics }) => metrics.count === UPDATES).map(({ event_id }) => event_id),
        );
        return ids.every((id) => complete.has(id));
      },
      { withinMs: 120_000 },
    );
    // A batch counts once the control plane has answered, which is a moment after it knows the events.
    await waitFor(
      'everything is counted',
      async () => (await counted('assay_forward_records_total')) - told >= EVENTS * (1 + UPDATES) - 1,
      { withinMs: 30_000 },
    );
    expect((await counted('assay_forward_records_total')) - told).toBeGreaterThanOrEqual(CATCH_UP * arrived);
    await documents.close();
  }, 180_000);
});

async function accepted(response: ReturnType<Client['call']>): Promise<void> {
  const { status, text } = await response;
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
}
