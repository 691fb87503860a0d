import { randomBytes } from 'node:crypto';
import type { Client } from '../harness/stack/client.js';
import { readMetrics } from '../harness/stack/read-metrics.js';
import type { Stack } from '../harness/stack/stack.js';

interface Rejections {
  readonly rejections: readonly {
    readonly route: string;
    readonly status: number;
    readonly reason: string;
    readonly field: string | null;
    readonly client: string | null;
  }[];
}

const JSON_TYPE = { 'content-type': 'application/json' };
const headers = { 'user-agent': 'exporter/1.0' };

/** Rejected requests are listed for their project, with the reason and the field, and without values. */
export function listsRejections({ client, stack }: { readonly client: Client; readonly stack: Stack }): void {
  const list = async (key?: string) => {
    const response = await client.call('GET', '/v1/ingest/rejections', { key });
    expect(response.status).toBe(200);
    return response.json<Rejections>().rejections;
  };

  it('sees why requests of the project were rejected, newest first', async () => {
    const wrong = { event_type: 'tool', inputs: {}, start_time: 'canary-7f3a' };
    expect((await client.post('/v1/events', wrong, { headers })).status).toBe(400);
    const bytes = '{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"canary-7f3a"}]}]}]}';
    const traces = await client.call('POST', '/v1/traces', { bytes, headers: { ...headers, ...JSON_TYPE } });
    expect(traces.status).toBe(400);
    const found = await list();
    expect(found.slice(0, 2)).toMatchObject([
      {
        route: 'POST /opentelemetry/v1/traces',
        status: 400,
        reason: 'VALIDATION_ERROR',
        client: 'exporter/1.0',
      },
      { route: 'POST /v1/events', status: 400, reason: 'VALIDATION_ERROR', field: 'start_time' },
    ]);
    expect(JSON.stringify(found)).not.toContain('canary-7f3a');
  });

  it('sees the rejected spans of an accepted request, and requests of keys without the permission', async () => {
    const ids = {
      traceId: '0af7651916cd43dd8448eb211c80319c',
      name: 'a',
      startTimeUnixNano: '1790000000000000000',
    };
    const spans = [
      { ...ids, spanId: 'b7ad6b7169203331' },
      { ...ids, spanId: 'short' },
    ];
    const bytes = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
    const sent = await client.call('POST', '/v1/traces', { bytes, headers: { ...headers, ...JSON_TYPE } });
    expect([sent.status, sent.text]).toEqual([200, expect.stringContaining('rejectedSpans')]);
    expect((await list())[0]).toMatchObject({ status: 200, reason: 'partial_success' });
    const [project] = (await client.call('GET', '/v1/projects')).json<{ id: string }[]>();
    const path = `/v1/projects/${project?.id}/fine_grained_api_keys`;
    const created = await client.post(path, { permissions: ['events:read'] });
    const key = created.json<{ data: { key_value: string } }>().data.key_value;
    expect((await client.post('/v1/events', {}, { key })).status).toBe(403);
    expect((await list(key))[0]).toMatchObject({
      route: 'POST /v1/events',
      status: 403,
      reason: 'FORBIDDEN',
    });
  });

  it('sees that values of a span were too large to be stored, beside what is stored of it', async () => {
    const traceId = randomBytes(16).toString('hex');
    const attributes = [
      { key: 'small', value: { stringValue: 'kept' } },
      { key: 'image', value: { stringValue: 'canary-7f3a'.repeat(1_000_000) } },
    ];
    const span = {
      traceId,
      spanId: 'b7ad6b7169203331',
      name: 'large',
      startTimeUnixNano: '1790000000000000000',
    };
    const bytes = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [{ ...span, attributes }] }] }] });
    const sent = await client.call('POST', '/v1/traces', { bytes, headers: { ...headers, ...JSON_TYPE } });
    expect(sent.json()).toEqual({
      partialSuccess: {
        rejectedSpans: '0',
        errorMessage: expect.stringMatching(/^1 event was larger than 10 MB/) as string,
      },
    });
    const [listed] = await list();
    expect(listed).toMatchObject({ status: 200, reason: 'partial_success', client: 'exporter/1.0' });
    expect(JSON.stringify(listed)).not.toContain('canary-7f3a');
    const filters = [{ field: 'metadata.trace_id', operator: 'is', value: traceId, type: 'string' }];
    const [event] = (await client.search({ filters })).events;
    expect(event).toMatchObject({
      event_name: 'large',
      metadata: { small: 'kept', truncated_values: 1, image: { assay_truncated: { bytes: 11_000_000 } } },
    });
  });

  it('sees no rejections of other projects', async () => {
    const created = await client.post('/v1/projects', { name: 'other' }, { key: stack.adminToken });
    const { api_key: key } = created.json<{ api_key: string }>();
    expect(await list(key)).toEqual([]);
  });

  it('counts accepted records and refused requests', async () => {
    const event = { event_type: 'tool', event_name: 'a', inputs: {}, start_time: 1, end_time: 2 };
    expect((await client.post('/v1/events', event)).status).toBe(200);
    const metrics = await readMetrics(stack.adminUrl('standalone'));
    expect(metrics).toMatch(/^assay_ingest_accepted_records_total [1-9]/m);
    expect(metrics).toMatch(/^assay_ingest_refused_total\{reason="validation_error"\} [1-9]/m);
    expect(metrics).toMatch(/^assay_ingest_refused_total\{reason="forbidden"\} 1$/m);
  });
}
