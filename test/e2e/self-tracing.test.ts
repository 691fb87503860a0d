import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@assay/testing';
import { startOtlpReceiver, type OtlpReceiver } from '../harness/otlp/otlp-receiver.js';
import { Client } from '../harness/stack/client.js';
import { freePort } from '../harness/stack/free-port.js';
import { onStack } from '../harness/stack/on-stack.js';
import { readMetrics } from '../harness/stack/read-metrics.js';
import { repository } from '../harness/stack/repository.js';
import type { Stack } from '../harness/stack/stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';

const CANARY = 'canary-9b21';
const event = (more: object = {}) => ({ event_type: 'tool', inputs: { secret: CANARY }, ...more });
const ALWAYS = { OTEL_TRACES_SAMPLER: 'always_on', OTEL_BSP_SCHEDULE_DELAY: '100' };

/** Returns the value of a metric with these labels; 0 when it is not there. */
async function metricOf(stack: Stack, line: RegExp): Promise<number> {
  return Number(line.exec(await readMetrics(stack.adminUrl('standalone')))?.[1] ?? 0);
}

const DROPPED = /^assay_telemetry_spans_dropped_total\{reason="queue_full"\} (\d+)$/m;
const REFUSED = /^assay_telemetry_spans_dropped_total\{reason="refused"\} (\d+)$/m;
const EXPORTED = /^assay_telemetry_spans_exported_total (\d+)$/m;
const FAILED = /^assay_telemetry_export_failures_total\{signal="traces"\} (\d+)$/m;

