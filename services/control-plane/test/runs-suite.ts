import { randomUUID } from 'node:crypto';
import { type JsonResponse, type OpenStore, type ResourceApi, startResourceApi } from './resource-api.js';

/** Test suite of runs on any document store. */
export function describeRuns(title: string, open: OpenStore): void {
  describe(`runs ${title}`, () => {
    let api: ResourceApi;
    beforeAll(async () => {
      api = await startResourceApi(open);
    });
    afterAll(() => api.stop());

    const create = async (body: object): Promise<JsonResponse> =>
      (await api.send('POST', '/v1/runs', body)).body.evaluation;
    const list = async (query: string) => (await api.send('GET', `/v1/runs?${query}`)).body;
    const names = async (query: string) => (await list(query)).evaluations.map(({ name }) => name);

    it('have the version of their dataset at the time when it became theirs', async () => {
      const dataset = (await api.send('POST', '/v1/datasets', { datapoints: ['EXT-1'] })).body.result
        .insertedId;
      const add = () => api.send('POST', '/v1/datapoints', { linked_datasets: [dataset] });
      const versionOf = async (run_id: unknown) =>
        (await api.send('GET', `/v1/runs/${String(run_id)}`)).body.evaluation.dataset_version;
      const early = await create({ dataset_id: dataset });
      const late = await create({});
      expect([early.dataset_version, late.dataset_version]).toEqual([1, null]);
      await add();
      await create({ run_id: early.run_id, dataset_id: dataset, name: 'again' });
      await create({ run_id: late.run_id, dataset_id: dataset });
      await add();
      await api.send('PUT', `/v1/runs/${String(late.run_id)}`, { status: 'completed' });
      expect([await versionOf(early.run_id), await versionOf(late.run_id)]).toEqual([1, 2]);
      await api.send('DELETE', `/v1/datasets/${dataset}`);
      expect(await versionOf(late.run_id)).toBe(2);
      for (const dataset_id of [dataset, 'EXT-1'])
        expect((await create({ dataset_id })).dataset_version).toBeNull();
    });

    it('are created under the client’s id or a generated one', async () => {
      const run_id = randomUUID();
      const created = await api.send('POST', '/runs', {
        run_id: run_id.toUpperCase(),
        name: ' first ',
        project: 'p',
        unknown: 1,
      });
      expect(created.body).toMatchObject({
        run_id,
        evaluation: {
          id: run_id,
          run_id,
          name: 'first',
          status: 'pending',
          is_active: true,
          scope_type: 'project',
          scope_id: api.projectId,
        },
      });
      expect(created.body.evaluation).toMatchObject({
        metadata: {},
        results: {},
        metrics: {},
        configuration: {},
        event_ids: [],
        dataset_id: null,
      });
      expect((await api.send('GET', `/v1/runs/${run_id}`)).body).toEqual({
        evaluation: created.body.evaluation,
      });
      expect((await create({})).run_id).toMatch(/^[0-9a-f-]{14}4/);
    });

    it.each([
      [{ name: '  ' }, 'name must not be blank'],
      [{ run_id: 'ci-123' }, 'run_id must be a valid UUID'],
      [{ run_id: '0b5f9d0c-7f0a-1f6e-9c1b-3f1f8f0a1d2e' }, 'run_id must be a valid UUID of version 4'],
      [{ status: 'done' }, 'status must be one of'],
    ])('are rejected as %j', async (body, message) => {
      expect(await api.send('POST', '/v1/runs', body)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(message) as string },
      });
    });

    it('are merged when they are created again, also concurrently', async () => {
      const run_id = randomUUID();
      const bodies = Array.from({ length: 8 }, (_, n) => ({
        run_id,
        metadata: { [`key${n}`]: n },
        event_ids: [`s${n}`],
      }));
      await Promise.all(bodies.map((body) => api.send('POST', '/v1/runs', body)));
      const { evaluation } = (await api.send('GET', `/v1/runs/${run_id}`)).body;
      expect(Object.keys(evaluation.metadata as object).sort()).toEqual(bodies.map((_, n) => `key${n}`));
      expect([...(evaluation.event_ids as string[])].sort()).toEqual(bodies.map((_, n) => `s${n}`));
    });

    it('merge objects and replace other fields on update', async () => {
      const { run_id } = await create({
        name: 'a',
        metadata: { a: 1 },
        configuration: { model: 'm' },
        event_ids: ['s1'],
      });
      const body = {
        name: 'b',
        status: 'completed',
        metadata: { b: 2 },
        results: { r: 1 },
        event_ids: ['s2', 's3'],
      };
      const { evaluation } = (await api.send('PUT', `/runs/${String(run_id)}`, body)).body;
      expect(evaluation).toMatchObject({
        ...body,
        metadata: { a: 1, b: 2 },
        configuration: { model: 'm' },
      });
      expect((await api.send('PUT', `/v1/runs/${String(run_id)}`, { name: ' ' })).status).toBe(400);
    });

    it('lose no concurrent update of different keys', async () => {
      const { run_id } = await create({});
      await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          api.send('PUT', `/v1/runs/${String(run_id)}`, { results: { [`r${n}`]: n } }),
        ),
      );
      expect(
        Object.keys((await api.send('GET', `/v1/runs/${String(run_id)}`)).body.evaluation.results as object),
      ).toHaveLength(8);
    });

    it('refer to a dataset of the client, or return the name of one of the project', async () => {
      const external = await create({ name: 'external', dataset_id: 'EXT-abc', metadata: { a: 1 } });
      expect(external).toMatchObject({
        dataset_id: 'EXT-abc',
        dataset_name: null,
        metadata: { a: 1, offline_dataset_id: 'EXT-abc' },
      });
      const dataset_id = (await api.send('POST', '/v1/datasets', { name: 'golden' })).body.result.insertedId;
      expect(await create({ name: 'managed', dataset_id })).toMatchObject({
        dataset_id,
        dataset_name: 'golden',
      });
      expect(await names('dataset_id=EXT-abc')).toEqual(['external']);
      expect(await names(`dataset_id=${dataset_id}`)).toEqual(['managed']);
      expect(await names(`dataset_id=${dataset_id}&sort_by=name`)).toEqual(['managed']);
      await api.send('DELETE', `/v1/datasets/${dataset_id}`);
      expect((await list(`dataset_id=${dataset_id}`)).evaluations).toMatchObject([
        { dataset_id, dataset_name: null },
      ]);
    });

    it('are found by a part of their name, whatever the case of its letters', async () => {
      const name = `GRÖSSE ΟΔΟΣΑ ${randomUUID()}`;
      await create({ name });
      for (const part of ['grösse', 'ΟΔΟΣ', 'οδος', 'δοσα', name.toLowerCase()])
        expect([part, await names(`name=${encodeURIComponent(part)}`)]).toEqual([part, [name]]);
    });

    it('are filtered by dataset and status in every order, page by page', async () => {
      const dataset_id = `EXT-${randomUUID()}`;
      for (const [n, status] of ['completed', 'failed', 'completed', 'completed', 'failed'].entries()) {
        await create({ name: `run ${n}`, status, dataset_id });
      }
      await create({ name: 'elsewhere', status: 'completed' });
      for (const sort_by of ['created_at', 'updated_at', 'name']) {
        const query = `dataset_id=${dataset_id}&sort_by=${sort_by}&sort_order=asc`;
        expect(await names(`${query}&status=completed`)).toEqual(['run 0', 'run 2', 'run 3']);
        expect(await names(`${query}&status=completed&limit=2&page=2`)).toEqual(['run 3']);
        expect(await names(query)).toEqual([0, 1, 2, 3, 4].map((n) => `run ${n}`));
      }
      const byStatus = await list(`dataset_id=${dataset_id}&sort_by=status&sort_order=asc`);
      expect(byStatus.evaluations.map(({ status }) => status)).toEqual([
        'completed',
        'completed',
        'completed',
        'failed',
        'failed',
      ]);
      const failed = await list(`dataset_id=${dataset_id}&sort_by=status&status=failed`);
      expect([failed.evaluations.length, failed.pagination]).toEqual([
        2,
        expect.objectContaining({ total: 2 }),
      ]);
      expect(
        (await list('status=completed&sort_by=status&limit=100')).evaluations.map(({ name }) => name),
      ).toContain('elsewhere');
    });

    it('are deleted', async () => {
      const { run_id } = await create({});
      expect((await api.send('DELETE', `/v1/runs/${String(run_id)}`)).body).toEqual({
        id: run_id,
        deleted: true,
      });
      for (const method of ['GET', 'DELETE'])
        expect((await api.send(method, `/v1/runs/${String(run_id)}`)).status).toBe(404);
    });

    it('of another project are treated as not found, and may have the same id', async () => {
      const { run_id } = await create({ name: 'canary' });
      const [mine, unknown] = [`/v1/runs/${String(run_id)}`, `/v1/runs/${randomUUID()}`];
      for (const [method, body] of [['GET'], ['PUT', { name: 'stolen' }], ['DELETE']] as const) {
        const response = await api.sendAsOther(method, mine, body);
        expect(response).toEqual(await api.send(method, unknown, body));
        expect(response.status).toBe(404);
      }
      expect((await api.sendAsOther('GET', `/v1/runs?run_ids[]=${String(run_id)}`)).body).toMatchObject({
        evaluations: [],
        pagination: { total: 0 },
      });
      await api.sendAsOther('POST', '/v1/runs', { run_id, name: 'theirs' });
      expect((await api.send('GET', mine)).body.evaluation).toMatchObject({
        name: 'canary',
        scope_id: api.projectId,
      });
      expect((await api.sendAsOther('GET', mine)).body.evaluation).toMatchObject({
        name: 'theirs',
        scope_id: api.otherProjectId,
      });
    });

    describe('in a list', () => {
      let runs: JsonResponse[];
      const day = 86_400_000;
      beforeAll(async () => {
        await api.stop();
        api = await startResourceApi(open);
        const bodies = [
          { name: 'Prompt A', status: 'completed' },
          { name: 'prompt B', status: 'failed' },
          { name: 'model (x) 100%', status: 'completed' },
          { name: 'zeta', status: 'running' },
          { status: 'pending' },
        ];
        runs = [];
        for (const body of bodies) {
          runs.push(await create(body));
          api.clock.time += day;
        }
        await api.send('PUT', `/v1/runs/${String(runs[0]?.run_id)}`, { description: 'changed last' });
      });

      it('are newest first, with pagination', async () => {
        expect(await list('')).toMatchObject({
          evaluations: [...runs].reverse().map(({ run_id }) => ({ run_id })),
          metrics: [],
          pagination: {
            page: 1,
            limit: 20,
            total: 5,
            total_unfiltered: 5,
            total_pages: 1,
            has_next: false,
            has_prev: false,
          },
        });
        const second = await list('limit=2&page=2');
        expect(second.evaluations.map(({ name }) => name)).toEqual(['model (x) 100%', 'prompt B']);
        expect(second.pagination).toEqual({
          page: 2,
          limit: 2,
          total: 5,
          total_unfiltered: 5,
          total_pages: 3,
          has_next: true,
          has_prev: true,
        });
        expect(await list('page=7')).toMatchObject({
          evaluations: [],
          pagination: { total: 5, has_next: false, has_prev: true },
        });
      });

      it.each([
        ['name=PROMPT', ['prompt B', 'Prompt A']],
        ['name=(x)%20100%25', ['model (x) 100%']],
        ['name=.*', []],
        ['status=completed', ['model (x) 100%', 'Prompt A']],
        ['status=completed&name=prompt', ['Prompt A']],
        ['sort_by=name&sort_order=asc', [null, 'model (x) 100%', 'Prompt A', 'prompt B', 'zeta']],
        ['sort_by=status&sort_order=asc&name=prompt', ['Prompt A', 'prompt B']],
        ['sort_by=updated_at&limit=1', ['Prompt A']],
        [
          'dateRange[$gte]=2026-11-02T00:00:00Z&dateRange[$lte]=2026-11-03T23:59:59Z',
          ['model (x) 100%', 'prompt B'],
        ],
        [
          "dateRange={'$gte': '2026-11-02', '$lte': '2026-11-03T23:59:59Z'}&sort_by=name&sort_order=asc",
          ['model (x) 100%', 'prompt B'],
        ],
        ['dateRange=3d', [null, 'zeta']],
        ['dateRange[$gte]=99999999999999', []],
        ['limit=None&status=None&dataset_id=EXT-none', []],
        ['dataset_id=None&name=prompt', ['prompt B', 'Prompt A']],
      ])('match %s', async (query, expected) => {
        expect(await names(query)).toEqual(expected);
        const { pagination } = await list(query);
        expect(pagination).toMatchObject({
          total_unfiltered: 5,
          ...(query.includes('limit=1') ? {} : { total: expected.length }),
        });
      });

      it('include all requested ids, even more than a page', async () => {
        const more = await Promise.all(Array.from({ length: 30 }, (_, n) => create({ name: `more ${n}` })));
        const ids = more.map(({ run_id }) => String(run_id));
        const found = await list(ids.map((id) => `run_ids[]=${id}`).join('&'));
        expect(found.evaluations.map(({ run_id }) => run_id).sort()).toEqual([...ids].sort());
        expect((await list(`run_ids=${ids[0]?.toUpperCase()}`)).evaluations).toHaveLength(1);
      });

      it.each([
        'limit=101',
        'limit=0',
        'page=0',
        'status=x',
        'sort_by=x',
        'sort_order=x',
        'run_ids[]=x',
        'dateRange=x',
        'dateRange={broken',
      ])('are rejected with %s', async (query) => {
        expect(await api.send('GET', `/v1/runs?${query}`)).toMatchObject({
          status: 400,
          body: { errorCode: 'VALIDATION_ERROR' },
        });
      });
    });
  });
}
