import { randomUUID } from 'node:crypto';
import { waitFor } from '@assay/testing';
import { Client } from '../harness/stack/client.js';
import { readMetrics } from '../harness/stack/read-metrics.js';
import type { Stack } from '../harness/stack/stack.js';
import { Canaries } from './canaries.js';

/** A stack with `REDACT_VALUES=true`, and everything that is known of its control plane from outside. */
export interface WatchedStack {
  readonly stack: Stack;
  /** Every byte so far that its control plane has been sent, has written, or has logged. */
  seen(): Promise<Buffer>;
  /** Whether the control plane gets summaries of sessions; absent: yes. */
  readonly hasSummaries?: boolean;
  stop(): Promise<boolean>;
}

/** Values in every position of inputs and outputs, by every way in; then a search through all that the control plane has ever seen. */
export function redactionJourney(start: () => Promise<WatchedStack>): void {
  const canaries = new Canaries();
  /** Names of metrics and spans, which do cross in summaries: when all of them were seen, everything was forwarded. */
  const markers: string[] = [];
  let watched: WatchedStack;
  let client: Client;
  const marked = () => {
    const marker = `marker${randomUUID()}`;
    markers.push(marker);
    return { [marker]: 1 };
  };
  const sent = async (method: string, path: string, body: object) => {
    const response = await client.call(method, path, { body });
    if (response.status !== 200)
      throw new Error(`${method} ${path} returned ${response.status}: ${response.text}`);
  };

  beforeAll(async () => {
    watched = await start();
    client = new Client(watched.stack);
    const any = { field: 'event_type', operator: 'exists', value: null, type: 'string' };
    await sent('POST', '/v1/queues', { name: 'all', filters: { filterArray: [any] } });
  }, 120_000);
  afterAll(async () => {
    expect(await watched.stop()).toBe(true);
  }, 60_000);

  it('accepts values on every route', async () => {
    const event_id = randomUUID();
    const early = randomUUID();
    const event = () => ({
      event_type: 'model',
      inputs: canaries.value(),
      outputs: canaries.value(),
      metrics: marked(),
    });
    await sent('POST', '/v1/events', { ...event(), event_id, error: `cannot parse ${canaries.text()}` });
    await sent('PUT', `/v1/events/${early}`, { outputs: canaries.value(), metrics: marked() });
    await sent('POST', '/v1/events', { ...event(), event_id: early });
    await sent('PUT', `/v1/events/${event_id}`, {
      outputs: canaries.value(),
      metrics: {
        accuracy: 0.5,
        accuracy_explanation: `because it says ${canaries.text()}`,
        ...marked(),
      },
    });
    await sent('POST', '/v1/events/batch', { events: [event(), event()] });
    await sent('POST', '/v1/sessions', {
      session_name: 's',
      inputs: canaries.value(),
      outputs: canaries.value(),
      metrics: marked(),
    });
    await sent('POST', '/opentelemetry/v1/traces', otlpBody(canaries, marked));
  });

  it('makes datapoints of events and reports that values are redacted', async () => {
    await client.search({ limit: 1 });
    const values = ['inputs.text', 'inputs.list', 'outputs.json', 'error', 'metadata.error_stack'];
    const mappings = [{}, { inputs: values, history: ['inputs.messages'], ground_truth: ['outputs'] }];
    for (const mapping of mappings) {
      const response = await client.post('/v1/datapoints/batch', { selectAll: true, mapping });
      const { insertedIds, redacted } = response.json<{ insertedIds: string[]; redacted: boolean }>();
      expect([response.status, insertedIds.length > 5, redacted]).toEqual([200, true, true]);
    }
    const { datapoints } = (await client.call('GET', '/v1/datapoints')).json<{
      datapoints: { inputs: { text?: string }; linked_event: string }[];
    }>();
    expect(datapoints.filter(({ inputs }) => inputs.text === '').length).toBeGreaterThan(5);
    for (const { linked_event } of datapoints) expect(linked_event).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('accepts scores and explanations of reviewers', async () => {
    const { events } = await client.search({ limit: 1 });
    const eventId = String(events[0]?.event_id);
    await sent('POST', '/v1/metrics', { name: 'tone', type: 'HUMAN', criteria: 'How is it?' });
    const created = await client.post('/v1/queues', { name: 'q', event_ids: [eventId] });
    const queue = created.json<{ queue: { id: string } }>().queue.id;
    const metrics = { tone: 4, tone_explanation: `it says ${canaries.text()}` };
    await sent('PUT', `/v1/queues/${queue}/events/${eventId}`, { done: true, metrics });
    await sent('PUT', `/v1/events/${eventId}`, { metrics: marked() });
  });

  it('returns the values from the data plane', async () => {
    const { events } = await client.search({ limit: 100 });
    expect(canaries.count).toBeGreaterThan(100);
    const found = canaries.foundIn(Buffer.from(JSON.stringify(events)));
    expect(found.length).toBeGreaterThan(canaries.count * 0.6);
  });

  it('sends no value to the control plane', async () => {
    await waitFor(
      'everything is forwarded',
      async () => {
        if (watched.hasSummaries === false) return nothingWaits(client);
        const bytes = await watched.seen();
        return markers.every((marker) => bytes.includes(marker));
      },
      { withinMs: 120_000 },
    );
    const { stack } = watched;
    const metrics = await readMetrics(stack.adminUrl(stack.services[0]!));
    const projects = await client.call('GET', '/v1/projects');
    expect(
      canaries.foundIn(Buffer.concat([await watched.seen(), Buffer.from(metrics + projects.text)])),
    ).toEqual([]);
  });

  it('sends the structure that filters need', async () => {
    const bytes = await watched.seen();
    for (const key of ['fraction', 'deeper', 'dotted.key', 'polluted'])
      expect(bytes.includes(key)).toBe(true);
  });
}

/** Whether the stage `forwarded` has handled every record of the log. */
async function nothingWaits(client: Client): Promise<boolean> {
  const status = await client.call('GET', '/v1/status');
  const { stages } = status.json<{ stages: { name: string; lag_records: number | null }[] }>();
  return stages.find(({ name }) => name === 'forwarded')?.lag_records === 0;
}

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });

/** Spans whose inputs and outputs come in the shapes of several conventions, one of them unreadable, and a failed one that quotes its input. */
function otlpBody(canaries: Canaries, marked: () => Record<string, number>) {
  const chat = (content: string) => JSON.stringify([{ role: 'user', parts: [{ type: 'text', content }] }]);
  const spans = [
    [
      text('gen_ai.operation.name', 'chat'),
      text('gen_ai.input.messages', chat(canaries.text())),
      text('gen_ai.output.messages', chat(canaries.text())),
    ],
    [
      text('gen_ai.operation.name', 'chat'),
      text('gen_ai.input.messages', `[{"role": "user", ${canaries.text()}`),
    ],
    [
      text('openinference.span.kind', 'CHAIN'),
      text('input.value', JSON.stringify(canaries.value())),
      text('output.value', canaries.text()),
    ],
    [
      text('honeyhive_event_type', 'tool'),
      text('honeyhive_inputs.q', canaries.text()),
      text('honeyhive_outputs.result', canaries.text()),
    ],
    [
      text('traceloop.span.kind', 'workflow'),
      text('traceloop.entity.input', canaries.text()),
      text('traceloop.entity.output', canaries.text()),
    ],
  ];
  const exception = [
    text('exception.type', 'ValueError'),
    text('exception.message', canaries.text()),
    text('exception.stacktrace', canaries.text()),
  ];
  const now = BigInt(Date.now()) * 1_000_000n;
  const time = { startTimeUnixNano: String(now), endTimeUnixNano: String(now + 1_000_000n) };
  const encoded = spans.map((attributes, index) => ({
    traceId: randomUUID().replaceAll('-', ''),
    spanId: randomUUID().replaceAll('-', '').slice(16),
    name: Object.keys(marked())[0],
    ...time,
    attributes,
    status: index === 0 ? { code: 2, message: canaries.text() } : {},
    events: index === 0 ? [{ timeUnixNano: String(now), name: 'exception', attributes: exception }] : [],
  }));
  return { resourceSpans: [{ scopeSpans: [{ spans: encoded }] }] };
}