describe('the traces of the single process', () => {
  let receiver: OtlpReceiver;
  const { client } = onStack(async () => {
    receiver = await startOtlpReceiver();
    return startStandalone({
      ...ALWAYS,
      OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/base`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a%20b',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
  });
  afterAll(() => receiver.stop());

  const spanNamed = (name: string, traceId?: string) =>
    waitFor(`the span ${name}`, () =>
      receiver
        .spans()
        .find((span) => span.name === name && (traceId === undefined || span.traceId === traceId)),
    );
  const linkedTo = (name: string, traceId: string) =>
    waitFor(`the span ${name} with a link`, () =>
      receiver
        .spans()
        .find((span) => span.name === name && span.links.some((link) => link.traceId === traceId)),
    );

  it('follow a request to the log, the store, evaluation and forwarding', async () => {
    expect((await client.post('/v1/events?hidden=1', event())).status).toBe(200);
    const request = await spanNamed('POST /v1/events');
    expect(request.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/v1/events',
      'assay.operation': 'createEvent',
    });
    expect(request.attributes['assay.project.id']).toEqual(expect.stringMatching(/./));
    expect(Number(request.attributes['http.response.status_code'])).toBe(200);
    expect(request.resource).toMatchObject({
      'service.name': 'assay-standalone',
      'deployment.environment.name': 'test',
    });
    const append = await spanNamed('append to the log', request.traceId);
    expect(append.parentSpanId).toBe(request.spanId);
    for (const name of ['store batch', 'evaluate batch', 'forward batch']) {
      const batch = await linkedTo(name, request.traceId);
      expect(batch.traceId).not.toBe(request.traceId);
      expect(batch.links).toContainEqual({ traceId: request.traceId, spanId: request.spanId });
    }
    const exported = receiver.received.find(({ path }) => path === '/base/v1/traces');
    expect(exported?.headers).toMatchObject({ 'x-tenant': 'a b', 'content-type': 'application/x-protobuf' });
    const all = Buffer.concat(receiver.received.map(({ bytes }) => bytes)).toString('latin1');
    expect(all).not.toMatch(new RegExp(`${CANARY}|hidden|hh_fgdp_`));
  });

  it('have the evaluations of the event of a request', async () => {
    const metric = {
      ...{ name: 'length', type: 'PYTHON', criteria: 'def length(event):\n    return 1' },
      ...{ enabled_in_prod: true, sampling_percentage: 100 },
      filters: { filterArray: [{ field: 'event_name', operator: 'is', value: 'judged', type: 'string' }] },
    };
    expect((await client.post('/v1/metrics', metric)).status).toBe(200);
    const traceparent = `00-${'c'.repeat(32)}-b7ad6b7169203331-01`;
    const sent = await client.post('/v1/events', event({ event_name: 'judged' }), {
      headers: { traceparent },
    });
    expect(sent.status).toBe(200);
    const span = await linkedTo('evaluate event', 'c'.repeat(32));
    expect(span.attributes['assay.evaluations']).toEqual(expect.anything());
  });

  it('count what a span of a batch does not link to', async () => {
    const requests = Array.from({ length: 300 }, () => client.post('/v1/events', event()));
    for (const { status } of await Promise.all(requests)) expect(status).toBe(200);
    const batch = await waitFor('a batch with more links', () =>
      receiver
        .spans()
        .find(({ name, attributes }) => name === 'forward batch' && 'assay.links.dropped' in attributes),
    );
    expect(batch.links).toHaveLength(32);
  });

  it('name the route and the class of a failure, and nothing that was sent', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    expect((await client.call('GET', `/v1/queues/${id}/events`)).status).toBe(404);
    const span = await spanNamed('GET /v1/queues/{queue_id}/events');
    expect(span.attributes).toMatchObject({ 'error.type': 'NOT_FOUND' });
    expect(JSON.stringify(span)).not.toContain(id);
  });
});

describe('the sampling of traces', () => {
  let receiver: OtlpReceiver;
  const { stack, client } = onStack(async () => {
    receiver = await startOtlpReceiver();
    return startStandalone({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_METRIC_EXPORT_INTERVAL: '1000',
    });
  });
  afterAll(() => receiver.stop());

  it('follows the sender, who may ask for some requests a second only', async () => {
    const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
    const send = (traceparent: string) => client.post('/v1/events', event(), { headers: { traceparent } });
    await client.post('/v1/events', event());
    for (const text of [`00-${traceId}-${spanId}-00`, 'nonsense', `00-${'0'.repeat(32)}-${spanId}-01`])
      await send(text);
    await send(`00-${traceId}-${spanId}-01`);
    const span = await waitFor('the span of the request', () =>
      receiver.spans().find(({ name }) => name === 'POST /v1/events'),
    );
    expect([span.traceId, span.parentSpanId]).toEqual([traceId, spanId]);
    expect(receiver.spans().filter(({ name }) => name === 'POST /v1/events')).toHaveLength(1);
  });

  it('leaves the metrics of Prometheus alone, which arrive in OTLP', async () => {
    interface Metric {
      readonly name: string;
      readonly sum?: { readonly isMonotonic: boolean };
      readonly gauge?: object;
      readonly histogram?: {
        readonly dataPoints: readonly {
          readonly count: number;
          readonly bucketCounts: readonly number[];
          readonly explicitBounds: readonly number[];
        }[];
      };
    }
    const metrics = await waitFor('metrics of an accepted event', () => {
      const last = receiver.received.filter(({ path }) => path === '/v1/metrics').at(-1);
      if (last === undefined) return undefined;
      const { resourceMetrics } = JSON.parse(last.bytes.toString()) as {
        resourceMetrics: { scopeMetrics: { metrics: Metric[] }[] }[];
      };
      const found = resourceMetrics.flatMap(({ scopeMetrics }) =>
        scopeMetrics.flatMap((scope) => scope.metrics),
      );
      const served = found.find(({ name }) => name === 'assay_http_request_duration_seconds');
      return (served?.histogram?.dataPoints.length ?? 0) > 0 && found;
    });
    const byName = new Map(metrics.map((metric) => [metric.name, metric]));
    expect(byName.get('assay_ingest_accepted_records_total')?.sum?.isMonotonic).toBe(true);
    expect(byName.get('assay_http_body_bytes')?.gauge).toBeDefined();
    const points = byName.get('assay_http_request_duration_seconds')?.histogram?.dataPoints ?? [];
    for (const { count, bucketCounts, explicitBounds } of points) {
      expect(bucketCounts).toHaveLength(explicitBounds.length + 1);
      expect(bucketCounts.reduce((sum, one) => sum + one, 0)).toBe(count);
    }
    expect(await metricOf(stack, FAILED)).toBe(0);
  });
});

describe('telemetry that is not set', () => {
  const { stack, client } = onStack(() =>
    // Without an endpoint they are settings of other programs.
    startStandalone({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_SAMPLER: 'xray' }),
  );

  it('leaves no trace in a process', async () => {
    expect((await client.post('/v1/events', event())).status).toBe(200);
    expect(await readMetrics(stack.adminUrl('standalone'))).not.toContain('assay_telemetry');
    const program = join(repository, 'deploy/standalone/dist/compose.js');
    const loaded = `require(${JSON.stringify(program)}); Object.keys(require.cache).join('\\n')`;
    const { status, stdout } = spawnSync(process.execPath, ['-p', loaded], { encoding: 'utf8' });
    expect(status).toBe(0);
    expect(stdout).toContain('libs/telemetry/dist');
    expect(stdout).not.toMatch(/opentelemetry\+(sdk|otlp)|telemetry\/dist\/sdk/);
  });
});

describe('telemetry that a process sends to itself', () => {
  let url = '';
  const { stack, client } = onStack(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const key = 'hh_fgdp_key-of-self-tracing-0001';
    return startStandalone({
      ...ALWAYS,
      ASSAY_PORT: String(port),
      ASSAY_API_KEY: key,
      OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/opentelemetry`,
      OTEL_EXPORTER_OTLP_HEADERS: `Authorization=Bearer%20${key}`,
      OTEL_METRICS_EXPORTER: 'none',
    });
  });

  it('is stored, and makes no telemetry of its own', async () => {
    for (let sent = 0; sent < 5; sent += 1)
      expect((await client.post('/v1/events', event())).status).toBe(200);
    const spansNamed = async (name: string) => {
      const is = (field: string, value: string) => ({ field, operator: 'is', value, type: 'string' });
      const filters = [is('event_name', name), is('event_type', 'chain')];
      return (await client.search({ filters })).events;
    };
    const has = (name: string) => async () => (await spansNamed(name)).length === 5;
    await waitFor('the spans of the requests', has('POST /v1/events'));
    await waitFor('the spans of the appends', has('append to the log'));
    // A search has waited for what was accepted before, exports among that: each could have had a request, an append and a batch.
    expect(await spansNamed('POST /opentelemetry/v1/traces')).toEqual([]);
    expect(await metricOf(stack, EXPORTED)).toBeGreaterThanOrEqual(10);
  });
});

