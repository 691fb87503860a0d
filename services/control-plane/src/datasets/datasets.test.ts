import { openEmbedded, startResourceApi } from '../../test/resource-api.js';
import { describeDatasets } from '../../test/datasets-suite.js';

describeDatasets('on SQLite', openEmbedded);

describe('a dataset of 100,000 datapoints', () => {
  it('can be replaced, read, paged, extended and reduced', async () => {
    const api = await startResourceApi(openEmbedded);
    const ids = Array.from({ length: 100_000 }, (_, n) => `EXT-${n}`);
    const { insertedId } = (await api.send('POST', '/v1/datasets', { name: 'large' })).body.result;
    const replaced = await api.send('PUT', `/v1/datasets/${insertedId}`, { datapoints: ids });
    expect(replaced.body.result.datapoints).toEqual(ids);
    expect(
      (await api.send('PUT', `/v1/datasets/${insertedId}`, { datapoints: [...ids, 'EXT-x'] })).status,
    ).toBe(400);
    const [datapoint] = (await api.send('POST', '/v1/datapoints', { linked_datasets: [insertedId] })).body
      .result.insertedIds;
    const last = await api.send('GET', `/v1/datapoints?dataset_name=large&limit=1000&page=101`);
    expect(last.body.datapoints.map(({ id }) => id)).toEqual([datapoint]);
    expect((await api.send('GET', '/v1/datapoints?dataset_name=large')).body.message).toContain(
      'limit and page',
    );
    expect((await api.send('DELETE', `/v1/datasets/${insertedId}/datapoints/EXT-50000`)).body).toMatchObject({
      dereferenced: true,
    });
    const [dataset] = (await api.send('GET', '/v1/datasets?name=large')).body.datasets;
    expect(dataset?.datapoints).toEqual([...ids.filter((id) => id !== 'EXT-50000'), datapoint]);
    await api.stop();
  });
});
