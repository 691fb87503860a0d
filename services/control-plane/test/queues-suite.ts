import { forwardedEvent } from '@assay/control-plane-client/test/control-plane-contract';
import { AUDIT_ENTRY_COLLECTION, type AuditEntryFields } from '../src/audit/audit-entry.js';
import { type OpenStore, type ResourceApi, startResourceApi } from './resource-api.js';

const byKey = (keyId: string) => ({ keyId, requestId: 'r', address: '127.0.0.1' });

/** Test suite of queues on any document store. */
export function describeQueues(title: string, open: OpenStore): void {
  describe(`queues ${title}`, () => {
    let api: ResourceApi;
    beforeEach(async () => {
      api = await startResourceApi(open);
    });
    afterEach(() => api.stop());

    const create = async (body: object = {}): Promise<string> =>
      (await api.send('POST', '/v1/queues', { name: 'queue', ...body })).body.queue.id;
    const names = async (query = '') =>
      (await api.send('GET', `/v1/queues?${query}`)).body.queues.map(({ name }) => name);
    const entriesOf = async (queueId: string, isDone?: boolean) => {
      const page = await api.controlPlane.queueEntries({
        projectId: api.projectId,
        queueId,
        isDone,
        limit: 1_000,
        offset: 0,
      });
      return page?.entries ?? [];
    };
    /** Returns event ids in the order of the queue. */
    const idsIn = async (id: string, isDone?: boolean) =>
      (await entriesOf(id, isDone)).map(({ eventId }) => eventId);
    const eventsOf = async (id: string) => (await idsIn(id)).sort();
    /** Forwarded event that arrives now. */
    const arriving = (fields: Parameters<typeof forwardedEvent>[2] = {}, version = 1) => ({
      ...forwardedEvent(api.projectId, version, fields),
      arrivedAt: api.clock.time,
    });
    const matching = {
      filters: { filterArray: [{ field: 'event_name', operator: 'is', value: 'mine', type: 'string' }] },
    };

    it('are created with defaults, or with every field', async () => {
      const created = await api.send('POST', '/queues', { name: 'plain', unknown: 1 });
      expect(created).toMatchObject({ status: 200, body: { message: 'queue created' } });
      expect(created.body.queue).toEqual({
        id: expect.any(String) as string,
        name: 'plain',
        description: '',
        filters: { filterArray: [] },
        enabled: true,
        scope_type: 'project',
        scope_id: api.projectId,
        is_active: true,
        created_at: expect.any(String) as string,
        updated_at: expect.any(String) as string,
      });
      const full = {
        name: 'x'.repeat(200),
        description: 'y'.repeat(1000),
        filters: { filterArray: [{ field: 'a', value: 'b' }] },
        enabled: false,
      };
      const id = await create({ ...full, event_ids: ['e1', 'e2', 'e1'] });
      expect((await api.send('GET', `/v1/queues/${id}`)).body).toMatchObject({ id, ...full });
      expect(await eventsOf(id)).toEqual(['e1', 'e2']);
    });

    it.each([
      [{ name: 'x'.repeat(201) }, 'name must have at most 200 characters'],
      [{ description: 'x'.repeat(1001) }, 'description must have at most 1000 characters'],
      [
        { filters: { filterArray: [{ field: 'a', operator: 'like', value: 1 }] } },
        'filters.filterArray[0].operator',
      ],
      [{ filters: { filters: [] } }, 'filters'],
    ])('are rejected as %j on creation and update', async (body, message) => {
      const refusal = { status: 400, body: { message: expect.stringContaining(message) as string } };
      expect(await api.send('POST', '/v1/queues', { name: 'queue', ...body })).toMatchObject(refusal);
      expect(await api.send('PUT', `/v1/queues/${await create()}`, body)).toMatchObject(refusal);
    });

    it.each([
      [{ 'hh-client-language': 'python' }, 201],
      [{ 'hh-client-language': 'typescript' }, 200],
      [{}, 200],
    ])('are created with the status that the client %j takes for success', async (headers, status) => {
      for (const path of ['/v1/queues', '/queues'])
        expect(await api.send('POST', path, { name: 'queue' }, headers)).toMatchObject({
          status,
          body: { queue: { name: 'queue' }, message: 'queue created' },
        });
    });

    it('are listed newest first, and filtered by whether they are enabled', async () => {
      await create({ name: 'a' });
      await create({ name: 'b', enabled: false });
      await create({ name: 'c' });
      expect([await names(), await names('enabled=true'), await names('enabled=false')]).toEqual([
        ['c', 'b', 'a'],
        ['c', 'a'],
        ['b'],
      ]);
    });

    it('are updated partially, and add and remove events', async () => {
      const id = await create({ description: 'd', event_ids: ['e1', 'e2'] });
      const upper = '0B5F9D0C-7F0A-4F6E-9C1B-3F1F8F0A1D2E';
      const body = {
        id: 'whatever',
        name: 'new',
        enabled: false,
        add_event_ids: ['e3', 'e1', upper],
        remove_event_ids: ['e2', 'absent'],
      };
      const response = await api.send('PUT', `/v1/queues/${id}`, body);
      expect(response.body).toMatchObject({
        queue: { id, name: 'new', description: 'd', enabled: false },
        message: 'queue updated',
      });
      expect(await eventsOf(id)).toEqual([upper.toLowerCase(), 'e1', 'e3']);
      await api.send('PUT', `/queues/${id}`, {
        remove_event_ids: [upper],
        add_event_ids: Array.from({ length: 300 }, (_, n) => `m${n}`),
      });
      expect(await eventsOf(id)).toHaveLength(302);
    });

    it('keep their events in the order in which they were added', async () => {
      const ids = ['z', 'a', 'm', 'b'];
      const id = await create({ event_ids: ids });
      await api.send('PUT', `/v1/queues/${id}`, { add_event_ids: ['c', 'a', 'x'] });
      expect(await idsIn(id)).toEqual([...ids, 'c', 'x']);
      const { projectId } = api;
      const pages = [0, 2, 4].map((offset) =>
        api.controlPlane.queueEntries({ projectId, queueId: id, limit: 2, offset }),
      );
      expect((await Promise.all(pages)).map((page) => page?.entries.map(({ eventId }) => eventId))).toEqual([
        ['z', 'a'],
        ['m', 'b'],
        ['c', 'x'],
      ]);
    });

    it('do not add a removed event again, however often it changes', async () => {
      const id = await create(matching);
      const forwarded = arriving({ event_name: 'mine' });
      const eventId = forwarded.event.event_id;
      await api.controlPlane.forwardEvents([forwarded]);
      expect(await idsIn(id)).toEqual([eventId]);
      await api.send('PUT', `/v1/queues/${id}`, { remove_event_ids: [eventId] });
      for (let version = 2; version < 5; version++)
        await api.controlPlane.forwardEvents([{ ...forwarded, version, arrivedAt: api.clock.time }]);
      await api.controlPlane.addToQueue({ projectId: api.projectId, queueId: id }, [eventId]);
      expect(await idsIn(id)).toEqual([]);
      expect(
        await api.controlPlane.markQueueEvent({
          projectId: api.projectId,
          queueId: id,
          eventId,
          done: true,
          by: byKey('k'),
        }),
      ).toBeUndefined();
      await api.send('PUT', `/v1/queues/${id}`, { add_event_ids: [eventId] });
      expect(await entriesOf(id)).toMatchObject([{ eventId, done: false }]);
    });

    it('reject an event that was removed before or during its arrival', async () => {
      const id = await create(matching);
      const [early, racing] = [arriving({ event_name: 'mine' }), arriving({ event_name: 'mine' })];
      await api.send('PUT', `/v1/queues/${id}`, { remove_event_ids: [early.event.event_id] });
      await Promise.all([
        api.controlPlane.forwardEvents([early, racing]),
        api.send('PUT', `/v1/queues/${id}`, { remove_event_ids: [racing.event.event_id] }),
      ]);
      await api.controlPlane.forwardEvents([{ ...racing, version: 2 }]);
      expect(await idsIn(id)).toEqual([]);
    });

    it('record only the first of several concurrent requests that mark an event as done', async () => {
      const id = await create({ event_ids: ['e1', 'e2'] });
      const setDone = (eventId: string, done: boolean, by: string) =>
        api.controlPlane.markQueueEvent({
          projectId: api.projectId,
          queueId: id,
          eventId,
          done,
          by: byKey(by),
        });
      const responses = await Promise.all(Array.from({ length: 8 }, (_, n) => setDone('e1', true, `k${n}`)));
      const times = new Set(responses.map((response) => response?.doneAt));
      expect(times.size).toBe(1);
      expect(await setDone('e1', true, 'later')).toEqual(responses[0]);
      expect([await idsIn(id, true), await idsIn(id, false)]).toEqual([['e1'], ['e2']]);
      expect(await setDone('e1', false, 'k')).toMatchObject({ done: false, doneAt: null });
      expect(await setDone('absent', true, 'k')).toBeUndefined();
      const trail = await api.documents.collection<AuditEntryFields>(AUDIT_ENTRY_COLLECTION);
      const equals = { project_id: api.projectId, action: 'queue.event_marked' };
      const entries = await trail.list({ equals, orderBy: 'position', limit: 100 });
      expect(entries).toHaveLength(10);
      expect(entries.at(-1)).toMatchObject({
        actor: 'key',
        actor_id: 'k',
        subject_id: id,
        request_id: 'r',
        address: '127.0.0.1',
      });
    });

    it('allow scores only for active metrics of type HUMAN', async () => {
      const id = await create({ event_ids: ['e1'] });
      const metric = (name: string, type: string, more: object = {}) =>
        api.send('POST', '/v1/metrics', { name, type, criteria: 'judge', ...more });
      await metric('stars', 'HUMAN', { scale: 5 });
      await metric('tone', 'HUMAN', {
        return_type: 'categorical',
        categories: [{ category: 'kind', score: 1 }],
      });
      await metric('code', 'PYTHON');
      const deleted = await metric('gone', 'HUMAN');
      await api.send('DELETE', `/v1/metrics/${deleted.body.metric_id}`);
      const question = {
        projectId: api.projectId,
        queueId: id,
        eventId: 'e1',
        names: ['tone', 'stars', 'code', 'gone', 'absent'],
      };
      expect(await api.controlPlane.annotationMetrics(question)).toEqual([
        {
          name: 'tone',
          return_type: 'categorical',
          scale: null,
          categories: [{ category: 'kind', score: 1 }],
        },
        { name: 'stars', return_type: 'float', scale: 5, categories: null },
      ]);
      expect(await api.controlPlane.annotationMetrics({ ...question, eventId: 'e2' })).toBeUndefined();
      expect(
        await api.controlPlane.annotationMetrics({ ...question, projectId: api.otherProjectId }),
      ).toBeUndefined();
    });

    it('lose no concurrent update of different fields', async () => {
      const id = await create();
      const bodies = [
        { name: 'n' },
        { description: 'd' },
        { enabled: false },
        { filters: { filterArray: [{ field: 'a', value: 1 }] } },
      ];
      await Promise.all(bodies.map((body) => api.send('PUT', `/v1/queues/${id}`, body)));
      expect((await api.send('GET', `/v1/queues/${id}`)).body).toMatchObject(
        Object.assign({}, ...bodies) as object,
      );
    });

    it('are not found after they are deleted', async () => {
      const id = await create();
      expect((await api.send('DELETE', `/v1/queues/${id}`)).body).toEqual({ message: 'queue deleted' });
      expect(await names()).toEqual([]);
      for (const method of ['GET', 'PUT', 'DELETE']) {
        expect((await api.send(method, `/v1/queues/${id}`, method === 'PUT' ? {} : undefined)).status).toBe(
          404,
        );
      }
    });

    it('of another project are treated as not found', async () => {
      const id = await create({ name: 'canary', event_ids: ['e1'] });
      expect((await api.sendAsOther('GET', '/v1/queues')).body).toEqual({ queues: [] });
      for (const [method, body] of [['GET'], ['PUT', { remove_event_ids: ['e1'] }], ['DELETE']] as const) {
        const response = await api.sendAsOther(method, `/v1/queues/${id}`, body);
        expect(response).toEqual(await api.send(method, '/v1/queues/000000000000000000000000', body));
        expect(response.status).toBe(404);
      }
      expect([await names(), await eventsOf(id)]).toEqual([['canary'], ['e1']]);
    });
  });
}
