import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@assay/testing';
import { Client } from '../harness/stack/client.js';
import { startEmbeddedSplit, type EmbeddedSplit } from '../harness/stack/start-embedded-split.js';
import { Canaries } from './canaries.js';

interface Session {
  readonly session_id: string;
  readonly session_name: string;
  readonly source: string;
  readonly event_names: readonly { readonly event_name: string; readonly count: number }[];
  readonly metrics: readonly object[];
  readonly run_ids: readonly string[];
}

const SETTINGS = {
  REDACT_VALUES: 'true',
  REDACT_NAMES: 'true',
  REDACT_NAMES_KEY: 'a key that only the data plane has, of 32 characters',
  REDACT_NUMBERS: 'true',
};
const TOKEN = /^name_[0-9a-f]{32}$/;

describe('a control plane of its own that receives neither names nor unknown numbers', () => {
  const canaries = new Canaries();
  const [session_id, run_id] = [randomUUID(), randomUUID()];
  const [sessionName, eventName, source] = [canaries.text(), canaries.text(), canaries.text()];
  let split: EmbeddedSplit;
  let client: Client;
  let queue: string;

  beforeAll(async () => {
    split = await startEmbeddedSplit(SETTINGS);
    client = new Client(split);
    const any = { field: 'event_type', operator: 'exists', value: null, type: 'string' };
    const made = await client.post('/v1/queues', { name: 'all', filters: { filterArray: [any] } });
    queue = made.json<{ queue: { id: string } }>().queue.id;
  }, 120_000);
  afterAll(async () => expect(await split.stop()).toBe(true), 60_000);

  const seen = () => {
    const documents = join(split.dir, 'control-plane', 'documents');
    const files = readdirSync(documents).map((name) => readFileSync(join(documents, name)));
    return Buffer.concat([split.proxy.bytes(), split.proxy.readable(), ...files]);
  };
  const sent = async (method: string, path: string, body: object) => {
    const response = await client.call(method, path, { body });
    expect([method, path, response.status, response.text]).toEqual([method, path, 200, expect.any(String)]);
  };
  const event = (fields: object = {}) => ({
    event_id: randomUUID(),
    session_id,
    event_type: 'model',
    event_name: eventName,
    source,
    inputs: {},
    outputs: {},
    metadata: {
      ...{ run_id, total_tokens: 7, cost: 0.5, source, event_name: eventName, 'service.name': source },
      ...{ [`n${randomUUID()}`]: canaries.number(), list: [canaries.number(), canaries.text()] },
    },
    metrics: { score: canaries.number() },
    feedback: { rating: canaries.number(), nested: { deep: canaries.number() } },
    user_properties: { age: canaries.number(), name: canaries.text() },
    config: { model: 'gpt-4o', temperature: canaries.number() / 1_000 },
    ...fields,
  });

  it('accepts names and numbers on every route', async () => {
    await sent('POST', '/v1/sessions', { session_id, session_name: sessionName, source });
    const first = event();
    await sent('POST', '/v1/events', first);
    await sent('POST', '/v1/events/batch', { events: [event(), event({ event_type: 'tool' })] });
    await sent('PUT', `/v1/events/${first.event_id}`, { metrics: { later: canaries.number() } });
    await sent('PUT', `/v1/events/${first.event_id}`, {
      event_name: canaries.text(),
      source: canaries.text(),
    });
    const renamed = canaries.text();
    await sent('PUT', `/v1/events/${first.event_id}`, { event_name: renamed });
    await sent('POST', '/opentelemetry/v1/traces', spanNamed(canaries.text(), canaries.text()));
    await sent('POST', '/v1/metrics', { name: 'tone', type: 'HUMAN', criteria: 'How is it?' });
    await client.search({ limit: 1 });
    const scored = { status: 'done', annotator: 'anna', metrics: { tone: canaries.number() } };
    await waitFor('the event is in the queue', async () => {
      const path = `/v1/queues/${queue}/events/${first.event_id}`;
      return (await client.call('PUT', path, { body: scored })).status === 200;
    });
    await sent('POST', '/v1/datapoints/batch', { selectAll: true, mapping: {} });
  });

  it('finds none of them in what the control plane has received and stored', async () => {
    await sent('POST', '/v1/events', event({ event_id: randomUUID(), metrics: { the_last_one: 1 } }));
    await waitFor('everything is forwarded', () => seen().includes('the_last_one'), { withinMs: 60_000 });
    expect(canaries.foundIn(seen())).toEqual([]);
    const { events } = await client.search({ limit: 100 });
    expect(canaries.foundIn(Buffer.from(JSON.stringify(events))).length).toBeGreaterThan(canaries.count / 2);
  });

  it('shows equal tokens for equal names, and known numbers, in sessions and usage', async () => {
    const direct = new Client({ baseUrl: split.controlPlaneUrl, apiKey: split.apiKey });
    const list = async (of: Client) =>
      (await of.call('GET', `/v1/sessions?run_id=${run_id}`)).json<{ sessions: Session[] }>().sessions;
    const counted = ({ event_names }: Session) => event_names.reduce((sum, { count }) => sum + count, 0);
    const [full] = await list(client);
    const redacted = await waitFor('the summary is forwarded', async () => {
      const [summary] = await list(direct);
      return summary && counted(summary) === counted(full!) ? summary : undefined;
    });
    expect(full).toMatchObject({ session_id, session_name: sessionName, source });
    expect(redacted).toMatchObject({ session_id, run_ids: [run_id], metrics: [] });
    for (const name of [redacted.session_name, redacted.source]) expect(name).toMatch(TOKEN);
    expect(redacted.event_names.map(({ count }) => count)).toEqual(
      full!.event_names.map(({ count }) => count),
    );
    expect(redacted.session_name).not.toBe(redacted.source);
    const usage = async (of: Client) =>
      (await of.call('GET', '/v1/usage')).json<{ total: { total_tokens: number } }>().total;
    const own = await usage(client);
    expect(own.total_tokens).toBeGreaterThan(0);
    await waitFor('the usage is the same', async () => {
      return JSON.stringify(await usage(direct)) === JSON.stringify(own);
    });
    const mine = await direct.call('GET', `/v1/sessions?source=${source}`);
    expect(mine.json<{ sessions: Session[] }>().sessions).toEqual([]);
  });
});

function spanNamed(name: string, service: string) {
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const times = { startTimeUnixNano: '1795255200000000000', endTimeUnixNano: '1795255201000000000' };
  const ids = {
    traceId: randomUUID().replaceAll('-', ''),
    spanId: randomUUID().replaceAll('-', '').slice(16),
  };
  const attributes = [text('honeyhive.source', service), text('honeyhive.session_name', name)];
  const span = { ...ids, ...times, name, kind: 1, attributes };
  const resource = { attributes: [text('service.name', service)] };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'app' }, spans: [span] }] }] };
}
