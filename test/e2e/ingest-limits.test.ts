import { randomUUID } from 'node:crypto';
import type { StatusResponse } from '@assay/contracts';
import { encodeRequest } from '@assay/otlp';
import { requestJson, spanJson } from '@assay/otlp/test/otlp-request';
import { waitFor } from '@assay/testing';
import { callGrpc } from '../harness/otlp/call-grpc.js';
import { Client, type ApiResponse } from '../harness/stack/client.js';
import { freePort } from '../harness/stack/free-port.js';
import { onStack } from '../harness/stack/on-stack.js';
import { readMetrics } from '../harness/stack/read-metrics.js';
import { startStandalone } from '../harness/stack/start-standalone.js';

const RESOURCE_EXHAUSTED = 8;
/** No test takes so long that one event is allowed again: the request before it was this much larger. */
const BURST = 200;
const PROTOBUF = { 'content-type': 'application/x-protobuf' };

describe('limits of what is sent', () => {
  let grpcPort = 0;
  const { stack, client } = onStack(async () => {
    grpcPort = await freePort();
    return startStandalone({
      ASSAY_OTLP_GRPC_PORT: String(grpcPort),
      PROJECT_BYTES_PER_DAY: '100000000',
      // A slow machine must not refuse what the limits allow.
      MAX_STORE_LAG_SECONDS: '0',
    });
  });

  const event = () => ({ event_type: 'tool', event_id: randomUUID(), session_id: randomUUID(), inputs: {} });
  const batch = (count: number) => ({ events: Array.from({ length: count }, event) });
  const span = () => {
    const traceId = randomUUID().replaceAll('-', '');
    return requestJson([spanJson({ name: 'a', traceId, attributes: { 'gen_ai.operation.name': 'chat' } })]);
  };
  async function aProject(limits?: object) {
    const name = randomUUID();
    const made = await client.post(
      '/v1/projects',
      { name, ...(limits && { limits }) },
      { key: stack.adminToken },
    );
    const { id, api_key: key } = made.json<{ id: string; api_key: string }>();
    return { id, name, key, client: new Client(stack, key) };
  }
  const status = async (of: Client) =>
    (await of.call('GET', '/v1/status')).json<StatusResponse>().ingest_limits;
  const ofTools = [{ field: 'event_type', operator: 'is', type: 'string', value: 'tool' }];
  const tools = async (of: Client) => (await of.search({ filters: ofTools, limit: 1 })).count;

  function expectRefused(response: ApiResponse, message: string): void {
    expect([response.status, response.text]).toEqual([429, expect.stringContaining(message)]);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  }

  it('are refused with 429 on every way in, whole, while others send and deletes pass', async () => {
    const [full, quiet] = [await aProject({ events_per_second: 1 }), await aProject()];
    const large = batch(BURST);
    const id = large.events[0]?.event_id;
    expect((await full.client.post('/v1/events/batch', large)).status).toBe(200);
    const message = 'limits.events_per_second of the project is reached';
    const sent = {
      json: () => full.client.post('/v1/events', event()),
      batch: () => full.client.post('/v1/events/batch', batch(3)),
      session: () => full.client.post('/v1/sessions', { session_name: 's' }),
      update: () => full.client.call('PUT', `/v1/events/${id}`, { body: { metadata: { a: 1 } } }),
      otlpJson: () => full.client.post('/v1/traces', span()),
      otlpProtobuf: () =>
        full.client.call('POST', '/v1/traces', { bytes: encodeRequest(span()), headers: PROTOBUF }),
    };
    for (const send of Object.values(sent)) expectRefused(await send(), message);
    const { error } = await callGrpc(`127.0.0.1:${grpcPort}`, encodeRequest(span()), { key: full.key });
    expect([error?.code, error?.details]).toEqual([RESOURCE_EXHAUSTED, expect.stringContaining(message)]);
    const [details] = error?.metadata.get('grpc-status-details-bin') ?? [];
    expect(details?.toString('latin1')).toContain('google.rpc.RetryInfo');
    expect((await full.client.call('DELETE', `/v1/events/${id}`)).status).toBe(200);

    for (let n = 0; n < 5; n++)
      expect((await quiet.client.post('/v1/events/batch', batch(50))).status).toBe(200);
    const traced = await quiet.client.post('/v1/traces', span());
    expect(traced.status).toBe(200);
    const { project, key } = await status(full.client);
    expect(project).toMatchObject({ events_per_second: 1, bytes_per_day: 100_000_000, refused_requests: 7 });
    expect(project.bytes_today).toBeGreaterThan(BURST * 50);
    expect(key).toEqual({
      ...{ events_per_second: null, bytes_per_day: null, bytes_today: null, refused_requests: null },
    });
    expect((await status(quiet.client)).project).toMatchObject({
      events_per_second: null,
      refused_requests: 0,
    });
    const metrics = await readMetrics(stack.adminUrl('standalone'));
    expect(metrics).toMatch(/assay_ingest_limited_total\{of="project",limit="events_per_second"\} [1-9]/);
    expect(metrics).toMatch(/assay_ingest_refused_total\{reason="rate_limited"\} [1-9]/);
    expect(await tools(full.client)).toBe(BURST - 1);
    expect(await tools(quiet.client)).toBe(250);
  });

  it('of bytes are those of the installation unless the project has others, until the day ends', async () => {
    const project = await aProject({ bytes_per_day: 1_000 });
    const large = { ...event(), inputs: { a: 'x'.repeat(5_000) } };
    expect((await project.client.post('/v1/events', large)).status).toBe(200);
    const refused = await project.client.post('/v1/events', event());
    expectRefused(refused, 'limits.bytes_per_day of the project is reached');
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
    await client.call('PUT', '/v1/projects', {
      body: { name: project.name, limits: { bytes_per_day: null } },
      key: stack.adminToken,
    });
    const { project: limits } = await statusOf(
      project.client,
      ({ project: of }) => of.bytes_per_day === null,
    );
    expect(limits.bytes_per_day).toBeNull();
    expect((await project.client.post('/v1/events', event())).status).toBe(200);
  });

  it('of a key hold for it alone, beside those of its project', async () => {
    const project = await aProject();
    const made = await project.client.post(`/v1/projects/${project.id}/fine_grained_api_keys`, {
      ...{ name: 'k', permissions: [], limits: { events_per_second: 1 } },
    });
    const { key_value: key } = made.json<{ data: { key_value: string } }>().data;
    const ofKey = new Client(stack, key);
    expect((await ofKey.post('/v1/events/batch', batch(BURST))).status).toBe(200);
    expectRefused(await ofKey.post('/v1/events', event()), 'limits.events_per_second of the key is reached');
    expect((await project.client.post('/v1/events/batch', batch(50))).status).toBe(200);
    const { key: limits } = await status(ofKey);
    expect(limits).toMatchObject({ events_per_second: 1, bytes_today: null, refused_requests: 1 });
  });

  /** Waits until the cached key has its new limits. */
  async function statusOf(of: Client, isReached: (limits: StatusResponse['ingest_limits']) => boolean) {
    await waitFor('the limits to be known', async () => isReached(await status(of)));
    return status(of);
  }
});
