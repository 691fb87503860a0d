import { MAX_RESOURCE_BYTES } from '@assay/contracts';
import { RUN_COLLECTION, type RunFields } from '../runs/run-document.js';
import { openEmbedded, type ResourceApi, startResourceApi } from '../../test/resource-api.js';

const RUN_ID = '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';
const tooLong = (kind: keyof typeof MAX_RESOURCE_BYTES) => 'x'.repeat(MAX_RESOURCE_BYTES[kind]);
/** Each value is shorter than the limit of a filter. */
const filters = (kind: 'chart' | 'queue') =>
  Array.from({ length: MAX_RESOURCE_BYTES[kind] / 32_768 }, () => ({
    field: 'event_type',
    operator: 'is',
    value: 'x'.repeat(32_768),
    type: 'string',
  }));
const metric = { name: 'm', type: 'PYTHON', criteria: 'c', return_type: 'float' };
const configuration = { name: 'c', provider: 'openai', parameters: { model: 'm' } };

/** Requests that write a resource beyond the maximum size of its kind. `ID` stands for an existing resource. */
const OVERSIZED: readonly (readonly [string, string, object, string])[] = [
  [
    'POST',
    '/v1/configurations',
    { ...configuration, user_properties: { a: tooLong('configuration') } },
    'user_properties',
  ],
  [
    'PUT',
    '/v1/configurations/ID',
    { ...configuration, user_properties: { a: tooLong('configuration') } },
    'user_properties',
  ],
  ['POST', '/v1/metrics', { ...metric, criteria: tooLong('metric') }, 'criteria'],
  ['PUT', '/v1/metrics/ID', { criteria: tooLong('metric') }, 'criteria'],
  [
    'POST',
    '/v1/metrics/ID/versions',
    { message: 'v', content: { ...metric, criteria: tooLong('metric') } },
    'criteria',
  ],
  ['POST', '/v1/runs', { name: 'r', metadata: { a: tooLong('run') } }, 'metadata'],
  ['POST', '/v1/runs', { run_id: RUN_ID, name: 'r', results: { a: tooLong('run') } }, 'results'],
  ['PUT', `/v1/runs/${RUN_ID}`, { configuration: { a: tooLong('run') } }, 'configuration'],
  ['POST', '/v1/charts', { name: 'c', metric: 'duration', description: tooLong('chart') }, 'description'],
  ['PUT', '/v1/charts/ID', { query: filters('chart') }, 'query'],
  ['POST', '/v1/queues', { name: 'q', filters: { filterArray: filters('queue') } }, 'filters'],
  ['PUT', '/v1/queues/ID', { filters: { filterArray: filters('queue') } }, 'filters'],
  ['POST', '/v1/datasets', { name: 'd', description: tooLong('dataset') }, 'description'],
  ['PUT', '/v1/datasets/ID', { description: tooLong('dataset') }, 'description'],
  ['POST', '/v1/datapoints', { inputs: { a: tooLong('datapoint') } }, 'inputs'],
  ['PUT', '/v1/datapoints/ID', { metadata: { a: tooLong('datapoint') } }, 'metadata'],
  [
    'POST',
    '/v1/datasets/ID/datapoints',
    { data: [{ a: 1 }, { a: tooLong('datapoint') }], mapping: { inputs: ['a'] } },
    'inputs',
  ],
];

