import { randomUUID } from 'node:crypto';
import { encodeMessage, encodeRequest } from '@assay/otlp';
import { CONVERSATION, encodedLogs, logRecord } from '@assay/otlp/test/log-records';
import { requestJson, spanJson } from '@assay/otlp/test/otlp-request';
import { ALL_VECTORS } from '@assay/otlp/test/random-span';
import { callGrpc, type GrpcCall } from '../harness/otlp/call-grpc.js';
import { exportTrace } from '../harness/otlp/export-trace.js';
import { Client } from '../harness/stack/client.js';
import type { Stack } from '../harness/stack/stack.js';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const MAX_EVENTS = 1000;

/** One trace for every test vector of the mapping, as one request. */
function vectorRequest(): Buffer {
  const resources = ALL_VECTORS.map(([, spans, , scope], index) => {
    const traceId = (index + 1).toString(16).padStart(32, '0');
    const request = requestJson(
      spans.map((span) => spanJson({ ...span, traceId })),
      {},
      scope,
    );
    return (request as { resourceSpans: object[] }).resourceSpans;
  });
  return encodeRequest({ resourceSpans: resources.flat() });
}

interface FoundEvent {
  readonly event_id: string;
  readonly event_name: string;
  readonly children_ids: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The events of spans, in a fixed order. Ids, which depend on the project, are numbered. */
async function comparableEvents(client: Client): Promise<object[]> {
  const { events } = await client.search({ filters: [], limit: MAX_EVENTS });
  const ofSpans = (events as unknown as FoundEvent[])
    .filter(({ metadata }) => metadata.span_id !== undefined)
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const numbers = new Map(ofSpans.map(({ event_id }, index) => [event_id, index]));
  const numberOf = (id: string) => {
    numbers.set(id, numbers.get(id) ?? numbers.size);
    return `id ${numbers.get(id)}`;
  };
  return ofSpans.map((event) => {
    const text = JSON.stringify({ ...event, children_ids: [], project: '', project_id: '' });
    const numbered = JSON.parse(text.replace(UUID, numberOf)) as object;
    return { ...numbered, children_ids: event.children_ids.map(numberOf).sort() };
  });
}

function nameOf({ metadata, event_name }: FoundEvent): string {
  return `${String(metadata.trace_id)} ${String(metadata.span_id)} ${event_name}`;
}

/** Declares the tests of OTLP over gRPC on a started stack. */
export function grpcTests(stack: Stack, addressOf: () => string): void {
  const call = (message: Buffer, options: GrpcCall) => callGrpc(addressOf(), message, options);

  async function newProject(): Promise<{ readonly key: string; readonly client: Client }> {
    const admin = new Client(stack, stack.adminToken);
    const created = await admin.post('/v1/projects', { name: randomUUID() });
    const { api_key: key } = created.json<{ api_key: string }>();
    return { key, client: new Client(stack, key) };
  }

  it('stores the same events as OTLP over HTTP for every test vector, also with gzip', async () => {
    const request = vectorRequest();
    const [byHttp, byGrpc] = [await newProject(), await newProject()];
    const headers = { 'content-type': 'application/x-protobuf' };
    const response = await byHttp.client.call('POST', '/v1/traces', { bytes: request, headers });
    const called = await call(request, { key: byGrpc.key, gzip: true });
    expect(called.error).toBeNull();
    expect(called.response?.toString('latin1')).toBe(response.text);
    const expected = await comparableEvents(byHttp.client);
    expect(expected.length).toBeGreaterThanOrEqual(ALL_VECTORS.length);
    expect(await comparableEvents(byGrpc.client)).toEqual(expected);
  });

  it('stores the same log events as OTLP over HTTP, with severity, resource and scope', async () => {
    const request = encodedLogs([
      ...CONVERSATION,
      logRecord({ eventName: 'gen_ai.other', severityNumber: 13, severityText: 'WARN' }),
    ]).protobuf;
    const [byHttp, byGrpc] = [await newProject(), await newProject()];
    const headers = { 'content-type': 'application/x-protobuf' };
    const response = await byHttp.client.call('POST', '/v1/logs', { bytes: request, headers });
    const called = await call(request, { key: byGrpc.key, signal: 'logs' });
    expect([called.error, called.response?.toString('latin1')]).toEqual([null, response.text]);
    const expected = await comparableEvents(byHttp.client);
    const otel = { resource: { 'service.name': 'shop' }, scope: { name: 'logs' } };
    expect(expected).toMatchObject([{ metadata: { severity_number: 13, severity_text: 'WARN', otel } }]);
    expect(await comparableEvents(byGrpc.client)).toEqual(expected);
  });

  it('stores a trace from the stock exporter of OpenTelemetry for Node', async () => {
    const { key, client } = await newProject();
    const marker = randomUUID();
    const { baseUrl } = stack;
    const sent = { baseUrl, apiKey: key, encoding: 'grpc', marker, grpcAddress: addressOf() } as const;
    const traceId = await exportTrace(sent);
    const filters = [{ field: 'metadata.trace_id', operator: 'is', value: traceId }];
    const { events } = await client.search({ filters });
    expect(events.map(({ event_name }) => event_name).sort()).toEqual(['answer question', 'chat gpt-4o']);
    expect(JSON.stringify(events)).toContain(`Hello ${marker}`);
  });

  it('counts what is not stored of logs and metrics, as over HTTP', async () => {
    const record = { body: { stringValue: 'of another library' } };
    const logs = encodeMessage('ExportLogsServiceRequest', {
      resourceLogs: [{ scopeLogs: [{ logRecords: [record, record] }] }],
    });
    const path = '/v1/logs';
    const headers = { 'content-type': 'application/x-protobuf' };
    const response = await new Client(stack).call('POST', path, { bytes: logs, headers });
    const called = await call(logs, { key: stack.apiKey, signal: 'logs' });
    expect([called.error, called.response?.toString('latin1')]).toEqual([null, response.text]);
    expect(response.text).not.toBe('');
    expect(await call(Buffer.alloc(0), { key: stack.apiKey, signal: 'metrics' })).toMatchObject({
      error: null,
    });
  });

  it.each<[string, { readonly key?: string }, Buffer, number]>([
    ['an unknown key', { key: 'hh_unknown' }, Buffer.alloc(0), 16],
    ['a call without a key', { key: '' }, Buffer.alloc(0), 16],
    ['a message that is not OTLP', {}, Buffer.from('no protobuf'), 3],
  ])('rejects %s with the same text as over HTTP', async (_, { key = stack.apiKey }, message, code) => {
    const { error } = await call(message, { key });
    expect(error?.code).toBe(code);
    const headers = { 'content-type': 'application/x-protobuf' };
    const byHttp = await new Client(stack).call('POST', '/v1/traces', { bytes: message, headers, key });
    expect(error?.details).not.toBe('');
    expect(byHttp.text).toContain(error?.details);
  });
}
