import { newDatapoint } from '@assay/domain';
import { type OpenStore, type ResourceApi, startResourceApi } from './resource-api.js';

const by = { keyId: 'k', requestId: 'r', address: '127.0.0.1' };

/** Test suite of datapoints on any document store. */
export function describeDatapoints(title: string, open: OpenStore): void {
  describe(`datapoints ${title}`, () => {
    let api: ResourceApi;
    beforeAll(async () => {
      api = await startResourceApi(open);
    });
    afterAll(() => api.stop());

    const create = async (body: object = {}): Promise<string> =>
      (await api.send('POST', '/v1/datapoints', body)).body.result.insertedIds[0];
    const read = async (id: string) => (await api.send('GET', `/v1/datapoints/${id}`)).body.datapoint[0];
    const newDataset = async (body: object = {}): Promise<string> =>
      (await api.send('POST', '/v1/datasets', body)).body.result.insertedId;
    const listed = async (query: string) =>
      (await api.send('GET', `/v1/datapoints?${query}`)).body.datapoints.map(({ id }) => id);

    it('are returned unchanged, with every key', async () => {
      const body = {
        inputs: { question: 'q', deep: { list: [1, null, { a: 'é' }] } },
        history: [{ role: 'user', content: 'hi' }],
        ground_truth: { answer: 'a' },
        metadata: { tag: 'x' },
        linked_event: '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e',
      };
      const id = await create({ ...body, project: 'p', type: 't', saved: true, linked_evals: [] });
      expect(await read(id)).toEqual({
        id,
        ...body,
        linked_datasets: [],
        created_at: expect.stringMatching(/^2026-11-01T/) as string,
        updated_at: expect.stringMatching(/^2026-11-01T/) as string,
      });
      expect(await read(await create())).toMatchObject({
        inputs: {},
        history: [],
        ground_truth: null,
        metadata: null,
        linked_event: null,
      });
    });

    it('accept ground_truth and ignore ground_truths', async () => {
      const id = await create({ ground_truths: { answer: 'old' } });
      expect(await read(id)).toMatchObject({ ground_truth: null });
      expect(await read(id)).not.toHaveProperty('ground_truths');
    });

    it('keep keys that are special in JavaScript or in a store', async () => {
      const inputs = JSON.parse(
        '{"__proto__":{"isAdmin":true},"$set":{"a.b":1},"constructor":{"prototype":1},"":0}',
      ) as object;
      const id = await create({ inputs });
      expect(JSON.stringify((await read(id))?.inputs)).toBe(JSON.stringify(inputs));
    });

    it('are created from events once, and are appended to the dataset in order', async () => {
      const { projectId } = api;
      const datasetId = await newDataset({ datapoints: ['first'] });
      const made = (id: string, n: number) => ({
        id,
        ...newDatapoint({ inputs: { n }, linked_event: `e${n}` }),
      });
      const datapoints = [made('of-event-2', 2), made('of-event-1', 1)];
      for (let time = 0; time < 2; time++)
        expect(await api.controlPlane.createDatapoints({ projectId, datasetId, by }, datapoints)).toBe(true);
      expect(await api.controlPlane.createDatapoints({ projectId, by }, [made('of-event-1', 9)])).toBe(true);
      const dataset = async () =>
        (await api.send('GET', `/v1/datasets?dataset_id=${datasetId}`)).body.datasets[0];
      expect(await dataset()).toMatchObject({ datapoints: ['first', 'of-event-2', 'of-event-1'] });
      expect(await read('of-event-1')).toMatchObject({
        inputs: { n: 1 },
        linked_event: 'e1',
        linked_datasets: [datasetId],
      });
      await Promise.all(
        Array.from({ length: 5 }, (_, n) =>
          api.controlPlane.createDatapoints({ projectId, datasetId, by }, [...datapoints, made(`m${n}`, n)]),
        ),
      );
      expect((await dataset())?.datapoints).toHaveLength(8);
    });

    it('are not created for a missing dataset or one of another project', async () => {
      const datasetId = await newDataset();
      const datapoint = { id: 'of-nothing', ...newDatapoint({ linked_event: 'e' }) };
      const { projectId, otherProjectId } = api;
      for (const target of [
        { projectId, datasetId: '0'.repeat(24) },
        { projectId: otherProjectId, datasetId },
      ]) {
        for (const datapoints of [[], [datapoint]])
          expect(await api.controlPlane.createDatapoints({ ...target, by }, datapoints)).toBe(false);
      }
      expect(await api.controlPlane.createDatapoints({ projectId, datasetId, by }, [])).toBe(true);
      expect((await api.send('GET', '/v1/datapoints/of-nothing')).status).toBe(404);
    });

    it('are appended to the given datasets', async () => {
      const [one, two] = [await newDataset({ datapoints: ['EXT-1'] }), await newDataset()];
      const id = await create({ linked_datasets: [one, two, one] });
      expect((await api.send('GET', `/v1/datasets?dataset_id=${one}`)).body.datasets[0]?.datapoints).toEqual([
        'EXT-1',
        id,
      ]);
      expect((await read(id))?.linked_datasets).toEqual([one, two].sort());
      expect((await api.send('POST', '/v1/datapoints', { linked_datasets: ['unknown'] })).status).toBe(404);
    });

    it('are updated partially', async () => {
      const id = await create({ inputs: { a: 1 }, metadata: { b: 2 } });
      const response = await api.send('PUT', `/datapoints/${id}`, {
        inputs: { c: 3 },
        ground_truth: { d: 4 },
        unknown: 1,
      });
      expect(response.body).toEqual({ updated: true, result: { modifiedCount: 1 } });
      expect(await read(id)).toMatchObject({ inputs: { c: 3 }, metadata: { b: 2 }, ground_truth: { d: 4 } });
      await api.send('PUT', `/v1/datapoints/${id}`, { ground_truth: null });
      expect(await read(id)).toMatchObject({ ground_truth: null });
    });

    it('are moved to other datasets by an update', async () => {
      const [one, two, three] = [await newDataset(), await newDataset(), await newDataset()];
      const id = await create({ linked_datasets: [one, two] });
      await api.send('PUT', `/v1/datapoints/${id}`, { linked_datasets: [two, three] });
      expect((await read(id))?.linked_datasets).toEqual([two, three].sort());
      await api.send('PUT', `/v1/datapoints/${id}`, { metadata: {} });
      expect((await read(id))?.linked_datasets).toHaveLength(2);
    });

    it('are listed by ids in the requested order, without unknown ids', async () => {
      const [one, two] = [await create(), await create()];
      expect(await listed(`datapoint_ids[]=${two}&datapoint_ids[]=unknown&datapoint_ids[]=${one}`)).toEqual([
        two,
        one,
      ]);
      expect(await listed(`datapoint_ids=${one}`)).toEqual([one]);
    });

    it('are listed by the name of a dataset, in the order of the dataset', async () => {
      const [one, two, three] = [await create(), await create(), await create()];
      await newDataset({ name: 'by name', datapoints: [one] });
      const dataset = await newDataset({ name: 'by name', datapoints: [three, 'EXT-elsewhere', two] });
      expect(await listed('dataset_name=by%20name')).toEqual([three, two]);
      expect(await listed(`dataset_id=${dataset}`)).toEqual([three, two]);
      expect(await listed(`dataset_name=by%20name&datapoint_ids[]=${one}&datapoint_ids[]=${two}`)).toEqual([
        two,
      ]);
      expect(await listed('dataset_name=no such name')).toEqual([]);
    });

    it('are listed newest first, page by page', async () => {
      const made = [await create(), await create(), await create()];
      const newest = made.reverse();
      expect((await listed('')).slice(0, 3)).toEqual(newest);
      expect(await listed('limit=2')).toEqual(newest.slice(0, 2));
      expect((await listed('limit=2&page=2'))[0]).toEqual(newest[2]);
      expect(await listed('limit=2&page=100000')).toEqual([]);
      expect(await listed('page=2')).toEqual([]);
    });

    it('are removed from every dataset when they are deleted', async () => {
      const dataset = await newDataset();
      const id = await create({ linked_datasets: [dataset] });
      expect((await api.send('DELETE', `/v1/datapoints/${id}`)).body).toEqual({ deleted: true });
      expect(
        (await api.send('GET', `/v1/datasets?dataset_id=${dataset}`)).body.datasets[0]?.datapoints,
      ).toEqual([]);
      for (const method of ['GET', 'DELETE'])
        expect((await api.send(method, `/v1/datapoints/${id}`)).status).toBe(404);
    });

    it('of another project are treated as not found', async () => {
      const id = await create({ inputs: { canary: true } });
      const theirs = await api.sendAsOther('GET', `/v1/datapoints?datapoint_ids[]=${id}`);
      expect(theirs.body.datapoints).toEqual([]);
      expect((await api.sendAsOther('GET', '/v1/datapoints')).body.datapoints).toEqual([]);
      for (const [method, body] of [['GET'], ['PUT', { inputs: {} }], ['DELETE']] as const) {
        const response = await api.sendAsOther(method, `/v1/datapoints/${id}`, body);
        expect(response).toEqual(await api.send(method, '/v1/datapoints/000000000000000000000000', body));
        expect(response.status).toBe(404);
      }
      expect(await read(id)).toMatchObject({ inputs: { canary: true } });
    });

    it('lose no concurrent update of different fields', async () => {
      const id = await create();
      const bodies = [
        { inputs: { a: 1 } },
        { metadata: { b: 2 } },
        { ground_truth: { c: 3 } },
        { linked_event: 'e' },
      ];
      await Promise.all(bodies.map((body) => api.send('PUT', `/v1/datapoints/${id}`, body)));
      expect(await read(id)).toMatchObject(Object.assign({}, ...bodies) as object);
    });
  });
}
