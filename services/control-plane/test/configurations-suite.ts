import { type OpenStore, type ResourceApi, startResourceApi } from './resource-api.js';

const prompt = { name: 'prompt', provider: 'openai', parameters: { model: 'gpt-4o' } };

/** Test suite of configurations on any document store. */
export function describeConfigurations(title: string, open: OpenStore): void {
  describe(`configurations ${title}`, () => {
    let api: ResourceApi;
    beforeEach(async () => {
      api = await startResourceApi(open);
    });
    afterEach(() => api.stop());

    const create = async (body: object = {}): Promise<string> =>
      (await api.send('POST', '/v1/configurations', { ...prompt, ...body })).body.insertedId;
    const list = async (query = '') =>
      (await api.send('GET', `/v1/configurations?${query}`)).body.configurations;
    const names = async (query: string) => (await list(query)).map(({ name }) => name);

    it('are created with defaults, or with every field', async () => {
      const id = await create();
      const times = { created_at: expect.any(String) as string, updated_at: expect.any(String) as string };
      expect(await list()).toEqual([
        {
          id,
          ...prompt,
          parameters: { model: 'gpt-4o', call_type: 'chat' },
          type: 'LLM',
          env: [],
          tags: [],
          user_properties: null,
          ...times,
        },
      ]);
      const full = {
        name: 'full',
        type: 'pipeline',
        provider: 'anthropic',
        parameters: {
          call_type: 'completion',
          model: 'm',
          hyperparameters: { temperature: 0, stop: ['x'] },
          responseFormat: { type: 'json_schema', json_schema: { a: 1 } },
          selectedFunctions: [{ id: 'f', name: 'lookup', description: 'd', parameters: { type: 'object' } }],
          functionCallParams: 'force',
          forceFunction: { name: 'lookup' },
          template: [{ role: 'system', content: 'c' }],
          vendor_setting: { kept: true },
        },
        env: ['dev', 'prod'],
        tags: ['a', 'b'],
        user_properties: { u: 1 },
      };
      await create({ ...full, project: 'ignored' });
      expect((await list('name=full'))[0]).toMatchObject(full);
      expect((await api.send('GET', '/v1/configurations')).body.configurations).toHaveLength(2);
    });

    it.each([
      [{ parameters: {} }, 'parameters.model is required'],
      [{ parameters: { model: 'm', call_type: 'talk' } }, 'parameters.call_type must be one of'],
      [
        { parameters: { model: 'm', responseFormat: { type: 'xml' } } },
        'parameters.responseFormat.type must be one of',
      ],
      [
        { parameters: { model: 'm', selectedFunctions: [{ id: 'f' }] } },
        'parameters.selectedFunctions[0].name is required',
      ],
      [
        { parameters: { model: 'm', template: [{ role: 'user' }] } },
        'parameters.template[0].content is required',
      ],
      [{ parameters: { model: 'm', template: 5 } }, 'parameters.template must be'],
      [{ env: ['production'] }, 'env[0] must be one of "dev", "staging", "prod"'],
      [{ extra: 1 }, 'extra is not a field of this request'],
    ])('are rejected as %j', async (body, message) => {
      const response = await api.send('POST', '/v1/configurations', { ...prompt, ...body });
      expect(response).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(message) as string },
      });
    });

    it('are listed newest first, by exact name, environment and any of several tags', async () => {
      await create({ name: 'a', env: ['dev'], tags: ['one', 'x"two'] });
      await create({ name: 'b', env: ['prod', 'staging'], tags: ['two', 'on'] });
      await create({ name: 'c', env: [], tags: ['three.*', 'one,two'] });
      expect(await names('')).toEqual(['c', 'b', 'a']);
      expect(await names('name=a')).toEqual(['a']);
      expect(await names('name=A')).toEqual([]);
      expect(await names('env=prod')).toEqual(['b']);
      expect(await names('env=dev&name=b')).toEqual([]);
      expect(await names('tags=one')).toEqual(['a']);
      expect(await names('tags=two')).toEqual(['b']);
      expect(await names('tags=one, two')).toEqual(['b', 'a']);
      expect(await names('tags=.*')).toEqual([]);
      expect(await names('tags=')).toEqual(['c', 'b', 'a']);
    });

    it('are updated partially, and filters match the new values', async () => {
      const id = await create({ env: ['dev'], tags: ['old'], user_properties: { a: 1 } });
      const response = await api.send('PUT', `/v1/configurations/${id}`, {
        name: 'new',
        tags: ['fresh'],
        parameters: { model: 'm2', hyperparameters: {} },
      });
      expect(response.body).toEqual({
        acknowledged: true,
        modifiedCount: 1,
        upsertedId: null,
        upsertedCount: 0,
        matchedCount: 1,
      });
      expect(await list('tags=fresh&env=dev')).toMatchObject([
        {
          id,
          name: 'new',
          provider: 'openai',
          parameters: { call_type: 'chat', model: 'm2' },
          user_properties: { a: 1 },
        },
      ]);
      expect(await list('tags=old')).toEqual([]);
      await api.send('PUT', `/configurations/${id}`, { name: 'new', user_properties: null });
      expect(await list()).toMatchObject([{ user_properties: null }]);
      expect((await api.send('PUT', `/v1/configurations/${id}`, {})).body.message).toBe('name is required');
    });

    it('are read by id', async () => {
      const id = await create({ name: 'one' });
      const one = await api.send('GET', `/v1/configurations/${id}`);
      expect([one.status, one.body]).toMatchObject([200, { id, name: 'one' }]);
      expect((await api.send('GET', '/v1/configurations/unknown')).status).toBe(404);
      expect((await api.sendAsOther('GET', `/v1/configurations/${id}`)).status).toBe(404);
      await api.send('DELETE', `/v1/configurations/${id}`);
      expect((await api.send('GET', `/configurations/${id}`)).status).toBe(404);
    });

    it('are deleted', async () => {
      const id = await create();
      expect((await api.send('DELETE', `/v1/configurations/${id}`)).body).toEqual({
        acknowledged: true,
        deletedCount: 1,
      });
      expect(await list()).toEqual([]);
      expect((await api.send('DELETE', `/v1/configurations/${id}`)).status).toBe(404);
    });

    it('of another project are treated as not found', async () => {
      const id = await create({ name: 'canary' });
      expect((await api.sendAsOther('GET', '/v1/configurations?name=canary')).body.configurations).toEqual(
        [],
      );
      for (const [method, body] of [['PUT', { name: 'stolen' }], ['DELETE']] as const) {
        const response = await api.sendAsOther(method, `/v1/configurations/${id}`, body);
        expect(response).toEqual(await api.send(method, '/v1/configurations/000000000000000000000000', body));
        expect(response.status).toBe(404);
      }
      expect(await names('')).toEqual(['canary']);
    });
  });
}