describe('an endpoint of telemetry that fails', () => {
  /** More than the queue takes, which is 2,048 spans: each event has two. */
  const TOO_MANY = 1_200;
  const sendMany = async (stack: Stack, events: number) => {
    const client = new Client(stack);
    for (let sent = 0; sent < events; sent += 40) {
      const responses = await Promise.all(
        Array.from({ length: 40 }, () => client.post('/v1/events', event())),
      );
      for (const { status } of responses) expect(status).toBe(200);
    }
  };

  it.each([
    ['hangs', () => undefined, DROPPED, TOO_MANY],
    [
      'is overloaded',
      (_: unknown, response: { writeHead(status: number): { end(): void } }) => response.writeHead(503).end(),
      DROPPED,
      TOO_MANY,
    ],
    [
      'refuses',
      (_: unknown, response: { writeHead(status: number): { end(): void } }) => response.writeHead(401).end(),
      REFUSED,
      40,
    ],
  ])(
    'and %s costs no event, is counted, and does not hold the end of the process',
    async (_, respond, counted, events) => {
      const receiver = await startOtlpReceiver(respond);
      const stack = await startStandalone({
        ...ALWAYS,
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20secret-of-the-endpoint',
      });
      await sendMany(stack, events);
      await waitFor('spans that were dropped', async () => (await metricOf(stack, counted)) > 0);
      expect(receiver.received.length).toBeGreaterThan(0);
      const log = () => readFileSync(join(stack.dir, 'standalone.log'), 'utf8');
      expect(await stack.terminate('standalone')).toBe(0);
      expect(log().match(/telemetry was not exported/g) ?? []).toHaveLength(1);
      expect(log()).not.toMatch(/secret-of-the-endpoint|127\.0\.0\.1:\d+\/v1\/traces/);
      await receiver.stop();
    },
  );

  it('costs no event when nothing listens there', async () => {
    const stack = await startStandalone({
      ...ALWAYS,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    });
    expect((await new Client(stack).post('/v1/events', event())).status).toBe(200);
    await waitFor('a failed export', async () => (await metricOf(stack, FAILED)) > 0);
    expect(await stack.stop()).toBe(true);
  });
});

describe('wrong settings of telemetry', () => {
  it('refuse the start together, and are named without their values', () => {
    const wrong = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://user:secret-7@collector:4318',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_HEADERS: 'secret-7',
      OTEL_TRACES_SAMPLER: 'jaeger_remote',
      OTEL_TRACES_SAMPLER_ARG: '1.5',
      OTEL_TRACES_EXPORTER: 'zipkin',
      OTEL_METRIC_EXPORT_INTERVAL: '0',
      OTEL_SDK_DISABLED: 'yes',
    };
    const program = join(repository, 'deploy/standalone/dist/main.js');
    const { status, stderr } = spawnSync(process.execPath, [program], {
      cwd: tmpdir(),
      env: { PATH: process.env.PATH, ...wrong },
      encoding: 'utf8',
    });
    expect(status).toBe(78);
    for (const name of Object.keys(wrong)) expect(stderr).toContain(`  - ${name} `);
    expect(stderr).not.toContain('secret-7');
  });
});
