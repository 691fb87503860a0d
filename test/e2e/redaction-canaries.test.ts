import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROUTES, type Route } from '@assay/contracts';
import { waitFor } from '@assay/testing';
import { seeded } from '../bench/prose.js';
import { callUntilServed } from '../harness/stack/call-until-served.js';
import { Client, type ApiResponse } from '../harness/stack/client.js';
import { startEmbeddedSplit, type EmbeddedSplit } from '../harness/stack/start-embedded-split.js';
import { callGrpc, type GrpcSignal } from '../harness/otlp/call-grpc.js';
import { FROM_LOG } from './tainted-otlp.js';
import { GRPC_ATTRIBUTE, TaintedRequests } from './tainted-requests.js';

/** Requests to each route, by its owner. */
const ROUNDS = { ingestion: 8, 'data-plane': 4, 'control-plane': 1, evaluator: 1 };
/** Operations of OTLP over HTTP, by their signal over gRPC. */
const GRPC_SIGNALS: Readonly<Record<GrpcSignal, string>> = {
  trace: 'exportTraces',
  logs: 'exportLogs',
  metrics: 'exportMetrics',
};
const [GRPC_OK, GRPC_INVALID, GRPC_RESOURCE_EXHAUSTED, GRPC_UNAVAILABLE] = [0, 3, 8, 14];
const CONCURRENCY = 8;
const SEARCHES = 3;
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const random = seeded(seed);
/** Begins every text that belongs to events. */
const EVENT_WORD = 'canary';
/** Begins every text that clients write into resources of the control plane, which stores these as they are. */
const RESOURCE_WORD = 'linnet';

