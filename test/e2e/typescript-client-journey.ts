import { randomUUID } from 'node:crypto';
import type { onStack } from '../harness/stack/on-stack.js';

const aText: unknown = expect.any(String);
const aTime: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const HEADERS = {
  'hh-client-package': '@honeyhive/api-client',
  'hh-client-language': 'typescript',
  // The client does not send it: with it, reads contain all writes also on a busy machine.
  prefer: 'wait=30',
};
const FILTER = { field: 'event_type', operator: 'is', value: 'model', type: 'string' };

/**
 * Each call of the public TypeScript client of the API once, with its query strings as axios encodes them and the response
 * that its types declare. The run of a metric has a journey of its own.
 */
export function typescriptClientJourney({ client }: ReturnType<typeof onStack>): void {
  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await client.call(method, path, { body, headers: HEADERS });
    expect([path, response.status]).toEqual([path, 200]);
    return response.json<unknown>();
  }
  const created = async <Body>(path: string, body: object) => (await call('POST', path, body)) as Body;

  it('serves sessions and events to a TypeScript client', async () => {
    const [session_id, event_id, marker] = [randomUUID(), randomUUID(), randomUUID()];
    const session = await call('POST', '/v1/sessions', { session_id, session_name: 's', source: 'dev' });
    expect(session).toMatchObject({
      ...{ event_id: session_id, session_id, parent_id: null, event_type: 'session', event_name: 's' },
      ...{ source: 'dev', config: {}, inputs: {}, outputs: {}, metrics: {}, feedback: {}, children_ids: [] },
      ...{ user_properties: {}, org_id: aText, workspace_id: aText, project_id: aText },
    });
    const event = { event_type: 'model', event_name: 'e', inputs: { q: 1 }, metadata: { marker } };
    const oldest = { ...event, event_id, session_id, start_time: Date.UTC(2026, 0, 1) };
    expect(await call('POST', '/v1/events', oldest)).toEqual({ success: true, event_id, session_id });
    const update = { metrics: { score: 0.5 }, outputs: { a: 1 }, feedback: { rating: 4 } };
    expect(await call('PUT', `/v1/events/${event_id}`, update)).toEqual({ success: true, event_id });
    const batch = { events: [event, event], single_session: true, session_properties: { session_name: 'b' } };
    expect(await call('POST', '/v1/events/batch', batch)).toEqual({
      ...{ success: true, event_ids: [aText, aText], session_id: aText },
    });
    const found = await call('POST', '/v1/events/search', {
      filters: [{ field: 'metadata.marker', operator: 'is', value: marker, type: 'string' }, FILTER],
      dateRange: { start_time: '2020-01-01T00:00:00Z', end_time: '2100-01-01T00:00:00Z' },
      ...{ limit: 2, page: 2 },
    });
    expect(found).toEqual({
      events: [expect.objectContaining({ event_id, ...update })],
      count: 3,
      totalEvents: 3,
    });
  });

  it('serves metrics to a TypeScript client', async () => {
    const definition = { name: 'm', type: 'HUMAN', criteria: 'Is it good?', return_type: 'boolean' };
    const { metric_id, ...rest } = await created<{ metric_id: string }>('/v1/metrics', definition);
    expect(rest).toEqual({ inserted: true });
    const update = { description: 'changed', threshold: { pass_when: true } };
    expect(await call('PUT', `/v1/metrics/${metric_id}`, update)).toEqual({ updated: true });
    const listed = await call('GET', `/v1/metrics?type=HUMAN&id=${metric_id}`);
    expect(listed).toMatchObject({
      metrics: [
        {
          ...{ ...definition, ...update, id: metric_id, enabled_in_prod: true, needs_ground_truth: false },
          ...{ sampling_percentage: 10, filters: { filterArray: [] }, created_at: aTime, updated_at: aTime },
        },
      ],
    });
    expect(await call('DELETE', `/v1/metrics/${metric_id}`)).toEqual({ deleted: true });
  });

  it('serves datapoints and datasets to a TypeScript client', async () => {
    const inserted = await created<{ result: { insertedId: string } }>('/v1/datasets', { name: 'd' });
    expect(inserted).toMatchObject({ inserted: true, result: { insertedId: aText } });
    const dataset_id = inserted.result.insertedId;
    const content = { inputs: { q: 1 }, history: [], ground_truth: { a: 1 }, linked_datasets: [dataset_id] };
    const added = await created<{ result: { insertedIds: string[] } }>('/v1/datapoints', content);
    expect(added).toMatchObject({ inserted: true, result: { insertedIds: [aText] } });
    const [id = ''] = added.result.insertedIds;
    const { event_id } = await created<{ event_id: string }>('/v1/events', {
      event_type: 'tool',
      inputs: {},
    });
    const fromEvents = {
      events: [event_id],
      mapping: { inputs: [], history: [], ground_truth: [] },
      dataset_id,
    };
    const batch = await created<{ insertedIds: string[] }>('/v1/datapoints/batch', fromEvents);
    expect(batch).toMatchObject({ inserted: true, insertedIds: [aText] });
    expect(await call('GET', `/v1/datapoints?datapoint_ids[]=${id}`)).toMatchObject({
      datapoints: [{ ...content, id, linked_event: null, created_at: aTime }],
    });
    expect(await call('GET', `/v1/datapoints/${id}`)).toMatchObject({ datapoint: [{ ...content, id }] });
    expect(await call('PUT', `/v1/datapoints/${id}`, { metadata: { seen: true } })).toEqual({
      ...{ updated: true, result: { modifiedCount: 1 } },
    });
    const mapping = { inputs: ['q'], history: [], ground_truth: ['a'] };
    const data = [{ q: 1, a: 2 }];
    const more = await created<{ datapoint_ids: string[] }>(`/v1/datasets/${dataset_id}/datapoints`, {
      data,
      mapping,
    });
    expect(more).toEqual({ inserted: true, datapoint_ids: [aText] });
    const [last = ''] = more.datapoint_ids;
    expect(await call('DELETE', `/v1/datasets/${dataset_id}/datapoints/${last}`)).toEqual({
      ...{ dereferenced: true, message: aText },
    });
    expect(await call('PUT', `/v1/datasets/${dataset_id}`, { description: 'changed' })).toMatchObject({
      result: { id: dataset_id, name: 'd', description: 'changed', datapoints: [id, ...batch.insertedIds] },
    });
    expect(await call('GET', `/v1/datasets?dataset_id=${dataset_id}&name=d`)).toMatchObject({
      datasets: [{ id: dataset_id, name: 'd', created_at: aTime, updated_at: aTime }],
    });
    expect(await call('DELETE', `/v1/datasets/${dataset_id}`)).toEqual({ result: { id: dataset_id } });
    expect(await call('DELETE', `/v1/datapoints/${id}`)).toEqual({ deleted: true });
  });

  it('serves runs, their schemas, scores and comparisons to a TypeScript client', async () => {
    const [old, now] = [randomUUID(), randomUUID()];
    const run = { run_id: now, name: 'r', status: 'completed', is_active: true, scope_type: 'project' };
    for (const [index, run_id] of [old, now].entries()) {
      expect(await call('POST', '/v1/runs', { run_id, name: 'r', status: 'running' })).toMatchObject({
        ...{
          run_id,
          evaluation: { run_id, status: 'running', event_ids: [], results: {}, created_at: aTime },
        },
      });
      const metadata = { run_id, datapoint_id: 'd1', dataset_id: 'EXT-1' };
      const event = {
        event_type: 'chain',
        event_name: 'answer',
        inputs: {},
        metadata,
        metrics: { score: index },
      };
      await call('POST', '/v1/events', event);
    }
    const updated = await call('PUT', `/v1/runs/${now}`, { status: 'completed', metadata: { a: 1 } });
    expect(updated).toMatchObject({ evaluation: { ...run, metadata: { a: 1 } } });
    expect(await call('GET', `/v1/runs/${now}`)).toMatchObject({ evaluation: run });
    const range = 'dateRange[$gte]=2020-01-01T00:00:00Z&dateRange[$lte]=2100-01-01T00:00:00Z';
    expect(await call('GET', `/v1/runs?run_ids[]=${now}&${range}&sort_by=name&sort_order=asc`)).toMatchObject(
      {
        evaluations: [{ ...run, metrics: { score: 1 } }],
        metrics: ['score'],
        pagination: { page: 1, limit: 100, total: 1, total_pages: 1, has_next: false, has_prev: false },
      },
    );
    const kind = { name: 'metrics.score', event_type: 'chain' };
    for (const path of ['/v1/runs/schema', `/v1/runs/${now}/schema`])
      expect(await call('GET', `${path}?${range}`)).toMatchObject({
        fields: expect.arrayContaining([kind]) as unknown,
        datasets: ['EXT-1'],
        mappings: {
          answer: expect.arrayContaining([{ field_name: kind.name, event_type: 'chain' }]) as unknown,
        },
      });
    const filters =
      'filters[0][field]=event_name&filters[0][operator]=is&filters[0][value]=answer&filters[0][type]=string';
    expect(await call('GET', `/v1/runs/${now}/metrics?${filters}`)).toMatchObject({
      events: [
        {
          event_name: 'answer',
          event_type: 'chain',
          metadata: { datapoint_id: 'd1' },
          metrics: { score: 1 },
        },
      ],
      totalEvents: 1,
    });
    expect(
      await call('GET', `/v1/runs/${now}/compare/${old}?aggregate_function=sum&${filters}`),
    ).toMatchObject({
      metrics: [
        {
          metric_name: 'score',
          metric_type: 'CLIENT_SIDE',
          old_aggregate: 0,
          new_aggregate: 1,
          improved: ['d1'],
        },
      ],
      commonDatapoints: ['d1'],
      event_details: [{ event_name: 'answer', event_type: 'chain', presence: 'both' }],
      ...{ old_run: { run_id: old }, new_run: { run_id: now } },
    });
    const pairs = `/v1/runs/${now}/compare/${old}/events?event_name=answer&event_type=chain&limit=10&page=1`;
    expect(await call('GET', `${pairs}&filter[metadata.dataset_id]=EXT-1`)).toMatchObject({
      events: [
        { datapoint_id: 'd1', event_1: { metrics: { score: 1 } }, event_2: { metrics: { score: 0 } } },
      ],
      totalEvents: 1,
    });
    for (const run_id of [old, now])
      expect(await call('DELETE', `/v1/runs/${run_id}`)).toEqual({ id: run_id, deleted: true });
  });

  it('serves queues to a TypeScript client', async () => {
    const definition = { name: 'q', description: 'd', filters: { filterArray: [FILTER] }, enabled: false };
    const { queue } = await created<{ queue: { id: string } }>('/v1/queues', {
      ...definition,
      event_ids: [],
    });
    const stored = { ...definition, id: queue.id, scope_type: 'project', scope_id: aText, is_active: true };
    expect(queue).toMatchObject({ ...stored, created_at: aTime });
    const path = `/v1/queues/${queue.id}`;
    expect(await call('PUT', path, { id: queue.id, name: 'r', add_event_ids: [randomUUID()] })).toMatchObject(
      {
        ...{ queue: { ...stored, name: 'r' }, message: aText },
      },
    );
    expect(await call('GET', path)).toMatchObject({ ...stored, name: 'r' });
    expect(await call('GET', '/v1/queues?enabled=false')).toMatchObject({
      queues: expect.arrayContaining([expect.objectContaining({ id: queue.id })]) as unknown,
    });
    expect(await call('DELETE', path)).toEqual({ message: aText });
  });

  it('returns errors that a TypeScript client can parse', async () => {
    const { status, ...response } = await client.call('GET', `/v1/runs/${randomUUID()}`, {
      headers: HEADERS,
    });
    expect([status, response.json()]).toEqual([
      404,
      { statusCode: 404, message: aText, success: false, errorCode: 'NOT_FOUND', requestId: aText },
    ]);
  });
}
