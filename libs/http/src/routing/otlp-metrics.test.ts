import { gzipSync } from 'node:zlib';
import { createMetric, exportMetrics } from '@assay/contracts';
import { decodeMessage } from '@assay/otlp';
import request from 'supertest';
import { CALLER, INGEST_KEY, KEY, sampleApp } from '../../test/sample-app.js';
import { bind, bindRaw } from './bind.js';
import { acceptOtlpMetrics } from './otlp-metrics.js';

const METRIC = { name: 'helpful', type: 'LLM', criteria: 'is it?' };
const OTLP = '{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"sum":{"dataPoints":[{},{}]}}]}]}]}';
const PROTOBUF = 'application/x-protobuf';

const otlp = bindRaw(exportMetrics, ({ contentType }) =>
  Promise.resolve({ status: 200, contentType, body: contentType === PROTOBUF ? Buffer.alloc(0) : '{}' }),
);
const created = acceptOtlpMetrics(
  bind(createMetric, () => Promise.resolve({ inserted: true, metric_id: 'm' })),
);

function post(bindings: (typeof otlp)[], path: string, type: string, body: string | Buffer) {
  const call = request(sampleApp({ bindings }).listener).post(path).set(KEY).set('Content-Type', type);
  void call.serialize((value: unknown) => value as string);
  return call.send(body as string);
}

describe('an address that metric definitions share with OTLP metrics', () => {
  it('creates a metric from JSON', async () => {
    const response = await post([created, otlp], '/v1/metrics', 'application/json', JSON.stringify(METRIC));
    expect([response.status, response.body]).toEqual([200, { inserted: true, metric_id: 'm' }]);
  });

  it.each(['/v1/metrics', '/v1/metrics/', '/v1/metrics?a=1', '/opentelemetry/v1/metrics'])(
    'accepts OTLP in protobuf at %s',
    async (path) => {
      const response = await post([created, otlp], path, PROTOBUF, Buffer.alloc(0));
      expect([response.status, response.headers['content-type']]).toEqual([200, PROTOBUF]);
    },
  );

  it.each([OTLP, ` \n${OTLP}`, OTLP.replace('resourceMetrics', 'resource_metrics')])(
    'accepts OTLP in JSON, by the shape of the body: %s',
    async (body) => {
      const response = await post([created, otlp], '/v1/metrics', 'application/json', body);
      expect(response.status).toBe(200);
      expect(response.body).toMatchObject({ partialSuccess: { rejectedDataPoints: '2' } });
    },
  );

  it('accepts compressed OTLP in JSON', async () => {
    const { listener } = sampleApp({ bindings: [created, otlp] });
    const call = request(listener).post('/v1/metrics').set(KEY).set('Content-Encoding', 'gzip');
    void call.set('Content-Type', 'application/json').serialize((value: unknown) => value as string);
    const response = await call.send(gzipSync(OTLP) as unknown as string);
    expect(response.body).toMatchObject({ partialSuccess: { rejectedDataPoints: '2' } });
  });

  it('accepts OTLP in JSON, and nothing else, with a key that may only send events', async () => {
    const send = async (body: string, type = 'application/json') => {
      const { listener } = sampleApp({ bindings: [created, otlp] });
      const call = request(listener).post('/v1/metrics').set(INGEST_KEY).set('Content-Type', type);
      void call.serialize((value: unknown) => value as string);
      return (await call.send(body)).status;
    };
    expect(await send(OTLP)).toBe(200);
    for (const body of [JSON.stringify(METRIC), `[${OTLP}]`, '{"resourceLogs":[]}', ''])
      expect([body, await send(body)]).toEqual([body, 403]);
    expect(await send(OTLP, 'text/plain')).toBe(403);
  });

  it.each([
    ['events:write', OTLP, 200],
    ['metrics:write', OTLP, 403],
    ['events:write', JSON.stringify(METRIC), 403],
    ['metrics:write', JSON.stringify(METRIC), 200],
  ] as const)('needs the permission of what is sent: %s, %s', async (permission, body, status) => {
    const authenticate = () => Promise.resolve({ ...CALLER, permissions: [permission] });
    const { listener } = sampleApp({ bindings: [created, otlp], authenticator: { authenticate } });
    const call = request(listener).post('/v1/metrics').set(KEY).set('Content-Type', 'application/json');
    void call.serialize((value: unknown) => value as string);
    expect((await call.send(body)).status).toBe(status);
  });

  it('still rejects what is neither', async () => {
    for (const body of ['{"resourceLogs":[]}', '{}', '{', ''])
      expect((await post([created, otlp], '/v1/metrics', 'application/json', body)).status).toBe(400);
    expect((await post([created, otlp], '/v1/metrics', 'text/plain', OTLP)).status).toBe(415);
  });

  it('belongs to OTLP alone in a process without metric definitions', async () => {
    const response = await post([otlp], '/v1/metrics', 'application/json', OTLP);
    expect([response.status, response.body]).toEqual([200, {}]);
  });

  it('answers a failure in the encoding of the request', async () => {
    const failing = bindRaw(exportMetrics, () => Promise.reject(new Error('a text that stays inside')));
    const call = request(sampleApp({ bindings: [created, failing] }).listener)
      .post('/v1/metrics')
      .set(KEY);
    void call
      .set('Content-Type', PROTOBUF)
      .buffer(true)
      .parse(bytesOf)
      .serialize((value: unknown) => value as string);
    const response = await call.send(Buffer.alloc(0) as unknown as string);
    expect(response.status).toBe(503);
    expect(decodeMessage('Status', response.body as Buffer)).toMatchObject({ code: 14 });
  });
});

function bytesOf(response: request.Response, done: (error: Error | null, body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('end', () => done(null, Buffer.concat(chunks)));
}
