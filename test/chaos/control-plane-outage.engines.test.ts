import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DocumentCollection } from '@assay/document-store';
import { openMongoDocumentStore } from '@assay/document-store/mongodb';
import { waitFor } from '@assay/testing';
import { Client } from '../harness/stack/client.js';
import { readMetrics } from '../harness/stack/read-metrics.js';
import { databaseOf, enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import type { Stack } from '../harness/stack/stack.js';

/** What the control plane stores of a session, in part. */
interface SessionEntry {
  readonly watermark: string;
}

/** What the control plane answers about a session, in part. */
interface SessionSummary {
  readonly session_id: string;
  readonly num_events: number;
  readonly metrics: readonly { readonly name: string; readonly min: number; readonly max: number }[];
}

const EVENTS = 300;
const UPDATES = 6;
const PARTITIONS = 3;
/**
 * Retries of each partition in an hour without a response: the backoff grows to 60 s with full jitter, 30 s on average. Here the maximum
 * backoff is 20 ms, so that as many retries take seconds.
 */
const RETRIES_PER_HOUR = 3_600 / 30 + 5;
/** Events forwarded for each event that arrives, at least, once the control plane is reachable again. */
const CATCH_UP = 3;
const session_id = randomUUID();

describe('during an outage of the control plane', () => {
  let stack: Stack;
  let client: Client;
  /** Sends writes to ingestion directly, which authenticates them from its key cache. */
  let ingestion: Client;
  let projectId: string;
  const ids = Array.from({ length: EVENTS }, () => randomUUID());

  beforeAll(async () => {
    stack = await startSplit(enginesFromEnvironment(), { dataPlane: { FORWARD_RETRY_MAX_MS: '20' } });
    client = new Client(stack);
    ingestion = new Client({ baseUrl: stack.urlOf('ingestion'), apiKey: stack.apiKey });
    projectId = (await client.call('GET', '/v1/projects')).json<{ id: string }[]>()[0]!.id;
    await create(ids[0]!);
    // A service cannot authenticate a key that it first sees while the control plane is unreachable.
    const snapshots = ['ingestion', 'data-plane'].map((service) =>
      join(stack.dir, service, 'known-keys.json'),
    );
    await waitFor(
      'the key cache is on disk',
      () => Promise.resolve(snapshots.every((file) => existsSync(file))),
      { withinMs: 120_000 },
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
      .map(({ metrics }) => (metrics as { count?: number }).count);
  };
  /** The value of a forwarding counter of the data plane. */
  const counted = async (name: string) => {
    const text = await readMetrics(stack.adminUrl('data-plane'));
    return Number(new RegExp(`^${name}(?:\\{group="forward"\\})? (\\d+)`, 'm').exec(text)?.[1] ?? 0);
  };

  it('accepts and serves events for as many retries as an hour takes, also after a restart of ingestion', async () => {
    await stack.kill('control-plane');
    for (const id of ids.slice(1, EVENTS / 2)) await create(id);
    await stack.kill('ingestion');
    await stack.start('ingestion');
    for (const id of ids.slice(EVENTS / 2)) await create(id);
    for (let count = 1; count < UPDATES; count++) {
      await updateAll(count);
      const retries = (RETRIES_PER_HOUR * PARTITIONS * count) / (UPDATES - 1);
      await waitFor(
        'forwarding was retried',
        async () => (await counted('assay_reader_retries_total')) >= retries,
        { withinMs: 120_000 },
      );
      expect(await countsRead()).toEqual(ids.map(() => count));
    }
    await updateAll(UPDATES);
    expect(await countsRead()).toEqual(ids.map(() => UPDATES));
    expect(await counted('assay_reader_set_aside_total')).toBe(0);
    const ready = await fetch(`${stack.adminUrl('data-plane')}/readyz`);
    expect(await ready.json()).toMatchObject({ ready: true, failing: [] });
  }, 300_000);

  it('catches up faster than events arrive, without a loss and without a step back to an older version', async () => {
    const documents = await openMongoDocumentStore({
      url: enginesFromEnvironment().mongodbUrl,
      database: databaseOf(stack),
    });
    const sessions: DocumentCollection<SessionEntry> = await documents.collection({
      name: 'sessions',
      unique: [],
      indexes: [],
    });
    const controlPlane = new Client({ baseUrl: stack.urlOf('control-plane'), apiKey: stack.apiKey });
    // The sessions of the events that arrive below are newer.
    const olderSessions = `/v1/sessions?to=${new Date().toISOString()}`;
    let newest = 0n;
    const forwardedBefore = await counted('assay_forward_records_total');
    let arrived = 0;
    await stack.start('control-plane');
    await waitFor(
      'the control plane has every event',
      async () => {
        await accepted(ingestion.post('/v1/events', { event_type: 'tool', inputs: {} }));
        arrived += 1;
        const session = await sessions.get(`${projectId}:${session_id}`);
        if (session === undefined) return false;
        const watermark = BigInt(session.watermark);
        expect(watermark >= newest).toBe(true);
        newest = watermark;
        const { sessions: listed } = (await controlPlane.call('GET', olderSessions)).json<{
          sessions: SessionSummary[];
        }>();
        const summary = listed.find((one) => one.session_id === session_id);
        const counts = summary?.metrics.find(({ name }) => name === 'count');
        return summary?.num_events === EVENTS && counts?.min === UPDATES && counts.max === UPDATES;
      },
      { withinMs: 120_000 },
    );
    // A batch counts once the control plane has responded, a moment after it has stored the events.
    await waitFor(
      'everything is counted',
      async () =>
        (await counted('assay_forward_records_total')) - forwardedBefore >= EVENTS * (1 + UPDATES) - 1,
      { withinMs: 120_000 },
    );
    expect((await counted('assay_forward_records_total')) - forwardedBefore).toBeGreaterThanOrEqual(
      CATCH_UP * arrived,
    );
    await documents.close();
  }, 180_000);
});

async function accepted(response: ReturnType<Client['call']>): Promise<void> {
  const { status, text } = await response;
  if (status !== 200) throw new Error(`unexpected status ${status}: ${text}`);
}
