import { METRIC_COLLECTION, type MetricFields } from '../src/metrics/metric-document.js';
import { ProjectScopedCollection } from '../src/shared/project-scoped-collection.js';
import { type JsonResponse, type OpenStore, type ResourceApi, startResourceApi } from './resource-api.js';

const python = { name: 'accuracy', type: 'PYTHON', criteria: 'def accuracy(event): return 1.0' };
const judge = {
  name: 'judge',
  type: 'LLM',
  criteria: 'Rate {{ outputs.answer }}',
  model_provider: 'openai',
  model_name: 'gpt-4o',
};

const pattern = (start: string) => new RegExp(`^${start.replace(/[.()]/g, '\\$&')}`);

/** Test suite of metrics on any document store. */
export function describeMetrics(title: string, open: OpenStore): void {
  describe(`metrics ${title}`, () => {
    let api: ResourceApi;
    beforeAll(async () => {
      api = await startResourceApi(open);
    });
    afterAll(() => api.stop());

    const create = async (body: object = python): Promise<string> =>
      (await api.send('POST', '/v1/metrics', body)).body.metric_id;
    const read = async (id: string) => (await api.send('GET', `/v1/metrics?id=${id}`)).body.metrics[0];
    const versions = async (id: string): Promise<JsonResponse[]> =>
      (await api.send('GET', `/v1/metrics/${id}/versions`)).body.data;
    const deployedOf = async (id: string) =>
      (await versions(id)).flatMap(({ deployed, name }) => (deployed ? [name] : []));
    const draft = (metric: string, body: object) =>
      api.send('POST', `/v1/metrics/${metric}/versions`, { message: 'm', ...body });

    it('are created with the documented defaults, or with every field', async () => {
      const id = await create({ ...python, workspace: 'ignored' });
      expect(await read(id)).toEqual({
        id,
        ...python,
        description: '',
        return_type: 'float',
        direction: 'higher',
        enabled_in_prod: false,
        needs_ground_truth: false,
        sampling_percentage: 10,
        model_provider: null,
        model_name: null,
        scale: null,
        threshold: null,
        categories: null,
        child_metrics: null,
        filters: { filterArray: [] },
        created_at: expect.any(String) as string,
        updated_at: expect.any(String) as string,
      });
      const full = {
        name: 'x'.repeat(200),
        type: 'HUMAN',
        criteria: 'c',
        description: null,
        return_type: 'categorical',
        direction: 'lower',
        enabled_in_prod: false,
        needs_ground_truth: true,
        sampling_percentage: 100,
        model_provider: null,
        model_name: null,
        scale: 5,
        threshold: { min: 0, max: 1, pass_when: true, passing_categories: ['good'] },
        categories: [
          { category: 'good', score: 1 },
          { category: 'bad', score: null },
        ],
        child_metrics: [{ name: 'a', weight: 0.5, id: 'i', scale: 5 }],
        filters: { filterArray: [{ field: 'event_type', value: 'model' }] },
      };
      expect(await read(await create(full))).toMatchObject(full);
    });

    it('of an earlier release are read with warnings about filters that select other events than they seem to', async () => {
      const id = await create(python);
      expect(await read(id)).not.toHaveProperty('warnings');
      const filterArray = [
        { field: 'event_type', operator: 'is', value: 'session', type: 'string' },
        { field: 'inputs.messages.0.role', operator: 'is', value: 'user', type: 'string' },
        { field: 'metadata.num_events', operator: 'greater than', value: 2, type: 'number' },
      ];
      const metrics = await api.documents.collection<MetricFields>(METRIC_COLLECTION);
      await new ProjectScopedCollection(metrics, api.projectId).update(id, (stored) => ({
        ...stored,
        filters: { filterArray },
      }));
      const warnings = [
        expect.stringMatching(pattern('filters.filterArray\\[1\\].field must name an item')) as string,
      ];
      expect(await read(id)).toMatchObject({ warnings });
      const update = (body: object) => api.send('PUT', `/v1/metrics/${id}`, body);
      expect((await update({ filters: { filterArray: filterArray.slice(1) } })).status).toBe(400);
      expect((await update({ description: 'kept' })).status).toBe(200);
      expect(await read(id)).toMatchObject({ description: 'kept', warnings });
      const withoutIndex = filterArray.filter(({ field }) => !field.startsWith('inputs'));
      expect((await update({ filters: { filterArray: withoutIndex } })).status).toBe(200);
      expect(await read(id)).not.toHaveProperty('warnings');
    });

    it.each([
      [{ ...python, name: 'x'.repeat(201) }, 'name must have at most 200 characters'],
      [{ ...python, criteria: '' }, 'criteria must have at least 1 character'],
      [{ ...python, sampling_percentage: 100.5 }, 'sampling_percentage must be at most 100'],
      [{ ...python, sampling_percentage: -1 }, 'sampling_percentage must be at least 0'],
      [{ ...python, categories: [] }, 'categories must have at least 1 item'],
      [{ ...python, child_metrics: [] }, 'child_metrics must have at least 1 item'],
      [{ ...python, type: 'COMPOSITE' }, 'child_metrics is required for type COMPOSITE'],
      [{ ...python, threshold: { minimum: 1 } }, 'threshold.minimum is not a field of this request'],
      [
        { ...python, filters: { filterArray: [{ field: 'a', value: 1, type: 'id' }] } },
        'filters.filterArray[0].type must be one of',
      ],
    ])('are rejected as %j', async (body, message) => {
      expect(await api.send('POST', '/v1/metrics', body)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(message) as string },
      });
    });

    it.each<[string, object, string]>([
      ['code', { ...python, criteria: 'x = 1\ndef f(:' }, 'criteria does not compile (line 2): '],
      ['a template', { ...judge, criteria: 'a\nb\n{% if %}' }, 'criteria is not a valid template (line 3): '],
      [
        'a dot before an index',
        { ...judge, criteria: '{{ messages.0.content }}' },
        'criteria is not a valid template (line 1): ',
      ],
      [
        'one token too many',
        { ...judge, criteria: `${'{{ a }}'.repeat(6_666)}{{ a.b` },
        'criteria is not a valid template (line 1): the template has more than 20,000 tokens',
      ],
    ])('are rejected with the line of a mistake in %s, at every write', async (_, wrong, message) => {
      const rejection = (start: string) => ({
        status: 400,
        body: { errorCode: 'VALIDATION_ERROR', message: expect.stringMatching(pattern(start)) as string },
      });
      const id = await create(judge);
      expect(await api.send('POST', '/v1/metrics', wrong)).toMatchObject(rejection(message));
      expect(await api.send('PUT', `/v1/metrics/${id}`, wrong)).toMatchObject(rejection(message));
      expect(await draft(id, { content: { ...judge, ...wrong } })).toMatchObject(
        rejection(`content.${message}`),
      );
      expect(await read(id)).toMatchObject(judge);
      expect(await versions(id)).toHaveLength(1);
      await api.send('DELETE', `/v1/metrics/${id}`);
    });

    it('are rejected when code has more than 64 KiB, at every write', async () => {
      const [longest, long] = [65_536, 65_537].map((bytes) => ({
        ...python,
        criteria: `result = 1 # é${' '.repeat(bytes - 15)}`,
      }));
      const rejection = (path: string) => ({
        status: 400,
        body: { message: `${path}criteria must have at most 65536 bytes for type PYTHON` },
      });
      const id = await create(longest);
      expect(await api.send('POST', '/v1/metrics', long)).toMatchObject(rejection(''));
      expect(await api.send('PUT', `/v1/metrics/${id}`, long)).toMatchObject(rejection(''));
      expect(await draft(id, { content: { ...judge, ...long } })).toMatchObject(rejection('content.'));
      await api.send('DELETE', `/v1/metrics/${id}`);
    });

    it('are not checked where criteria are neither code nor a template', async () => {
      const id = await create({ ...python, type: 'HUMAN', criteria: 'rate it {{ (' });
      await api.send('PUT', `/v1/metrics/${id}`, { criteria: 'rate it {% (' });
      expect(await api.send('PUT', `/v1/metrics/${id}`, { type: 'PYTHON' })).toMatchObject({ status: 400 });
      expect(await read(id)).toMatchObject({ type: 'HUMAN', criteria: 'rate it {% (' });
      await api.send('DELETE', `/v1/metrics/${id}`);
    });

    it('are listed newest first, by type and by id', async () => {
      const [one, two] = [await create(judge), await create(judge)];
      const judges = (await api.send('GET', '/v1/metrics?type=LLM')).body.metrics;
      expect(judges.map(({ id }) => id)).toEqual([two, one]);
      expect((await api.send('GET', `/v1/metrics?type=HUMAN&id=${one}`)).body.metrics).toEqual([]);
      expect((await api.send('GET', '/v1/metrics?id=unknown')).body).toEqual({ metrics: [] });
    });

    it('are updated partially, with the id in the path or in the body of the deprecated route', async () => {
      const id = await create({ ...judge, scale: 5, threshold: { min: 3 } });
      expect(
        (await api.send('PUT', `/v1/metrics/${id}`, { name: 'renamed', description: null, scale: null }))
          .body,
      ).toMatchObject({
        updated: true,
      });
      expect(await read(id)).toMatchObject({
        name: 'renamed',
        description: null,
        scale: null,
        threshold: { min: 3 },
        model_name: 'gpt-4o',
      });
      for (const [path, change] of [
        ['/metrics', { threshold: null }],
        ['/v1/metrics', { sampling_percentage: 0 }],
      ] as const) {
        expect((await api.send('PUT', path, { id, ...change })).body).toMatchObject({ updated: true });
      }
      expect(await read(id)).toMatchObject({ name: 'renamed', threshold: null, sampling_percentage: 0 });
      expect(await api.send('PUT', `/v1/metrics/${id}`, { type: 'COMPOSITE' })).toMatchObject({
        status: 400,
      });
      expect(await api.send('PUT', `/v1/metrics/${id}`, { categories: null })).toMatchObject({ status: 400 });
      expect(await api.send('PUT', '/v1/metrics', { name: 'no id' })).toMatchObject({
        status: 400,
        body: { message: 'id is required' },
      });
    });

    it('say whether their judge sends instructions, in each version', async () => {
      const id = await create(judge);
      const stated = async () => (await read(id))?.['add_instructions'];
      expect(await stated()).toBe(true);
      await api.send('PUT', `/v1/metrics/${id}`, { criteria: 'Rate, as in [[5]]' });
      expect(await stated()).toBeUndefined();
      await api.send('PUT', `/v1/metrics/${id}`, { add_instructions: true });
      expect(await stated()).toBe(true);
      await api.send('PUT', `/v1/metrics/${id}`, { criteria: 'Rate it', add_instructions: false });
      expect(await stated()).toBe(false);
      await api.send('PUT', `/v1/metrics/${id}`, { add_instructions: null });
      expect(await stated()).toBe(true);
      const contents = (await versions(id)).map((version) => version['content'] as JsonResponse);
      expect(contents.map((content) => content['add_instructions'])).toEqual([
        true,
        undefined,
        true,
        false,
        true,
      ]);
      const wrong = await api.send('PUT', `/v1/metrics/${id}`, { add_instructions: 'canary' });
      expect(wrong).toMatchObject({ status: 400 });
      expect(wrong.body.message).toMatch(/^add_instructions must be/);
      await api.send('DELETE', `/v1/metrics/${id}`);
    });

    describe('with parameters of the model', () => {
      const model_parameters = {
        ...{ temperature: null, top_p: 0.5, max_tokens: 100, max_completion_tokens: 200 },
        ...{ frequency_penalty: -2, presence_penalty: 2, seed: 7, stop: ['END', 'STOP'] },
      };

      it('have them in each version, until an update or a deployment removes them', async () => {
        const id = await create({ ...judge, model_parameters });
        await api.send('PUT', `/v1/metrics/${id}`, { description: 'unchanged parameters' });
        expect(await read(id)).toMatchObject({ model_parameters });
        await api.send('PUT', `/v1/metrics/${id}`, { model_parameters: { seed: 8 } });
        expect(await read(id)).toHaveProperty('model_parameters', { seed: 8 });
        await api.send('PUT', `/v1/metrics/${id}`, { model_parameters: null });
        expect(await read(id)).not.toHaveProperty('model_parameters');
        const content = { ...judge, model_parameters: { max_tokens: 5 } };
        await draft(id, { content, deploy_immediately: true });
        expect(await read(id)).toMatchObject(content);
        await api.send('POST', `/v1/metrics/${id}/versions/v4/deploy`);
        expect(await read(id)).not.toHaveProperty('model_parameters');
        const contents = (await versions(id)).map((version) => version['content'] as JsonResponse);
        expect(contents.map((stored) => stored['model_parameters'])).toEqual([
          ...[model_parameters, model_parameters, { seed: 8 }, undefined, { max_tokens: 5 }],
        ]);
        await api.send('DELETE', `/v1/metrics/${id}`);
      });

      it.each<[object | string, string]>([
        [{ temperature: 2.1 }, 'temperature must be at most 2'],
        [{ temperature: 'canary' }, 'temperature must be'],
        [{ top_p: -0.1 }, 'top_p must be at least 0'],
        [{ max_tokens: 0 }, 'max_tokens must be at least 1'],
        [{ max_tokens: 1.5 }, 'max_tokens must be'],
        [{ max_completion_tokens: 1_000_001 }, 'max_completion_tokens must be at most 1000000'],
        [{ presence_penalty: 3 }, 'presence_penalty must be at most 2'],
        [{ seed: 2 ** 60 }, 'seed must be at most'],
        [{ stop: ['canary', ''] }, 'stop[1] must have at least 1 character'],
        [{ stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop must have at most 4 items'],
        [{ stop: 'x'.repeat(201) }, 'stop must have at most 200 characters'],
        [{ stream: true }, 'stream is not a field of this request'],
        ['canary', ' must be'],
      ])('are rejected with %j at every write', async (wrong, problem) => {
        const id = await create(judge);
        const body = { ...judge, model_parameters: wrong };
        const dot = problem.startsWith(' ') ? '' : '.';
        for (const [response, path] of [
          [await api.send('POST', '/v1/metrics', body), ''],
          [await api.send('PUT', `/v1/metrics/${id}`, body), ''],
          [await api.send('PUT', '/v1/metrics', { id, ...body }), ''],
          [await draft(id, { content: body }), 'content.'],
        ] as const) {
          const { status, body: error } = response;
          expect([status, error.errorCode]).toEqual([400, 'VALIDATION_ERROR']);
          expect(error.message).toContain(`${path}model_parameters${dot}${problem}`);
          expect(error.message).not.toContain('canary');
        }
        await api.send('DELETE', `/v1/metrics/${id}`);
      });
    });

    describe('of type COMPOSITE', () => {
      const children = (...child_metrics: object[]) => ({
        name: 'overall',
        type: 'COMPOSITE',
        criteria: 'weighted average',
        child_metrics: child_metrics.map((child) => ({ weight: 1, ...child })),
      });
      let unfit: Record<'text' | 'composite', string>;
      beforeAll(async () => {
        unfit = {
          text: await create({ ...python, name: 'text', return_type: 'string' }),
          composite: await create({ ...children({ name: 'accuracy' }), name: 'composite' }),
        };
      });

      it('combine metrics that exist or not, also categories, and any of a name that fits', async () => {
        const id = await create({ ...python, name: 'tone', return_type: 'categorical' });
        await create({ ...python, name: 'mixed', return_type: 'string' });
        await create({ ...python, name: 'mixed' });
        const fit = [
          { name: 'tone', id },
          { name: 'unknown' },
          { name: 'mixed' },
          { name: 'a', id: 'unknown' },
        ];
        const composite = await create({ ...children(...fit), criteria: 'minimum', return_type: 'boolean' });
        expect(await read(composite)).toMatchObject({ type: 'COMPOSITE', return_type: 'boolean' });
      });

      it('combine no text, no composite and not themselves', async () => {
        const composite = await create(children({ name: 'accuracy' }));
        const message = 'child_metrics[1] must not be a composite metric or one of return type string';
        const byId = [unfit.text, unfit.composite].map((id) => ({ name: 'renamed', id }));
        for (const child of [
          { name: 'text' },
          { name: 'composite' },
          ...byId,
          { name: 'x', id: composite },
        ]) {
          const content = children({ name: 'accuracy' }, child);
          const own = { child_metrics: content.child_metrics };
          for (const [method, path, body, prefix] of [
            ['POST', '/v1/metrics', content, ''],
            ['PUT', `/v1/metrics/${composite}`, own, ''],
            ['PUT', '/v1/metrics', { id: composite, ...own }, ''],
            ['POST', `/v1/metrics/${composite}/versions`, { message: 'm', content }, 'content.'],
          ] as const)
            expect(await api.send(method, path, body)).toMatchObject({
              status: 400,
              body: { message: `${prefix}${message}` },
            });
        }
        const own = { type: 'COMPOSITE', child_metrics: [{ name: 'x', id: unfit.text, weight: 1 }] };
        expect(await api.send('PUT', `/v1/metrics/${unfit.text}`, own)).toMatchObject({ status: 400 });
      });

      it('return numbers or booleans', async () => {
        const composite = await create(children({ name: 'accuracy' }));
        for (const return_type of ['string', 'categorical']) {
          const content = { ...children({ name: 'accuracy' }), return_type };
          expect(await api.send('POST', '/v1/metrics', content)).toMatchObject({ status: 400 });
          expect(await api.send('PUT', `/v1/metrics/${composite}`, { return_type })).toMatchObject({
            status: 400,
          });
          expect(await draft(composite, { content })).toMatchObject({
            status: 400,
            body: { message: 'content.return_type must be float or boolean for type COMPOSITE' },
          });
        }
      });

      it('return no booleans when the function is a weighted one', async () => {
        const composite = await create(children({ name: 'accuracy' }));
        for (const criteria of ['weighted average', 'weighted sum']) {
          const own = { criteria, return_type: 'boolean' };
          const content = { ...children({ name: 'accuracy' }), ...own };
          for (const [method, path, body] of [
            ['POST', '/v1/metrics', content],
            ['PUT', `/v1/metrics/${composite}`, own],
            ['POST', `/v1/metrics/${composite}/versions`, { message: 'm', content }],
          ] as const)
            expect(await api.send(method, path, body)).toMatchObject({
              status: 400,
              body: { message: expect.stringContaining('criteria must be') as string },
            });
        }
      });
    });

    it('are deleted by the path and by the query of the deprecated route, and are then not found', async () => {
      const [one, two] = [await create(), await create()];
      expect((await api.send('DELETE', `/v1/metrics/${one}`)).body).toEqual({ deleted: true });
      expect((await api.send('DELETE', `/metrics?metric_id=${two}`)).body).toEqual({ deleted: true });
      expect(await read(one)).toBeUndefined();
      const requests: [string, string, object?][] = [
        ['DELETE', `/v1/metrics/${one}`],
        ['PUT', `/v1/metrics/${one}`, {}],
        ['GET', `/v1/metrics/${one}/versions`],
        ['POST', `/v1/metrics/${one}/versions`, { message: 'm', content: python }],
        ['POST', `/v1/metrics/${one}/versions/v1/deploy`],
      ];
      for (const request of requests) expect((await api.send(...request)).status).toBe(404);
    });

    it('of another project are treated as not found', async () => {
      const id = await create({ ...python, name: 'canary' });
      expect((await api.sendAsOther('GET', `/v1/metrics?id=${id}`)).body.metrics).toEqual([]);
      const requests = (of: string): [string, string, object?][] => [
        ['PUT', `/v1/metrics/${of}`, { name: 'stolen' }],
        ['PUT', '/v1/metrics', { id: of, name: 'stolen' }],
        ['DELETE', `/v1/metrics/${of}`],
        ['DELETE', `/v1/metrics?metric_id=${of}`],
        ['GET', `/v1/metrics/${of}/versions`],
        ['POST', `/v1/metrics/${of}/versions`, { message: 'm', content: python }],
        ['POST', `/v1/metrics/${of}/versions/v1/deploy`],
      ];
      for (const [index, request] of requests(id).entries()) {
        const response = await api.sendAsOther(...request);
        expect(response).toEqual(await api.send(...requests('0'.repeat(24))[index]!));
        expect(response.status).toBe(404);
      }
      expect(await read(id)).toMatchObject({ name: 'canary' });
    });

    describe('versions', () => {
      it('begin with the first one deployed, and increase with every update', async () => {
        const id = await create();
        await api.send('PUT', `/v1/metrics/${id}`, { criteria: 'def accuracy(event): return 0.5' });
        expect(await versions(id)).toMatchObject([
          { name: 'v1', message: 'Created', deployed: false, content: python },
          {
            name: 'v2',
            message: 'Updated',
            deployed: true,
            content: { criteria: 'def accuracy(event): return 0.5' },
          },
        ]);
        const shas = (await versions(id)).map(({ full_sha }) => full_sha);
        expect(new Set(shas).size).toBe(2);
        for (const sha of shas) expect(sha).toMatch(/^[0-9a-f]{64}$/);
      });

      it('are drafts until they are deployed, and then define the metric', async () => {
        const id = await create();
        const content = { ...judge, name: 'judged' };
        const created = await draft(id, { message: 'try a judge', content });
        expect(created.body).toMatchObject({
          success: true,
          data: { name: 'v2', message: 'try a judge', deployed: false, content },
        });
        expect(await read(id)).toMatchObject({ name: 'accuracy' });
        expect((await api.send('POST', `/v1/metrics/${id}/versions/v2/deploy`)).body).toMatchObject({
          data: { name: 'v2', deployed: true },
        });
        expect(await read(id)).toMatchObject(content);
        await api.send('POST', `/metrics/${id}/versions/v1/deploy`);
        expect([await deployedOf(id), (await versions(id)).length]).toEqual([['v1'], 2]);
        expect(await read(id)).toMatchObject({ name: 'accuracy', type: 'PYTHON' });
        const before = await read(id);
        expect((await api.send('POST', `/v1/metrics/${id}/versions/v1/deploy`)).status).toBe(200);
        expect(await read(id)).toEqual(before);
      });

      it('replace only the deployed version that the request expects, if it expects one', async () => {
        const id = await create();
        const expecting = (name: string) => `?expected_version=${name}`;
        const path = `/v1/metrics/${id}`;
        expect((await api.send('PUT', path + expecting('v1'), { criteria: 'result = 1' })).status).toBe(200);
        const refused = {
          status: 409,
          body: {
            message: 'expected_version is stale: another version was deployed, read the versions again',
          },
        };
        const before = await versions(id);
        const body = { message: 'm', content: judge };
        const deployed = { ...body, deploy_immediately: true };
        for (const [method, route, sent] of [
          ['PUT', path, { criteria: 'result = 2' }],
          ['PUT', '/v1/metrics', { id, criteria: 'result = 2' }],
          ['POST', `${path}/versions`, deployed],
          ['POST', `${path}/versions`, body],
          ['POST', `${path}/versions/v1/deploy`, undefined],
        ] as const)
          expect(await api.send(method, route + expecting('v1'), sent)).toMatchObject(refused);
        expect(await versions(id)).toEqual(before);
        const byBody = { id, criteria: 'result = 1' };
        expect((await api.send('PUT', '/v1/metrics' + expecting('v2'), byBody)).status).toBe(200);
        expect((await api.send('POST', `${path}/versions${expecting('v3')}`, deployed)).status).toBe(200);
        expect(await deployedOf(id)).toEqual(['v4']);
        const restore = () => api.send('POST', `${path}/versions/v1/deploy${expecting('v4')}`);
        expect([(await restore()).status, await deployedOf(id)]).toEqual([200, ['v1']]);
        // A request whose response was lost is sent again.
        expect([(await restore()).status, await deployedOf(id)]).toEqual([200, ['v1']]);
      });

      it('are replaced by one of several that expect the same', async () => {
        const id = await create();
        const statuses = await Promise.all(
          [1, 2, 3, 4].map(
            async (n) =>
              (await api.send('PUT', `/v1/metrics/${id}?expected_version=v1`, { criteria: `result = ${n}` }))
                .status,
          ),
        );
        expect(statuses.sort()).toEqual([200, 409, 409, 409]);
        expect([await deployedOf(id), (await versions(id)).length]).toEqual([['v2'], 2]);
      });

      it('can be deployed on creation', async () => {
        const id = await create();
        expect((await draft(id, { content: judge, deploy_immediately: true })).body).toMatchObject({
          data: { name: 'v2', deployed: true },
        });
        expect(await read(id)).toMatchObject(judge);
      });

      it.each([
        [{ content: { ...judge, model_name: undefined } }, 'content.model_name is required for type LLM'],
        [{ content: { ...python, type: 'COMPOSITE' } }, 'content.child_metrics is required'],
        [
          { content: { ...python, filters: { filterArray: [{ field: 'a', type: 'id' }] } } },
          'content.filters.filterArray[0].type must be',
        ],
        [{ content: { ...python, extra: 1 } }, 'content.extra is not a field of this request'],
        [{ content: python, deploy: true }, 'deploy is not a field of this request'],
        [{ content: { name: 'a', type: 'PYTHON' } }, 'content.criteria is required'],
      ])('are rejected as %j', async (body, message) => {
        expect(await draft(await create(), body)).toMatchObject({
          status: 400,
          body: { message: expect.stringContaining(message) as string },
        });
      });

      it.each(['v0', 'v2', 'v01', 'V1', '1', 'latest', '__proto__', '-1'])(
        'are not found by the name %s',
        async (name) => {
          const id = await create();
          expect(await api.send('POST', `/v1/metrics/${id}/versions/${name}/deploy`)).toMatchObject({
            status: 404,
            body: { message: 'version not found' },
          });
        },
      );

      it('have exactly one deployed at any time, despite concurrent requests', async () => {
        const id = await create();
        for (const n of [2, 3, 4]) await draft(id, { content: { ...python, name: `name of v${n}` } });
        const deploys = ['v2', 'v3', 'v4', 'v2', 'v3'].map((name) =>
          api.send('POST', `/v1/metrics/${id}/versions/${name}/deploy`),
        );
        const creates = [1, 2].map((n) =>
          draft(id, { content: { ...python, name: `name of new ${n}` }, deploy_immediately: true }),
        );
        const looks = Array.from({ length: 10 }, () => deployedOf(id));
        for (const { status } of await Promise.all([...deploys, ...creates]))
          expect([200, 409]).toContain(status);
        for (const look of await Promise.all(looks)) expect(look).toHaveLength(1);
        const [deployed, ...others] = (await versions(id)).filter((version) => version.deployed);
        expect(others).toEqual([]);
        expect(await read(id)).toMatchObject({ name: (deployed?.content as { name: string }).name });
      });

      it('are read by id, until they are deleted', async () => {
        const id = await create();
        expect((await api.send('GET', `/v1/metrics/${id}`)).body).toEqual(await read(id));
        expect((await api.sendAsOther('GET', `/v1/metrics/${id}`)).status).toBe(404);
        expect((await api.send('GET', '/v1/metrics/unknown')).status).toBe(404);
        await api.send('DELETE', `/v1/metrics/${id}`);
        expect((await api.send('GET', `/metrics/${id}`)).status).toBe(404);
      });

      it('record every concurrent update', async () => {
        const id = await create();
        const outcomes = await Promise.all(
          [1, 2, 3, 4].map((n) => api.send('PUT', `/v1/metrics/${id}`, { description: `d${n}` })),
        );
        expect(outcomes.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
        const texts = (await versions(id)).map(
          ({ content }) => (content as { description: string }).description,
        );
        expect([...texts].sort()).toEqual(['', 'd1', 'd2', 'd3', 'd4']);
        expect(await read(id)).toMatchObject({ description: texts.at(-1) });
      });
    });
  });
}
