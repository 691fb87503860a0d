import type { StatusResponse } from '@assay/contracts';
import { waitFor } from '@assay/testing';
import type { Client } from '../harness/stack/client.js';
import { readMetrics } from '../harness/stack/read-metrics.js';
import type { Stack } from '../harness/stack/stack.js';

const event = { event_type: 'tool', event_name: 'a', inputs: {}, start_time: 1, end_time: 2 };

/** The status counts what each stage did with the records of the key's project, and how far it is behind. */
export function reportsStatus({ client, stack }: { readonly client: Client; readonly stack: Stack }): void {
  const status = async (key?: string) =>
    (await client.call('GET', '/v1/status', { key })).json<StatusResponse>();
  const counts = ({ stages }: StatusResponse) =>
    Object.fromEntries(
      stages.map(({ name, last_5_minutes: recent, last_hour: hour }) => [name, [recent, hour]]),
    );

  it('sees what of its project was accepted, stored, evaluated and forwarded', async () => {
    const created = await client.post('/v1/projects', { name: 'counted' }, { key: stack.adminToken });
    const { api_key: key } = created.json<{ api_key: string }>();
    const events = Array.from({ length: 7 }, () => event);
    expect((await client.post('/v1/events/batch', { events }, { key })).status).toBe(200);
    expect(counts(await status(key)).accepted?.[0]).toBeGreaterThanOrEqual(7);
    const accepted = counts(await status(key)).accepted;
    await waitFor('every stage has read the records', async () => {
      const stages = counts(await status(key));
      return ['stored', 'evaluated', 'forwarded'].every((name) => stages[name]?.[0] === accepted?.[0]);
    });
    await waitFor('nothing is behind', async () =>
      (await status(key)).stages.every((one) => !one.lag_records),
    );
    const totals = async () => (await status(key)).stages.map(({ total }) => total);
    const before = await totals();
    expect(before.every((total) => total >= 7)).toBe(true);
    expect(await totals()).toEqual(before);
    expect((await client.post('/v1/events', event, { key })).status).toBe(200);
    await waitFor('every total has moved', async () =>
      (await totals()).every((total, index) => total > (before[index] ?? 0)),
    );
    const { queryable_until: queryable, now, ...rest } = await status(key);
    expect(Date.parse(now) - Date.parse(queryable ?? '')).toBeLessThan(60_000);
    expect(rest).toMatchObject({
      version: '0.1.0',
      plane: 'standalone',
      redaction: { redact_values: false, redact_names: false, redact_numbers: false, redact_fields: [] },
      limits: { max_body_bytes: 52_428_800 },
      object_export: false,
      store: null,
      python: { available: true },
      providers: [],
      provider_states: [],
      evaluator_reason: null,
    });
    const judge = { type: 'LLM', criteria: 'Rate', model_provider: 'openai', model_name: 'gpt-4o' };
    const noEndpoint = {
      warnings: [expect.stringMatching(/^no endpoint is configured for model_provider/) as string],
    };
    const metric = await client.post('/v1/metrics', { name: 'without an endpoint', ...judge });
    expect(metric.json()).toMatchObject({
      inserted: true,
      ...noEndpoint,
    });
    const path = `/v1/metrics/${metric.json<{ metric_id: string }>().metric_id}`;
    expect((await client.call('GET', path)).json()).toMatchObject(noEndpoint);
    expect((await client.call('GET', '/v1/metrics')).json<{ metrics: object[] }>().metrics).toContainEqual(
      expect.objectContaining({ name: 'without an endpoint', ...noEndpoint }),
    );
    expect((await client.call('PUT', path, { body: { description: 'kept' } })).json()).toMatchObject(
      noEndpoint,
    );
    const code = { type: 'PYTHON', criteria: 'result = 1' };
    expect((await client.call('PUT', path, { body: code })).json()).toEqual({ updated: true });
    expect((await client.call('GET', path)).json()).not.toHaveProperty('warnings');
    expect(rest.stages.map(({ name, scope }) => `${name} ${scope}`)).toEqual([
      'accepted project',
      'stored project',
      'evaluated project',
      'forwarded project',
    ]);
  });

  it('sees no counts of other projects', async () => {
    const created = await client.post('/v1/projects', { name: 'empty' }, { key: stack.adminToken });
    const { api_key: key } = created.json<{ api_key: string }>();
    expect(counts(await status(key))).toEqual({
      accepted: [0, 0],
      stored: [0, 0],
      evaluated: [0, 0],
      forwarded: [0, 0],
    });
  });

  it('has metrics of the lag of every consumer group and of the time until events are visible', async () => {
    const metrics = await readMetrics(stack.adminUrl('standalone'));
    for (const group of ['store', 'forward', 'evaluate'])
      for (const unit of ['records', 'seconds'])
        expect(metrics).toMatch(new RegExp(`^assay_reader_lag_${unit}\\{group="${group}"\\} \\d`, 'm'));
    expect(metrics).toMatch(/^assay_event_visible_seconds_count [1-9]/m);
    expect(metrics).toMatch(/^assay_disk_size_bytes [1-9]/m);
    expect(metrics).toMatch(/^assay_log_bytes [1-9]/m);
    expect(metrics).toMatch(/^assay_http_requests_waiting \d/m);
    for (const state of ['running', 'waiting'])
      expect(metrics).toMatch(new RegExp(`^assay_queries\\{state="${state}"\\} 0$`, 'm'));
  });
}
