import {
  DATASET_COLLECTION,
  DATASET_VERSION_COLLECTION,
  type DatasetFields,
  type DatasetVersionFields,
} from '../src/datasets/dataset-document.js';
import { type OpenStore, type ResourceApi, startResourceApi } from './resource-api.js';

interface Page {
  readonly datapoints?: readonly { readonly id: string }[];
  readonly total: number;
  readonly next_cursor: string | null;
}

/** Test suite of datasets on any document store. */
export function describeDatasets(title: string, open: OpenStore): void {
  describe(`datasets ${title}`, () => {
    let api: ResourceApi;
    beforeAll(async () => {
      api = await startResourceApi(open);
    });
    afterAll(() => api.stop());

    const newDataset = async (body: object = {}): Promise<string> =>
      (await api.send('POST', '/v1/datasets', body)).body.result.insertedId;
    const read = async (id: string) =>
      (await api.send('GET', `/v1/datasets?dataset_id=${id}`)).body.datasets[0];
    const ids = (count: number, from = 0) => Array.from({ length: count }, (_, n) => `EXT-${from + n}`);

    it('are created with and without a name', async () => {
      const named = await newDataset({
        name: 'golden',
        description: 'd',
        datapoints: ['EXT-b', 'EXT-a', 'EXT-b'],
        project: 'p',
        type: 'evaluation',
      });
      expect(await read(named)).toMatchObject({
        id: named,
        name: 'golden',
        description: 'd',
        datapoints: ['EXT-b', 'EXT-a'],
      });
      expect(await read(await newDataset())).toMatchObject({
        name: 'Untitled Dataset',
        description: '',
        datapoints: [],
      });
    });

    it('are listed newest first, by exact name or by id', async () => {
      const older = await newDataset({ name: 'twice' });
      const newer = await newDataset({ name: 'twice' });
      await newDataset({ name: 'twice more' });
      const named = await api.send('GET', '/datasets?name=twice&include_datapoints=true');
      expect(named.body.datasets.map(({ id }) => id)).toEqual([newer, older]);
      expect((await api.send('GET', `/v1/datasets?name=other&dataset_id=${older}`)).body).toEqual({
        datasets: [],
      });
      expect((await api.send('GET', '/v1/datasets?dataset_id=unknown')).body).toEqual({ datasets: [] });
    });

    it('are repeated as testcases for older clients that ask for an id', async () => {
      const id = await newDataset({ name: 'golden', datapoints: ['EXT-1'] });
      const found = await api.send('GET', `/datasets?project=p&dataset_id=${id}`);
      expect(found.body).toEqual({
        datasets: [expect.objectContaining({ id, datapoints: ['EXT-1'] })],
        testcases: found.body.datasets,
      });
      expect((await api.send('GET', '/datasets')).body).not.toHaveProperty('testcases');
    });

    it('are updated partially, with the id in the path or in the body of the deprecated route', async () => {
      const id = await newDataset({ name: 'a', description: 'd', datapoints: ['EXT-1'] });
      const renamed = await api.send('PUT', `/v1/datasets/${id}`, { name: 'b' });
      expect(renamed.body.result).toMatchObject({ id, name: 'b', description: 'd', datapoints: ['EXT-1'] });
      const replaced = await api.send('PUT', '/datasets', {
        dataset_id: id,
        datapoints: ['EXT-3', 'EXT-2'],
        whatever: 1,
      });
      expect(replaced.body.result).toMatchObject({ name: 'b', datapoints: ['EXT-3', 'EXT-2'] });
      expect((await read(id))?.updated_at).not.toBe((await read(id))?.created_at);
      expect(
        (await api.send('PUT', `/v1/datasets/${id}`, { datapoints: [] })).body.result.datapoints,
      ).toEqual([]);
    });

    it.each([
      [{ name: 'x'.repeat(201) }, 'name must have at most 200 characters'],
      [{ datapoints: [''] }, 'datapoints[0] must have at least 1 character'],
      [{ ground_truths: [] }, 'ground_truths is not a field of this request'],
    ])('reject the update %j', async (body, message) => {
      const id = await newDataset();
      expect(await api.send('PUT', `/v1/datasets/${id}`, body)).toMatchObject({
        status: 400,
        body: { message },
      });
      expect((await api.send('PUT', `/v1/datasets/${id}`, { name: '😀'.repeat(200) })).status).toBe(200);
    });

    it('get datapoints from objects, in order', async () => {
      const id = await newDataset({ datapoints: ['EXT-1'] });
      const data = Array.from({ length: 120 }, (_, n) => ({ question: `q${n}`, answer: n, source: 'web' }));
      const mapping = { inputs: ['question'], history: [], ground_truth: ['answer'] };
      const { body } = await api.send('POST', `/v1/datasets/${id}/datapoints`, { data, mapping });
      expect((await read(id))?.datapoints).toEqual(['EXT-1', ...body.datapoint_ids]);
      const { datapoints } = (
        await api.send('GET', `/v1/datapoints?datapoint_ids[]=${body.datapoint_ids[119]}`)
      ).body;
      expect(datapoints).toMatchObject([
        {
          inputs: { question: 'q119' },
          ground_truth: { answer: 119 },
          metadata: { source: 'web' },
          linked_datasets: [id],
        },
      ]);
    });

    it('get datapoints under ids of the client, each once however often it is sent', async () => {
      const [first, second] = [await newDataset({ datapoints: ['EXT-1'] }), await newDataset()];
      const put = (dataset: string, datapoints: readonly object[]) =>
        api.send('PUT', `/v1/datasets/${dataset}/datapoints`, { datapoints });
      const content = {
        inputs: { q: 1 },
        ground_truth: { a: 2 },
        metadata: { m: 3 },
        history: [{ role: 'user' }],
      };
      const one = { id: 'a1'.repeat(12), ...content };
      const two = { id: 'b2'.repeat(12) };
      expect((await put(first, [one])).body).toEqual({ added: 1, present: 0 });
      expect((await put(first, [{ ...one, inputs: { q: 'other' } }, two])).body).toEqual({
        added: 1,
        present: 1,
      });
      expect((await put(second, [one])).body).toEqual({ added: 1, present: 0 });
      expect((await read(first))?.datapoints).toEqual(['EXT-1', one.id, two.id]);
      const { datapoint } = (await api.send('GET', `/v1/datapoints/${one.id}`)).body;
      expect(datapoint).toMatchObject([{ ...content, linked_datasets: [first, second].sort() }]);
    });

    it('add nothing if an id occurs twice, an id has another form, or the dataset is unknown', async () => {
      const id = await newDataset();
      const put = (dataset: string, ...ids: string[]) =>
        api.send('PUT', `/v1/datasets/${dataset}/datapoints`, {
          datapoints: ids.map((one) => ({ id: one })),
        });
      const [good, other] = ['c3'.repeat(12), 'd4'.repeat(12)];
      expect(await put(id, good, other, good)).toMatchObject({
        status: 400,
        body: { message: 'datapoints[2].id occurs twice in the request' },
      });
      expect(await put(id, good, 'EXT-1')).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('datapoints[1].id') as string },
      });
      expect((await put('unknown', good)).status).toBe(404);
      expect((await read(id))?.datapoints).toEqual([]);
      expect((await api.send('GET', `/v1/datapoints/${good}`)).status).toBe(404);
    });

    const versionsOf = async (id: string, query = '') =>
      (await api.send('GET', `/v1/datasets/${id}/versions${query}`)).body as unknown as {
        versions: { version: number; created_at: string; added: number; removed: number; changed: number }[];
        next_cursor: string | null;
      };

    it('have a version for each change of their datapoints, and none for other requests', async () => {
      const id = await newDataset({ datapoints: ['EXT-1', 'EXT-2', 'EXT-1'] });
      const path = `/v1/datasets/${id}`;
      const data = [{ q: 1 }, { q: 2 }];
      const added = await api.send('POST', `${path}/datapoints`, { data, mapping: { inputs: ['q'] } });
      const [first, second] = added.body.datapoint_ids as [string, string];
      const [third] = (await api.send('POST', '/v1/datapoints', { linked_datasets: [id] })).body.result
        .insertedIds;
      const imported = { datapoints: [{ id: 'e5'.repeat(12) }] };
      await api.send('PUT', `${path}/datapoints`, imported);
      await api.send('PUT', `/v1/datapoints/${first}`, { inputs: { q: 'changed' } });
      await api.send('PUT', `/v1/datapoints/${third}`, { linked_datasets: [] });
      await api.send('DELETE', `${path}/datapoints/EXT-1`);
      await api.send('DELETE', `/v1/datapoints/${second}`);
      await api.send('PUT', path, { datapoints: ['EXT-2', 'EXT-3', 'EXT-4', first] });
      const changes = [
        { added: 2, removed: 1, changed: 0, datapoints: 4 },
        { added: 0, removed: 1, changed: 0, datapoints: 3 },
        { added: 0, removed: 1, changed: 0, datapoints: 4 },
        { added: 0, removed: 1, changed: 0, datapoints: 5 },
        { added: 0, removed: 0, changed: 1, datapoints: 6 },
        { added: 1, removed: 0, changed: 0, datapoints: 6 },
        { added: 1, removed: 0, changed: 0, datapoints: 5 },
        { added: 2, removed: 0, changed: 0, datapoints: 4 },
        { added: 2, removed: 0, changed: 0, datapoints: 2 },
      ].map((change, index) => ({ ...change, version: 9 - index, created_at: expect.any(String) as string }));
      expect(await versionsOf(id)).toEqual({ versions: changes, next_cursor: null });
      for (const [method, url, body] of [
        ['PUT', path, { name: 'renamed', description: 'd' }],
        ['PUT', path, { datapoints: [first, 'EXT-4', 'EXT-3', 'EXT-2'] }],
        ['PUT', `${path}/datapoints`, { datapoints: [{ id: first }] }],
        ['PUT', `/v1/datapoints/${first}`, { inputs: { q: 'changed' }, linked_datasets: [id] }],
        ['DELETE', `${path}/datapoints/EXT-1`, undefined],
      ] as const)
        expect([url, (await api.send(method, url, body)).status]).toEqual([url, 200]);
      const after = (await versionsOf(id)).versions;
      expect(after).toEqual(
        changes.map((change, index) => ({ ...change, created_at: after[index]?.created_at })),
      );
      const times = after.map(({ created_at }) => created_at);
      expect(times).toEqual([...times].sort().reverse());
    });

    it('list their versions page by page, also while they change', async () => {
      const id = await newDataset();
      const add = () => api.send('POST', '/v1/datapoints', { linked_datasets: [id] });
      for (let n = 0; n < 4; n++) await add();
      const numbers: number[] = [];
      let cursor = '';
      do {
        const page = await versionsOf(id, `?limit=2${cursor}`);
        numbers.push(...page.versions.map(({ version }) => version));
        cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
        await add();
      } while (cursor !== '');
      expect(numbers).toEqual([5, 4, 3, 2, 1]);
      const { next_cursor: foreign } = await versionsOf(id, '?limit=1');
      const other = await newDataset();
      expect((await api.send('GET', `/v1/datasets/${other}/versions?cursor=${foreign}`)).status).toBe(400);
      expect((await api.send('GET', '/v1/datasets/unknown/versions')).status).toBe(404);
      expect((await api.sendAsOther('GET', `/v1/datasets/${id}/versions`)).status).toBe(404);
    });

    it('number concurrent changes without gaps, and count every datapoint', async () => {
      const id = await newDataset();
      const responses = await Promise.all(
        Array.from({ length: 40 }, () => api.send('POST', '/v1/datapoints', { linked_datasets: [id] })),
      );
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
      const { versions } = await versionsOf(id);
      expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 41 }, (_, n) => 41 - n));
      expect(versions[0]).toMatchObject({ added: 1, datapoints: 40 });
      expect((await read(id))?.datapoints).toHaveLength(40);
    });

    it('keep the newest 1,000 versions, and none when they are deleted', async () => {
      const id = await newDataset();
      const [datasets, versions] = [
        await api.documents.collection<DatasetFields>(DATASET_COLLECTION),
        await api.documents.collection<DatasetVersionFields>(DATASET_VERSION_COLLECTION),
      ];
      const key = `${api.projectId}:${id}`;
      const stored = await datasets.get(key);
      const newest = stored?.newest_version;
      if (!stored || !newest) throw new Error('expected a dataset with a version');
      const { version: _, ...first } = newest;
      const kept = Array.from({ length: 999 }, (__, index) => index + 4).map((number) => ({
        id: `${key}:${number}`,
        fields: { ...first, project_id: api.projectId, dataset_id: id, number },
      }));
      await versions.insertMissing(kept);
      await datasets.replace({ ...stored, newest_version: { ...newest, version: 1_003 } });
      await api.send('POST', '/v1/datapoints', { linked_datasets: [id] });
      const numbers: number[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page = await versionsOf(id, `?limit=200${cursor && `&cursor=${cursor}`}`);
        numbers.push(...page.versions.map(({ version }) => version));
        cursor = page.next_cursor;
      }
      expect(numbers).toEqual(Array.from({ length: 1_000 }, (__, n) => 1_004 - n));
      await api.send('DELETE', `/v1/datasets/${id}`);
      const equals = { project_id: api.projectId, dataset_id: id };
      expect(await versions.list({ equals, orderBy: 'number', limit: 1 })).toEqual([]);
    });

    it('of an earlier release have version 0 until they change', async () => {
      const id = await newDataset({ datapoints: ['EXT-1'] });
      const collection = await api.documents.collection<DatasetFields>(DATASET_COLLECTION);
      const stored = await collection.get(`${api.projectId}:${id}`);
      const { newest_version: _, ...earlier } = stored!;
      await collection.replace(earlier);
      const versionOfRun = async () =>
        (await api.send('POST', '/v1/runs', { dataset_id: id })).body.evaluation.dataset_version;
      expect([await versionsOf(id), await versionOfRun()]).toEqual([{ versions: [], next_cursor: null }, 0]);
      await api.send('DELETE', `/v1/datasets/${id}/datapoints/EXT-1`);
      expect((await versionsOf(id)).versions).toMatchObject([{ version: 1, removed: 1, datapoints: 0 }]);
      expect(await versionOfRun()).toBe(1);
    });

    it('store no object if one of them is invalid', async () => {
      const id = await newDataset();
      const before = (await api.send('GET', '/v1/datapoints')).body.datapoints.length;
      const data = [{ chat: [] }, { chat: 'text' }];
      const response = await api.send('POST', `/v1/datasets/${id}/datapoints`, {
        data,
        mapping: { inputs: [], history: ['chat'], ground_truth: [] },
      });
      expect(response).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('data[1]') as string },
      });
      expect((await api.send('GET', '/v1/datapoints')).body.datapoints).toHaveLength(before);
    });

    it('lose a removed datapoint by all three routes, without deleting it', async () => {
      const { insertedIds } = (await api.send('POST', '/v1/datapoints', {})).body.result;
      const [datapoint] = insertedIds;
      for (const route of ['/datapoints/', '/', '?']) {
        const id = await newDataset({ datapoints: ['EXT-1', datapoint, 'EXT-2'] });
        const path =
          route === '?'
            ? `/v1/datasets?dataset_id=${id}&datapoint_id=${datapoint}`
            : `/v1/datasets/${id}${route}${datapoint}`;
        expect((await api.send('DELETE', path)).body).toEqual({
          dereferenced: true,
          message: 'datapoint removed from the dataset',
        });
        expect((await read(id))?.datapoints).toEqual(['EXT-1', 'EXT-2']);
        expect((await api.send('DELETE', path)).body).toMatchObject({ dereferenced: false });
      }
      expect((await api.send('GET', `/v1/datapoints/${datapoint}`)).status).toBe(200);
    });

    it('are deleted by the path and by the query of the deprecated route', async () => {
      const [one, two] = [await newDataset({ datapoints: ['EXT-1'] }), await newDataset()];
      expect((await api.send('DELETE', `/v1/datasets/${one}`)).body).toEqual({ result: { id: one } });
      expect((await api.send('DELETE', `/datasets?dataset_id=${two}`)).body).toEqual({ result: { id: two } });
      expect(await read(one)).toBeUndefined();
      expect((await api.send('DELETE', `/v1/datasets/${one}`)).status).toBe(404);
    });

    it('of another project are treated as not found', async () => {
      const id = await newDataset({ name: 'canary-name', datapoints: ['EXT-canary'] });
      expect((await api.sendAsOther('GET', `/v1/datasets?dataset_id=${id}`)).body.datasets).toEqual([]);
      expect((await api.sendAsOther('GET', '/v1/datasets?name=canary-name')).body.datasets).toEqual([]);
      const mapping = { inputs: [], history: [], ground_truth: [] };
      const requests = (of: string): [string, string, object?][] => [
        ['PUT', `/v1/datasets/${of}`, { name: 'stolen' }],
        ['PUT', '/v1/datasets', { dataset_id: of, datapoints: [] }],
        ['DELETE', `/v1/datasets/${of}`],
        ['DELETE', `/v1/datasets?dataset_id=${of}`],
        ['POST', `/v1/datasets/${of}/datapoints`, { data: [{}], mapping }],
        ['POST', '/v1/datapoints', { linked_datasets: [of] }],
        ['DELETE', `/v1/datasets/${of}/datapoints/EXT-canary`],
        ['DELETE', `/v1/datasets/${of}/EXT-canary`],
      ];
      for (const [index, request] of requests(id).entries()) {
        const response = await api.sendAsOther(...request);
        expect(response).toEqual(await api.send(...requests('0'.repeat(24))[index]!));
        expect(response.status).toBe(404);
      }
      expect(await read(id)).toMatchObject({ name: 'canary-name', datapoints: ['EXT-canary'] });
    });

    it('keep all datapoints that are added concurrently', async () => {
      const id = await newDataset();
      const added = await Promise.all(
        Array.from({ length: 30 }, () => api.send('POST', '/v1/datapoints', { linked_datasets: [id] })),
      );
      const expected = added.map(({ body }) => body.result.insertedIds[0]).sort();
      expect([...((await read(id))?.datapoints ?? [])].sort()).toEqual(expected);
    });

    it('keep datapoints that are added during a replacement, unless the replacement is later', async () => {
      const id = await newDataset();
      for (let round = 0; round < 5; round++) {
        const [, added] = await Promise.all([
          api.send('PUT', `/v1/datasets/${id}`, { datapoints: ids(50, round * 100) }),
          api.send('POST', '/v1/datapoints', { linked_datasets: [id] }),
        ]);
        const after = await api.send('POST', '/v1/datapoints', { linked_datasets: [id] });
        const listed = (await read(id))?.datapoints ?? [];
        const [during, later] = [added, after].map(({ body }) => body.result.insertedIds[0]);
        expect(listed.filter((one) => one !== during)).toEqual([...ids(50, round * 100), later]);
      }
    });

    it('are read by id', async () => {
      const id = await newDataset({ name: 'one', datapoints: ids(3) });
      expect((await api.send('GET', `/v1/datasets/${id}`)).body).toEqual(await read(id));
      expect((await api.sendAsOther('GET', `/v1/datasets/${id}`)).status).toBe(404);
      expect((await api.send('GET', '/datasets/unknown')).status).toBe(404);
    });

    it('are paged by a cursor, without deleted datapoints, while datapoints are added', async () => {
      const id = await newDataset();
      const add = async () =>
        (await api.send('POST', '/v1/datapoints', { linked_datasets: [id] })).body.result.insertedIds[0];
      const added = [await add(), await add(), await add()];
      const path = `/v1/datasets/${id}/datapoints`;
      const page = async (query: string) => {
        const { status, body } = await api.send('GET', `${path}?${query}`);
        const { datapoints, total, next_cursor } = body as unknown as Page;
        return { status, ids: datapoints?.map((one) => one.id), total, cursor: next_cursor };
      };
      const first = await page('limit=2');
      expect(first).toMatchObject({ ids: added.slice(0, 2), total: 3, cursor: expect.any(String) as string });
      await api.send('DELETE', `/v1/datapoints/${added[0]}`);
      const last = await add();
      const second = await page(`limit=2&cursor=${first.cursor}`);
      expect(second).toMatchObject({ ids: [added[2], last], total: 3, cursor: null });
      await api.send('PUT', `/v1/datasets/${id}`, { datapoints: ids(2) });
      expect((await page(`cursor=${first.cursor}`)).status).toBe(400);
      expect(await page('')).toMatchObject({ ids: [], total: 2, cursor: null });
      for (const query of ['limit=0', 'limit=501', 'cursor=x']) expect((await page(query)).status).toBe(400);
      expect((await api.sendAsOther('GET', path)).status).toBe(404);
      expect((await api.send('GET', '/v1/datasets/unknown/datapoints')).status).toBe(404);
    });

    it('apply concurrent replacements atomically', async () => {
      const id = await newDataset();
      await Promise.all(
        [0, 1, 2].map((n) => api.send('PUT', `/v1/datasets/${id}`, { datapoints: ids(40, n * 1_000) })),
      );
      const listed = (await read(id))?.datapoints ?? [];
      expect([ids(40), ids(40, 1_000), ids(40, 2_000)]).toContainEqual(listed);
    });

    it('contain more datapoints than a page, in order', async () => {
      const id = await newDataset({ datapoints: ids(2_500) });
      expect((await read(id))?.datapoints).toEqual(ids(2_500));
      const [datapoint] = (await api.send('POST', '/v1/datapoints', { linked_datasets: [id] })).body.result
        .insertedIds;
      const page = await api.send('GET', `/v1/datapoints?dataset_id=${id}&limit=100&page=26`);
      expect(page.body.datapoints.map((one) => one.id)).toEqual([datapoint]);
      expect(
        (await api.send('PUT', `/v1/datasets/${id}`, { datapoints: ids(1_001) })).body.result.datapoints,
      ).toEqual(ids(1_001));
    });
  });
}
