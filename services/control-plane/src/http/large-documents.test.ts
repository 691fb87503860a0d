import type { ConfigurationFields } from '../configurations/configuration-document.js';
import { CONFIGURATION_COLLECTION } from '../configurations/configuration-document.js';
import type { MetricFields, MetricVersionFields } from '../metrics/metric-document.js';
import { METRIC_COLLECTION, METRIC_VERSION_COLLECTION } from '../metrics/metric-document.js';
import type { DatapointFields } from '../datasets/datapoint-document.js';
import { DATAPOINT_COLLECTION } from '../datasets/datapoint-document.js';
import { openEmbedded, type ResourceApi, startResourceApi } from '../../test/resource-api.js';

const LARGE = 'x'.repeat(3_000_000);
const COUNT = 8;

/** Documents that were stored before their sizes were limited. */
describe('lists of large documents', () => {
  let api: ResourceApi;
  beforeAll(async () => {
    api = await startResourceApi(openEmbedded);
  });
  afterAll(() => api.stop());

  const timeOf = (n: number) => ({ created_at: `2026-01-01T00:00:0${n}.000Z`, updated_at: '2026' });
  const numbers = Array.from({ length: COUNT }, (_, n) => n);

  async function storeConfigurations(): Promise<void> {
    const collection = await api.documents.collection<ConfigurationFields>(CONFIGURATION_COLLECTION);
    for (const n of numbers)
      await collection.insert(`${api.projectId}:c${n}`, {
        project_id: api.projectId,
        name: `c${n}`,
        type: 'LLM',
        provider: 'openai',
        parameters: { call_type: 'chat', model: 'm' },
        env: [],
        tags: [],
        user_properties: { text: LARGE },
        env_key: ',,',
        tags_key: ',,',
        ...timeOf(n >> 1),
      });
  }

  it('return every document once, newest first, while requests of other projects are answered', async () => {
    await storeConfigurations();
    const order: string[] = [];
    const large = api.send('GET', '/v1/configurations').finally(() => order.push('large'));
    const small = api.sendAsOther('GET', '/v1/configurations').finally(() => order.push('small'));
    const { body } = await large;
    await small;
    expect(order).toEqual(['small', 'large']);
    expect(body.configurations.map(({ id }) => id)).toEqual(numbers.map((n) => `c${n}`).reverse());
    expect((await api.send('GET', '/v1/configurations?name=c3')).body.configurations).toHaveLength(1);
  });

  it('return datapoints by page, by id and of the project', async () => {
    const collection = await api.documents.collection<DatapointFields>(DATAPOINT_COLLECTION);
    for (const n of numbers)
      await collection.insert(`${api.projectId}:d${n}`, {
        project_id: api.projectId,
        inputs: { text: LARGE },
        history: [],
        ground_truth: null,
        metadata: null,
        linked_event: null,
        ...timeOf(n),
      });
    const ids = async (query: string) =>
      (await api.send('GET', `/v1/datapoints?${query}`)).body.datapoints.map(({ id }) => id);
    const newestFirst = numbers.map((n) => `d${n}`).reverse();
    expect(await ids('')).toEqual(newestFirst);
    expect(await ids('limit=3&page=2')).toEqual(newestFirst.slice(3, 6));
    expect(await ids('datapoint_ids[]=d5&datapoint_ids[]=none&datapoint_ids[]=d1')).toEqual(['d5', 'd1']);
  });

  it('return the versions of a metric in order', async () => {
    const version = await api.documents.collection<MetricVersionFields>(METRIC_VERSION_COLLECTION);
    const { metric_id } = (
      await api.send('POST', '/v1/metrics', {
        name: 'm',
        type: 'PYTHON',
        criteria: 'c',
        return_type: 'float',
      })
    ).body;
    const metrics = await api.documents.collection<MetricFields>(METRIC_COLLECTION);
    const metric = await metrics.get(`${api.projectId}:${metric_id}`);
    const first = await version.get(`${api.projectId}:${metric?.version_ids[0]}`);
    if (!metric || !first) throw new Error('the metric was not stored');
    for (const n of numbers)
      await version.insert(`${api.projectId}:v${n}`, {
        project_id: api.projectId,
        metric_id,
        full_sha: 'sha',
        message: 'm',
        date: '2026',
        content: { ...first.content, criteria: LARGE },
      });
    await metrics.replace({
      ...metric,
      version_ids: [...metric.version_ids, ...numbers.map((n) => `v${n}`)],
    });
    const { body } = await api.send('GET', `/v1/metrics/${metric_id}/versions`);
    expect(body.data.map(({ name }) => name)).toEqual([0, ...numbers].map((_, n) => `v${n + 1}`));
  });

  it('reject the lists of a project of which too many are in progress', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 45 }, () => api.send('GET', '/v1/configurations?name=c3')),
    );
    const statuses = new Set(outcomes.map(({ status }) => status));
    expect([...statuses].sort()).toEqual([200, 503]);
    expect((await api.sendAsOther('GET', '/v1/configurations')).status).toBe(200);
  });
});