describe('a resource beyond the maximum size of its kind', () => {
  let api: ResourceApi;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    api = await startResourceApi(openEmbedded);
    const create = async (path: string, body: object) => (await api.send('POST', path, body)).body;
    ids.configurations = (await create('/v1/configurations', configuration)).insertedId;
    ids.metrics = (await create('/v1/metrics', metric)).metric_id;
    ids.charts = (await create('/v1/charts', { name: 'c', metric: 'duration' })).data.id;
    ids.queues = (await create('/v1/queues', { name: 'q' })).queue.id;
    ids.datasets = (await create('/v1/datasets', { name: 'd' })).result.insertedId;
    [ids.datapoints] = (await create('/v1/datapoints', { inputs: {} })).result.insertedIds;
    await create('/v1/runs', { run_id: RUN_ID, name: 'r' });
  });
  afterAll(() => api.stop());

  it.each(OVERSIZED)('is rejected: %s %s', async (method, path, body, field) => {
    const noun = path.split('/')[2] ?? '';
    const { status, body: response } = await api.send(method, path.replace('ID', ids[noun] ?? ''), body);
    expect(response.message).toMatch(
      new RegExp(`must not exceed \\d+ .B of JSON, its largest field is ${field}$`),
    );
    expect([status, response.errorCode]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(response.message).not.toContain('xx');
  });

  const times = { created_at: '2026-11-01T00:00:00.000Z', updated_at: '2026-11-01T00:00:00.000Z' };
  const dataset = { id: 'd1', name: 'd', description: '', list_id: 'l1', ...times };
  const datapoint = {
    id: 'p1',
    inputs: {},
    history: [],
    ground_truth: null,
    metadata: null,
    linked_event: null,
  };
  const entry = {
    ...{ id: 'q1:e1', queue_id: 'q1', event_id: 'e1', added_at: times.created_at, position: '1' },
    ...{ is_removed: false, done_at: null, done_by: null, is_done: false },
  };
  it.each([
    ['datasets', { ...dataset, description: tooLong('dataset') }, 'a dataset must not exceed 64 KB of JSON'],
    [
      'datapoints',
      { ...datapoint, ...times, inputs: { a: tooLong('datapoint') } },
      'a datapoint must not exceed 4 MB',
    ],
    [
      'queue_entries',
      { ...entry, annotators: Array(10_000).fill('anna-muller') },
      'the ids and times of a document',
    ],
  ])('is rejected when it is imported: %s', async (kind, document, sentence) => {
    const { status, body } = await api.send('PUT', '/v1/transfers/documents', {
      kind,
      documents: [document],
    });
    expect([status, body.message]).toEqual([413, expect.stringContaining(`documents[0]: ${sentence}`)]);
  });

  it('is rejected when merged updates exceed it', async () => {
    const half = 'x'.repeat(MAX_RESOURCE_BYTES.run / 2);
    const run_id = '1b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';
    expect((await api.send('POST', '/v1/runs', { run_id, name: 'r', metadata: { a: half } })).status).toBe(
      200,
    );
    expect((await api.send('PUT', `/v1/runs/${run_id}`, { metadata: { b: half } })).status).toBe(413);
    expect((await api.send('GET', `/v1/runs/${run_id}`)).body.evaluation.metadata).toEqual({ a: half });
  });

  it('is rejected before its body is read when that is several times larger', async () => {
    const body = { ...configuration, user_properties: { a: 'x'.repeat(9_000_000) } };
    const { status, body: response } = await api.send('POST', '/v1/configurations', body);
    expect([status, response.message]).toEqual([413, 'body must not exceed 1 MB after decompression']);
  });

  it('may still be changed without growing when it was stored before the limit', async () => {
    const runs = await api.documents.collection<RunFields>(RUN_COLLECTION);
    const stored = await runs.get(`${api.projectId}:${RUN_ID}`);
    if (!stored) throw new Error('the run was not stored');
    const old = '2b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';
    const { id: _id, version: _version, ...fields } = stored;
    await runs.insert(`${api.projectId}:${old}`, {
      ...fields,
      run_id: old,
      metadata: { a: 'x'.repeat(9_000_000) },
    });
    expect((await api.send('PUT', `/v1/runs/${old}`, { status: 'completed' })).status).toBe(200);
    expect((await api.send('PUT', `/v1/runs/${old}`, { metadata: { b: 'x'.repeat(1_000) } })).status).toBe(
      413,
    );
    expect((await api.send('GET', '/v1/runs')).body.evaluations).toHaveLength(3);
  });
});
