import { type OpenStore, type ResourceApi, startResourceApi } from '../records/resource-api.fixture.js';
import { QUEUE_ENTRY_RECORDS, type QueueEntryFields } from './queue-records.js';

/** What queues do, on any document store. */
export function describeQueues(title: string, open: OpenStore): void {
  describe(`queues ${title}`, () => {
    let api: ResourceApi;
    beforeEach(async () => {
      api = await startResourceApi(open);
    });
    afterEach(() => api.stop());

    const create = async (body: object = {}): Promise<string> =>
      (await api.send('POST', '/v1/queues', { name: 'queue', ...body })).body.queue.id;
    const names = async (query = '') => (await api.send('GET', `/v1/queues?${query}`)).body.queues.map(({ name }) => name);
    const eventsOf = async (queue_id: string) => {
      const entries = await api.documents.collection<QueueEntryFields>(QUEUE_ENTRY_RECORDS);
      const equals = { project_id: api.projectId, queue_id };
      return (await entries.list({ equals, orderBy: 'added_at', limit: 1_000 })).map(({ event_id }) => event_id).sort();
    };

    it('are created with defaults, and with every field', async () => {
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
      [{ filters: { filterArray: [{ field: 'a', operator: 'like', value: 1 }] } }, 'filters.filterArray[0].operator'],
      [{ filters: { filters: [] } }, 'filters'],
    ])('are refused as %j, created or changed', async (body, message) => {
      const refusal = { status: 400, body: { message: expect.stringContaining(message) as string } };
      expect(await api.send('POST', '/v1/queues', { name: 'queue', ...body })).toMatchObject(refusal);
      expect(await api.send('PUT', `/v1/queues/${await create()}`, body)).toMatchObject(refusal);
    });

    it('are listed newest first, and by whether they are enabled', async () => {
      await create({ name: 'a' });
      await create({ name: 'b', enabled: false });
      await create({ name: 'c' });
      expect([await names(), await names('enabled=true'), await names('enabled=false')]).toEqual([['c', 'b', 'a'], ['c', 'a'], ['b']]);
    });

    it('change what is given, take events and give them up', async () => {
      const id = await create({ description: 'd', event_ids: ['e1', 'e2'] });
      const upper = '0B5F9D0C-7F0A-4F6E-9C1B-3F1F8F0A1D2E';
      const body = { id: 'whatever', name: 'new', enabled: false, add_event_ids: ['e3', 'e1', upper], remove_event_ids: ['e2', 'absent'] };
      const answer = await api.send('PUT', `/v1/queues/${id}`, body);
      expect(answer.body).toMatchObject({ queue: { id, name: 'new', description: 'd', enabled: false }, message: 'queue updated' });
      expect(await eventsOf(id)).toEqual([upper.toLowerCase(), 'e1', 'e3']);
      await api.send('PUT', `/queues/${id}`, { remove_event_ids: [upper], add_event_ids: Array.from({ length: 300 }, (_, n) => `m${n}`) });
      expect(await eventsOf(id)).toHaveLength(302);
    });

    it('lose no change of different fields at the same time', async () => {
      const id = await create();
      const bodies = [{ name: 'n' }, { description: 'd' }, { enabled: false }, { filters: { filterArray: [{ field: 'a', value: 1 }] } }];
      await Promise.all(bodies.map((body) => api.send('PUT', `/v1/queues/${id}`, body)));
      expect((await api.send('GET', `/v1/queues/${id}`)).body).toMatchObject(Object.assign({}, ...bodies) as object);
    });

    it('are gone once they are deleted', async () => {
      const id = await create();
      expect((await api.send('DELETE', `/v1/queues/${id}`)).body).toEqual({ message: 'queue deleted' });
      expect(await names()).toEqual([]);
      for (const method of ['GET', 'PUT', 'DELETE']) {
        expect((await api.send(method, `/v1/queues/${id}`, method === 'PUT' ? {} : undefined)).status).toBe(404);
      }
    });

    it('of another project are as unknown as those that never were', async () => {
      const id = await create({ name: 'canary', event_ids: ['e1'] });
      expect((await api.sendAsOther('GET', '/v1/queues')).body).toEqual({ queues: [] });
      for (const [method, body] of [['GET'], ['PUT', { remove_event_ids: ['e1'] }], ['DELETE']] as const) {
        const answer = await api.sendAsOther(method, `/v1/queues/${id}`, body);
        expect(answer).toEqual(await api.send(method, '/v1/queues/000000000000000000000000', body));
        expect(answer.status).toBe(404);
      }
      expect([await names(), await eventsOf(id)]).toEqual([['canary'], ['e1']]);
    });
  });
}