describe(`redaction with random names on every route (SEED=${seed})`, () => {
  let split: EmbeddedSplit;
  let client: Client;
  const refusals: string[] = [];
  const counts: Record<string, number> = {};
  const served = new Set<string>();

  beforeAll(async () => {
    split = await startEmbeddedSplit({ REDACT_VALUES: 'true' });
    client = new Client(split);
  });
  afterAll(async () => expect(await split.stop()).toBe(true));

  const controlPlaneBytes = () => {
    const documents = join(split.dir, 'control-plane', 'documents');
    const files = readdirSync(documents).map((name) => join(documents, name));
    return Buffer.concat([
      split.proxy.bytes(),
      split.proxy.readable(),
      ...files.map((file) => readFileSync(file)),
    ]);
  };
  const logs = () =>
    ['control-plane', 'data-plane']
      .map((name) => readFileSync(join(split.dir, `${name}.log`), 'latin1'))
      .join('');
  const metrics = async (url: string) => (await fetch(`${url}/metrics`)).text();

  /** Responses of the control plane to a client that asks it directly, by path: all lists that it serves. */
  const controlPlaneLists = async () => {
    const direct = new Client({ baseUrl: split.controlPlaneUrl, apiKey: split.apiKey });
    const lists = ROUTES.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
    const responses = new Map<string, ApiResponse>();
    for (const { path, access } of lists) {
      const key = access === 'admin' ? split.adminToken : split.apiKey;
      responses.set(path, await direct.call('GET', path, { key }));
    }
    return responses;
  };

  const send = async (route: Route) => {
    const word = route.owner === 'control-plane' ? RESOURCE_WORD : EVENT_WORD;
    const { path, headers, bytes } = new TaintedRequests(`${word}z`, random).request(route);
    const key = route.access === 'admin' ? split.adminToken : split.apiKey;
    const response = await callUntilServed(client, route, path, {
      ...{ key, headers, ...(bytes && { bytes }) },
      refused: ({ text }) => void refusals.push(text),
    });
    const kind = `${route.owner} ${response.status}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (response.status >= 400) refusals.push(response.text);
    if (response.status >= 500)
      throw new Error(`${route.operation} returned ${response.status}: ${response.text}`);
    served.add(route.operation);
  };

  const sendByGrpc = async (signal: GrpcSignal) => {
    const { message, headers } = new TaintedRequests(`${EVENT_WORD}z`, random).grpc(GRPC_SIGNALS[signal]);
    const codeOf = async () => {
      const call = { key: split.apiKey, signal, headers, gzip: random() < 0.5 };
      const { error } = await callGrpc(split.grpcAddress, message, call);
      if (error) refusals.push(error.details);
      return error?.code ?? GRPC_OK;
    };
    return waitFor(
      'the call is served',
      async () => {
        const code = await codeOf();
        return code === GRPC_RESOURCE_EXHAUSTED || code === GRPC_UNAVAILABLE ? undefined : { code };
      },
      { withinMs: 60_000 },
    );
  };

  it('accepts or rejects the requests', async () => {
    // In rounds, so that requests to one route are seldom concurrent.
    const rounds = Array.from({ length: Math.max(...Object.values(ROUNDS)) }, (_, round) => round);
    const queue = rounds.flatMap((round) => ROUTES.filter(({ owner }) => ROUNDS[owner] > round));
    const worker = async () => {
      for (let route = queue.shift(); route; route = queue.shift()) await send(route);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    process.stdout.write(`redaction canaries, SEED=${seed}: ${JSON.stringify(counts)}\n`);
    expect(served).toEqual(new Set(ROUTES.map(({ operation }) => operation)));
    expect(counts['ingestion 200']).toBeGreaterThan(ROUNDS.ingestion * 4);
    expect(counts['ingestion 400']).toBeGreaterThan(0);
  }, 150_000);

  it('accepts or rejects OTLP over gRPC', async () => {
    const codes: number[] = [];
    for (let round = 0; round < ROUNDS.ingestion; round++)
      for (const signal of ['trace', 'logs', 'metrics'] as const) codes.push((await sendByGrpc(signal)).code);
    expect(codes.filter((code) => code !== GRPC_OK && code !== GRPC_INVALID)).toEqual([]);
    const [name, value] = GRPC_ATTRIBUTE;
    const filters = [{ field: `metadata.${name}`, operator: 'is', value, type: 'string' }];
    expect((await client.search({ filters, limit: 1 })).count).toBeGreaterThan(0);
  }, 150_000);

  it('reviews events, fills queues and makes datapoints of them', async () => {
    const text = () => `it says ${EVENT_WORD}z${Math.floor(random() * 2 ** 40)}`;
    await client.post('/v1/metrics', { name: 'tone', type: 'HUMAN', criteria: 'How is it?' });
    const { events, count } = await client.search({ limit: 100 });
    expect(count).toBeGreaterThan(ROUNDS.ingestion);
    const logged = [{ field: 'inputs', operator: 'contains', value: FROM_LOG, type: 'string' }];
    expect((await client.search({ filters: logged, limit: 1 })).count).toBeGreaterThan(0);
    const event_ids = events.map(({ event_id }) => String(event_id));
    const filterArray = [{ field: 'metadata.note', operator: 'exists', type: 'string' }];
    const made = await client.post('/v1/queues', { name: 'q', event_ids, filters: { filterArray } });
    const queue = made.json<{ queue: { id: string } }>().queue.id;
    for (const event_id of event_ids.slice(0, SEARCHES)) {
      const scores = { tone: 4, tone_explanation: text() };
      const path = `/v1/queues/${queue}/events/${event_id}`;
      expect((await client.call('PUT', path, { body: { done: true, metrics: scores } })).status).toBe(200);
      await client.call('PUT', path, { body: { done: true, metrics: { [`q${event_id}`]: text() } } });
    }
    const { item } = (await client.post(`/v1/queues/${queue}/next`, { annotator: 'anna' })).json<{
      item: { event_id: string; version: number };
    }>();
    const path = `/v1/queues/${queue}/events/${item.event_id}`;
    const [comment, reason] = [text(), text()];
    const skipped = { status: 'skipped', annotator: 'anna', version: item.version, comment, reason };
    expect((await client.call('PUT', path, { body: skipped })).status).toBe(200);
    const done = { status: 'done', annotator: 'bert', metrics: { tone: 1 }, comment: text() };
    expect((await client.call('PUT', path, { body: done })).status).toBe(200);
    for (const wrong of [
      { ...skipped, reason: text().repeat(100) },
      { ...done, annotator: text().replaceAll(' ', '@') },
    ])
      expect((await client.call('PUT', path, { body: wrong })).status).toBe(400);
    const wait = { headers: { prefer: 'wait=30' } };
    const listed = await client.call('GET', `/v1/queues/${queue}/events?status=done`, wait);
    expect(listed.json<{ events: { comment: string | null }[] }>().events).toContainEqual(
      expect.objectContaining({ event_id: item.event_id, comment: done.comment, annotator: 'bert' }),
    );
    await client.post(`/v1/queues/${queue}/backfill`, {});
    const inputs = [
      'metadata',
      'metrics.tone_explanation',
      'config',
      'feedback',
      'error',
      'parent_id',
      'inputs',
    ];
    for (const mapping of [{}, { inputs, ground_truth: ['outputs', 'user_properties'] }]) {
      const filters = [{ field: 'event_name', operator: 'contains', value: text() }];
      await client.post('/v1/datapoints/batch', { selectAll: true, mapping, filters });
      const all = await client.post('/v1/datapoints/batch', { selectAll: true, mapping });
      expect([all.status, all.json()]).toMatchObject([200, { inserted: true, redacted: true }]);
    }
  }, 150_000);

  it('shows no text of an event to the control plane, and no text of any request in errors, logs and metrics', async () => {
    await client.post('/v1/events', { event_type: 'tool', inputs: {}, metrics: { the_last_one: 1 } });
    await waitFor('everything is forwarded', () => controlPlaneBytes().includes('the_last_one'), {
      withinMs: 60_000,
    });
    expect(wordsIn(controlPlaneBytes(), EVENT_WORD)).toEqual([]);
    const lists = await controlPlaneLists();
    expect(lists.get('/v1/sessions')?.json<{ sessions: unknown[] }>().sessions).not.toEqual([]);
    for (const [path, { text }] of lists)
      expect([path, wordsIn(Buffer.from(text), EVENT_WORD)]).toEqual([path, []]);
    const figures = await Promise.all([split.dataPlaneAdminUrl, split.controlPlaneAdminUrl].map(metrics));
    for (const word of [EVENT_WORD, RESOURCE_WORD])
      for (const text of [...refusals, logs(), ...figures])
        expect(wordsIn(Buffer.from(text), word)).toEqual([]);
  }, 150_000);
});

/** Returns what stands around the word in the bytes, in any case or in base64. */
function wordsIn(bytes: Buffer, word: string): string[] {
  // Only characters that the word alone determines, and all of them: four would also occur in random ids.
  const aligned = [0, 1, 2].map((skip) => {
    const shifted = Buffer.from(`${'x'.repeat(skip)}${word}z`);
    return shifted.toString('base64').slice(skip === 0 ? 0 : 4, Math.floor((shifted.length * 8) / 6));
  });
  const spellings = new RegExp(
    `.{0,120}(?:${word}z|${word.toUpperCase()}Z|${aligned.join('|')}).{0,60}`,
    'g',
  );
  return (bytes.toString('latin1').match(spellings) ?? []).slice(0, 5);
}
