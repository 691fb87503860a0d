import { CHART_COLLECTION, type ChartFields } from '../src/charts/chart-document.js';
import { ProjectScopedCollection } from '../src/shared/project-scoped-collection.js';
import { type OpenStore, type ResourceApi, startResourceApi } from './resource-api.js';

const latency = { name: 'latency', metric: 'duration' };

/** Test suite of charts on any document store. */
export function describeCharts(title: string, open: OpenStore): void {
  describe(`charts ${title}`, () => {
    let api: ResourceApi;
    let bases: readonly { base: string; method: string }[];
    beforeEach(async () => {
      api = await startResourceApi(open);
      bases = [
        { base: '/v1/charts', method: 'PUT' },
        { base: `/v1/projects/${api.projectId}/charts`, method: 'PATCH' },
      ];
    });
    afterEach(() => api.stop());

    const create = async (body: object = {}): Promise<string> =>
      (await api.send('POST', '/v1/charts', { ...latency, ...body })).body.data.id;

    it('are created, read, updated, listed and deleted by both kinds of routes', async () => {
      const full = {
        name: 'full',
        description: 'd',
        metric: 'metrics.accuracy',
        func: 'p95',
        groupBy: 'event_name',
        bucketing: 'five_minute',
        dateRange: { relative: '7d' },
        query: [{ field: 'event_type', value: 'model', type: 'string', operator: 'is' }],
        owner_id: 'u-1',
      };
      for (const { base, method } of bases) {
        const { data } = (await api.send('POST', base, full)).body;
        expect(data).toEqual({
          id: expect.any(String) as string,
          ...full,
          is_active: true,
          created_at: expect.any(String) as string,
          updated_at: expect.any(String) as string,
        });
        const one = `${base}/${data.id}`;
        expect((await api.send('GET', one)).body).toEqual({ success: true, data });
        expect((await api.send(method, one, { name: 'new', groupBy: null })).body.data).toMatchObject({
          ...full,
          name: 'new',
          groupBy: null,
        });
        expect((await api.send('GET', base)).body).toMatchObject({
          success: true,
          data: [{ id: data.id, name: 'new' }],
        });
        expect((await api.send('DELETE', one)).body).toEqual({ success: true, message: 'chart deleted' });
        for (const again of ['GET', 'DELETE']) expect((await api.send(again, one)).status).toBe(404);
        expect((await api.send(method, one, {})).status).toBe(404);
      }
      expect((await api.send('POST', '/charts', latency)).body.data).toMatchObject({
        description: null,
        func: null,
        groupBy: null,
        bucketing: 'day',
        dateRange: null,
        query: null,
        owner_id: null,
      });
    });

    it('are listed newest first', async () => {
      const ids = [await create(), await create()];
      expect((await api.send('GET', '/v1/charts')).body.data.map(({ id }) => id)).toEqual(ids.reverse());
    });

    it('accept a range in both spellings and return one', async () => {
      for (const dateRange of [
        { $gte: '2026-01-01', $lte: 1767225600000 },
        { gte: '2026-01-01', lte: 1767225600000 },
      ]) {
        const { data } = (await api.send('POST', '/v1/charts', { ...latency, dateRange })).body;
        expect(data.dateRange).toEqual({ $gte: '2026-01-01', $lte: 1767225600000 });
      }
    });

    it.each([
      [{ name: 'x'.repeat(201) }, 'name must have at most 200 characters'],
      [{ metric: '' }, 'metric must have at least 1 character'],
      [{ metric: 'metadata.' }, 'metric must be a field of events'],
      [{ metric: 'duration.p95' }, 'metric must be a field of events'],
      [{ func: 'p101' }, 'func must be one of'],
      [{ metric: 'event_name', func: 'sum' }, 'func must be count or distinct'],
      [{ groupBy: 'nothing' }, 'groupBy must be a field of events'],
      [{ groupBy: 'inputs.messages.0.role' }, 'groupBy must name an item of a list in brackets'],
      [{ metric: 'outputs.scores.0' }, 'metric must name an item of a list in brackets'],
      [
        { query: [{ field: 'inputs.a.0', value: 1 }] },
        'query[0].field must name an item of a list in brackets',
      ],
      [{ bucketing: 'year' }, 'bucketing must be one of'],
      [{ dateRange: { relative: 'soon' } }, 'dateRange.relative must be'],
      [{ dateRange: { from: 1 } }, 'dateRange.from is not a field of this request'],
      [{ query: [{ field: 'a', operator: 'like', value: 1 }] }, 'query[0].operator'],
      [{ chart: 1 }, 'chart is not a field of this request'],
    ])('are rejected as %j on creation and update', async (body, message) => {
      const refusal = { status: 400, body: { message: expect.stringContaining(message) as string } };
      expect(await api.send('POST', '/v1/charts', { ...latency, ...body })).toMatchObject(refusal);
      expect(await api.send('PUT', `/v1/charts/${await create()}`, body)).toMatchObject(refusal);
    });

    it('of an earlier release are read with warnings, and can be corrected', async () => {
      const id = await create({ metric: 'v1.0.2' });
      expect((await api.send('GET', `/v1/charts/${id}`)).body.data).not.toHaveProperty('warnings');
      const query = [{ field: 'inputs.messages.0.role', operator: 'is', value: 'user', type: 'string' }];
      const charts = await api.documents.collection<ChartFields>(CHART_COLLECTION);
      await new ProjectScopedCollection(charts, api.projectId).update(id, (stored) => ({
        ...stored,
        metric: 'outputs.scores.0',
        groupBy: 'metadata.0.a',
        query,
      }));
      const warnings = ['metric', 'groupBy', 'query[0].field'].map(
        (name) => expect.stringMatching(`^${name.replace(/[[\]]/g, '\\$&')} must name an item`) as string,
      );
      const one = `/v1/charts/${id}`;
      expect((await api.send('GET', one)).body.data).toMatchObject({ warnings });
      expect((await api.send('GET', '/v1/charts')).body.data).toMatchObject([{ warnings }]);
      expect((await api.send('PUT', one, { name: 'new' })).body.data).toMatchObject({
        name: 'new',
        warnings,
      });
      const right = { metric: 'outputs.scores[0]', groupBy: 'metadata["0"].a', query: [] };
      const corrected = (await api.send('PUT', one, right)).body.data;
      expect(corrected).toMatchObject(right);
      expect(corrected).not.toHaveProperty('warnings');
    });

    it('check a changed function with the stored metric', async () => {
      const id = await create({ metric: 'event_name', func: 'count' });
      const change = (body: object) => api.send('PUT', `/v1/charts/${id}`, body);
      expect(await change({ func: 'avg' })).toMatchObject({ status: 400 });
      expect(await change({ func: 'avg', metric: 'duration' })).toMatchObject({ status: 200 });
      expect(await change({ metric: 'source' })).toMatchObject({ status: 400 });
      expect(await change({ func: null, metric: 'source' })).toMatchObject({ status: 200 });
    });

    it('of another project are treated as not found', async () => {
      const id = await create({ name: 'canary' });
      expect((await api.sendAsOther('GET', '/v1/charts')).body.data).toEqual([]);
      for (const [method, body] of [['GET'], ['PUT', { name: 'stolen' }], ['DELETE']] as const) {
        const response = await api.sendAsOther(method, `/v1/charts/${id}`, body);
        expect(response).toEqual(await api.send(method, '/v1/charts/000000000000000000000000', body));
        expect(response.status).toBe(404);
      }
      const requests = (project: string): [string, string, object?][] => [
        ['GET', `/v1/projects/${project}/charts`],
        ['POST', `/v1/projects/${project}/charts`, latency],
        ['GET', `/v1/projects/${project}/charts/${id}`],
        ['PATCH', `/v1/projects/${project}/charts/${id}`, { name: 'stolen' }],
        ['DELETE', `/v1/projects/${project}/charts/${id}`],
      ];
      for (const [index, request] of requests(api.projectId).entries()) {
        const response = await api.sendAsOther(...request);
        expect(response).toEqual(await api.sendAsOther(...requests('0'.repeat(24))[index]!));
        expect(response.status).toBe(404);
      }
      expect((await api.send('GET', `/v1/charts/${id}`)).body.data).toMatchObject({ name: 'canary' });
    });
  });
}
