import { countDocuments, type Counted } from '../../test/document-counts.js';
import { openEmbedded, type ResourceApi, startResourceApi } from '../../test/resource-api.js';

describe('the number of documents that a dataset operation reads and writes', () => {
  let api: ResourceApi;
  let counted: Counted;
  beforeAll(async () => {
    api = await startResourceApi(async () => {
      const { documents, remove } = await openEmbedded();
      const watched = countDocuments(documents);
      counted = watched.counted;
      return { documents: watched.documents, remove };
    });
  });
  afterAll(() => api.stop());

  const costOf = async (work: () => Promise<{ status: number }>) => {
    counted.read.clear();
    counted.written.clear();
    expect((await work()).status).toBe(200);
    return { read: Object.fromEntries(counted.read), written: Object.fromEntries(counted.written) };
  };

  /** Creates a dataset of this size. Its last hundred members are stored datapoints. */
  const newDataset = async (size: number): Promise<{ id: string; last: string }> => {
    const datapoints = Array.from({ length: size - 100 }, (_, n) => `EXT-${n}`);
    const created = await api.send('POST', '/v1/datasets', { name: `of ${size}`, datapoints });
    const id = created.body.result.insertedId;
    const data = Array.from({ length: 100 }, (_, n) => ({ question: n }));
    const added = await api.send('POST', `/v1/datasets/${id}/datapoints`, {
      data,
      mapping: { inputs: ['question'] },
    });
    return { id, last: added.body.datapoint_ids.at(-1)! };
  };

  it('does not depend on the size of the dataset', async () => {
    const costs = async (size: number) => {
      const { id, last } = await newDataset(size);
      return {
        page: await costOf(() =>
          api.send('GET', `/v1/datapoints?dataset_id=${id}&limit=10&page=${size / 10}`),
        ),
        add: await costOf(() =>
          api.send('POST', `/v1/datasets/${id}/datapoints`, { data: [{ q: 1 }], mapping: { inputs: ['q'] } }),
        ),
        link: await costOf(() => api.send('POST', '/v1/datapoints', { inputs: {}, linked_datasets: [id] })),
        remove: await costOf(() => api.send('DELETE', `/v1/datasets/${id}/datapoints/${last}`)),
        rename: await costOf(() => api.send('PUT', `/v1/datasets/${id}`, { name: 'renamed' })),
      };
    };
    const [small, large] = [await costs(200), await costs(12_000)];
    expect(large).toEqual(small);
    expect(large.rename.read).toMatchObject({ datasets: 2 });
    expect(large.rename.read).not.toHaveProperty('dataset_members');
    expect(large.page.read).toMatchObject({ datasets: 2, datapoints: 10, dataset_members: 10 });
  });

  it('returns every id in order, including ids that do not fit into the index', async () => {
    const odd = ['x'.repeat(200), 'é'.repeat(200), 'a\0b', '=', ':', '{"a":1}', 'ends with space ', '😀'];
    const datapoints = Array.from({ length: 10_500 }, (_, n) => `EXT-${(n * 7_919) % 10_500}`).concat(odd);
    const { body } = await api.send('POST', '/v1/datasets', { datapoints });
    const read = await api.send('GET', `/v1/datasets?dataset_id=${body.result.insertedId}`);
    expect(read.body.datasets[0]?.datapoints).toEqual(datapoints);
  });
});
