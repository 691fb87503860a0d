import type { QueueLease } from '@assay/control-plane-client';
import { forwardedEvent } from '@assay/control-plane-client/test/control-plane-contract';
import type { QueueEventState, QueueEventStatus } from '@assay/domain';
import { AUDIT_ENTRY_COLLECTION, type AuditEntryFields } from '../src/audit/audit-entry.js';
import {
  QUEUE_COLLECTION,
  QUEUE_ENTRY_COLLECTION,
  type QueueEntryFields,
  type QueueFields,
} from '../src/queues/queue-document.js';
import { entryId } from '../src/queues/queue-entries.js';
import { ProjectScopedCollection } from '../src/shared/project-scoped-collection.js';
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
        not_decided: 0,
        filters: { filterArray: [] },
        enabled: true,
        annotations_per_item: 1,
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

    it('of an earlier release are read with warnings about filters that select other events than they seem to', async () => {
      const filters = {
        filterArray: [{ field: 'duration', operator: 'greater than', value: 2, type: 'number' }],
      };
      expect((await api.send('POST', '/v1/queues', { name: 'q', filters })).status).toBe(400);
      const id = await create();
      expect((await api.send('PUT', `/v1/queues/${id}`, { filters })).status).toBe(400);
      const queues = await api.documents.collection<QueueFields>(QUEUE_COLLECTION);
      await new ProjectScopedCollection(queues, api.projectId).update(id, (stored) => ({
        ...stored,
        filters,
      }));
      const warnings = [expect.stringMatching(/^filters\.filterArray\[0\]\.field is derived/) as string];
      expect((await api.send('GET', `/v1/queues/${id}`)).body).toMatchObject({ id, warnings });
      const others = { field: 'event_type', operator: 'is not', value: 'session', type: 'string' };
      const right = { filterArray: [...filters.filterArray, others] };
      const corrected = await api.send('PUT', `/v1/queues/${id}`, { filters: right });
      expect(corrected.body.queue).toMatchObject({ filters: right });
      expect(corrected.body.queue).not.toHaveProperty('warnings');
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

    describe('with leases', () => {
      const MINUTES = 60_000;
      const lease = (queueId: string, fields: Partial<QueueLease> = {}) =>
        api.controlPlane.leaseQueueEvent({
          projectId: api.projectId,
          queueId,
          action: 'next',
          annotator: 'anna',
          ...fields,
        });
      const setState = (queueId: string, eventId: string, status: QueueEventState, annotator = 'anna') =>
        api.controlPlane.markQueueEvent({
          projectId: api.projectId,
          queueId,
          eventId,
          done: status === 'done',
          status,
          annotator,
          by: byKey('k1'),
        });
      const page = (queueId: string, status?: QueueEventStatus) =>
        api.controlPlane.queueEntries({ projectId: api.projectId, queueId, status, limit: 100, offset: 0 });
      const idsOf = async (queueId: string, status: QueueEventStatus) =>
        (await page(queueId, status))?.entries.map(({ eventId }) => eventId);

      it('give concurrent callers different events, oldest first, and none when no event is open', async () => {
        const ids = Array.from({ length: 12 }, (_, n) => `e${n}`);
        const id = await create({ event_ids: ids });
        const callers = Array.from({ length: 15 }, (_, n) => lease(id, { annotator: `a${n}` }));
        const results = await Promise.all(callers);
        const leased = results.flatMap(({ entry }) => entry?.eventId ?? []);
        expect([leased.length, new Set(leased).size]).toEqual([12, 12]);
        expect(results.map(({ outcome }) => outcome)).toEqual(results.map(() => 'ok'));
        expect((await page(id))?.counts).toEqual({ pending: 0, leased: 12, done: 0, skipped: 0 });
        expect(await lease(id)).toMatchObject({ outcome: 'ok', entry: null });
        expect(await lease('000000000000000000000000')).toMatchObject({ outcome: 'no_queue', entry: null });
      });

      it('are free again after 10 minutes, and when they are released', async () => {
        const id = await create({ event_ids: ['e1', 'e2'] });
        const first = await lease(id);
        const endsAt = first.entry?.lease?.until ?? '';
        expect(Date.parse(endsAt)).toBeGreaterThanOrEqual(api.clock.time + 10 * MINUTES - 1_000);
        expect(first.entry).toMatchObject({ eventId: 'e1', status: 'leased', lease: { annotator: 'anna' } });
        expect(await lease(id, { annotator: 'bert' })).toMatchObject({ entry: { eventId: 'e2' } });
        api.clock.time += 9 * MINUTES;
        expect(await lease(id, { annotator: 'carl' })).toMatchObject({ entry: null });
        expect(await idsOf(id, 'leased')).toEqual(['e1', 'e2']);
        const release = { action: 'release', eventId: 'e2' } as const;
        expect(await lease(id, release)).toMatchObject({ outcome: 'leased_by_other' });
        expect(await lease(id, { ...release, annotator: 'bert' })).toMatchObject({
          outcome: 'ok',
          entry: { status: 'pending', lease: null },
        });
        expect(await lease(id, { annotator: 'carl' })).toMatchObject({ entry: { eventId: 'e2' } });
        api.clock.time += 2 * MINUTES;
        expect(await idsOf(id, 'pending')).toEqual(['e1']);
        expect(await lease(id, { annotator: 'dora' })).toMatchObject({ entry: { eventId: 'e1' } });
        expect(await lease(id, { ...release, eventId: 'absent' })).toMatchObject({ outcome: 'no_event' });
      });

      it('hold an event for one annotator in the version that was seen', async () => {
        const id = await create({ event_ids: ['e1'] });
        const hold = { action: 'hold', eventId: 'e1', status: 'done', version: 0 } as const;
        const both = ['anna', 'bert'].map((annotator) => lease(id, { ...hold, annotator }));
        const outcomes = (await Promise.all(both)).map(({ outcome }) => outcome);
        expect(outcomes.sort()).toEqual(['leased_by_other', 'ok']);
        const winner = (await page(id))?.entries[0]?.lease?.annotator ?? '';
        const other = winner === 'anna' ? 'bert' : 'anna';
        expect(await setState(id, 'e1', 'done', winner)).toMatchObject({ version: 1, lease: null });
        expect(await lease(id, { ...hold, annotator: other })).toMatchObject({ outcome: 'stale' });
        expect(await lease(id, { ...hold, annotator: winner })).toMatchObject({ outcome: 'ok' });
        expect(await lease(id, { ...hold, annotator: winner, status: 'skipped' })).toMatchObject({
          outcome: 'stale',
        });
      });

      it('are at most 10 of an annotator, also of concurrent calls', async () => {
        const id = await create({ event_ids: Array.from({ length: 30 }, (_, n) => `e${n}`) });
        const other = await create({ event_ids: ['f1'] });
        const results = await Promise.all(Array.from({ length: 14 }, () => lease(id)));
        const taken = results.filter(({ outcome }) => outcome === 'ok').length;
        expect(taken).toBeLessThanOrEqual(10);
        for (let more = taken; more < 10; more++) expect(await lease(id)).toMatchObject({ outcome: 'ok' });
        expect(await lease(other)).toMatchObject({ outcome: 'too_many', entry: null });
        expect(await lease(other, { annotator: 'bert' })).toMatchObject({ entry: { eventId: 'f1' } });
        // Which events the concurrent calls kept is not defined: e0 may be one that was released.
        const leased = (await idsOf(id, 'leased'))?.[0] ?? '';
        await setState(id, leased, 'done');
        expect(await lease(id)).toMatchObject({ outcome: 'ok', entry: { status: 'leased' } });
      });

      it('offer an event to several annotators, each once, until as many have completed it', async () => {
        const id = await create({ event_ids: ['e1', 'e2'], annotations_per_item: 2 });
        expect((await api.send('GET', `/v1/queues/${id}`)).body).toMatchObject({ annotations_per_item: 2 });
        const next = async (annotator: string) => (await lease(id, { annotator })).entry?.eventId;
        expect([await next('anna'), await next('bert')]).toEqual(['e1', 'e2']);
        expect(await setState(id, 'e1', 'done', 'anna')).toMatchObject({
          ...{ done: false, status: 'pending', annotator: null, annotators: ['anna'], version: 1 },
        });
        expect(await setState(id, 'e1', 'done', 'anna')).toMatchObject({ done: false, version: 1 });
        const repeated = { action: 'hold', eventId: 'e1', status: 'done', version: 0 } as const;
        expect(await lease(id, repeated)).toMatchObject({ outcome: 'ok' });
        expect(await lease(id, { action: 'release', eventId: 'e1' })).toMatchObject({ outcome: 'ok' });
        expect(await next('anna')).toBeUndefined();
        expect((await page(id))?.counts).toEqual({ pending: 1, leased: 1, done: 0, skipped: 0 });
        expect(await next('bert')).toBe('e1');
        expect(await setState(id, 'e1', 'done', 'bert')).toMatchObject({
          ...{ done: true, status: 'done', annotator: 'bert', annotators: ['anna', 'bert'], version: 2 },
        });
        await setState(id, 'e2', 'done', 'bert');
        expect([await next('bert'), await next('anna')]).toEqual([undefined, 'e2']);
        await setState(id, 'e2', 'skipped', 'anna');
        expect((await page(id))?.counts).toEqual({ pending: 0, leased: 0, done: 1, skipped: 1 });
        expect(await setState(id, 'e1', 'pending', 'carl')).not.toHaveProperty('annotators');
        expect(await next('anna')).toBe('e1');
      });

      it('let the annotator who closed an event take that back, and keep what others have completed', async () => {
        const id = await create({ event_ids: ['e1', 'e2'], annotations_per_item: 2 });
        const next = async (annotator: string) => (await lease(id, { annotator })).entry?.eventId;
        await setState(id, 'e1', 'done', 'anna');
        await setState(id, 'e1', 'done', 'bert');
        expect(await setState(id, 'e1', 'pending', 'bert')).toMatchObject({
          ...{ status: 'pending', annotator: null, annotators: ['anna'], version: 3 },
        });
        await setState(id, 'e2', 'done', 'anna');
        await setState(id, 'e2', 'skipped', 'bert');
        expect(await setState(id, 'e2', 'pending', 'bert')).toMatchObject({
          ...{ status: 'pending', annotator: null, annotators: ['anna'] },
        });
        expect([await next('anna'), await next('bert'), await next('bert')]).toEqual([undefined, 'e1', 'e2']);
        expect(await setState(id, 'e1', 'done', 'bert')).toMatchObject({ status: 'done' });
      });

      it('let an annotator take a completion back while others are needed', async () => {
        const id = await create({ event_ids: ['e1'], annotations_per_item: 3 });
        const next = async (annotator: string) => (await lease(id, { annotator })).entry?.eventId;
        await setState(id, 'e1', 'done', 'anna');
        await setState(id, 'e1', 'done', 'bert');
        expect(await setState(id, 'e1', 'pending', 'carl')).toMatchObject({
          annotators: ['anna', 'bert'],
          version: 2,
        });
        expect(await next('anna')).toBeUndefined();
        expect(await setState(id, 'e1', 'pending', 'anna')).toMatchObject({
          ...{ status: 'pending', annotators: ['bert'], version: 3 },
        });
        expect(await setState(id, 'e1', 'pending', 'anna')).toMatchObject({
          annotators: ['bert'],
          version: 3,
        });
        expect(await next('bert')).toBeUndefined();
        expect(await next('anna')).toBe('e1');
        await setState(id, 'e1', 'done', 'anna');
        expect(await setState(id, 'e1', 'done', 'carl')).toMatchObject({
          annotators: ['bert', 'anna', 'carl'],
        });
      });

      it('are given among certain events, oldest first', async () => {
        const id = await create({ event_ids: ['e1', 'e2', 'e3', 'e4'] });
        const among = { eventIds: ['e4', 'e3', 'other'] };
        expect(await lease(id, among)).toMatchObject({ entry: { eventId: 'e3' } });
        expect(await lease(id, among)).toMatchObject({ entry: { eventId: 'e4' } });
        expect(await lease(id, among)).toMatchObject({ outcome: 'ok', entry: null });
        expect(await lease(id)).toMatchObject({ entry: { eventId: 'e1' } });
      });

      it('find the events that an annotator has not completed behind many that wait for others', async () => {
        const ids = Array.from({ length: 60 }, (_, n) => `e${n}`);
        const id = await create({ event_ids: ids, annotations_per_item: 2 });
        for (const eventId of ids.slice(0, -1)) await setState(id, eventId, 'done', 'anna');
        expect(await lease(id)).toMatchObject({ entry: { eventId: 'e59' } });
        expect(await lease(id)).toMatchObject({ outcome: 'ok', entry: null });
        expect(await lease(id, { annotator: 'bert' })).toMatchObject({ entry: { eventId: 'e0' } });
        const set = (annotations_per_item: number) =>
          api.send('PUT', `/v1/queues/${id}`, { annotations_per_item });
        expect((await set(11)).status).toBe(400);
        expect((await set(3)).body.queue).toMatchObject({ annotations_per_item: 3 });
      });

      it('end when the event is done, skipped or removed', async () => {
        const id = await create({ event_ids: ['e1', 'e2', 'e3', 'e4'] });
        for (let count = 0; count < 3; count++) await lease(id);
        await setState(id, 'e1', 'done');
        expect(await setState(id, 'e2', 'skipped', 'bert')).toEqual({
          eventId: 'e2',
          addedAt: expect.any(String) as string,
          done: true,
          doneAt: expect.any(String) as string,
          status: 'skipped',
          lease: null,
          annotator: 'bert',
          doneBy: 'k1',
          version: 1,
        });
        await api.send('PUT', `/v1/queues/${id}`, { remove_event_ids: ['e3'] });
        expect(await page(id)).toMatchObject({
          total: 3,
          counts: { pending: 1, leased: 0, done: 1, skipped: 1 },
        });
        for (const [status, ids] of [
          ['done', ['e1']],
          ['skipped', ['e2']],
          ['pending', ['e4']],
          ['leased', []],
        ] as const)
          expect([status, await idsOf(id, status)]).toEqual([status, ids]);
        await api.send('PUT', `/v1/queues/${id}`, { add_event_ids: ['e3'] });
        expect((await page(id, 'pending'))?.entries).toMatchObject([
          { eventId: 'e4' },
          { eventId: 'e3', version: 2 },
        ]);
        expect(await setState(id, 'e2', 'pending')).toMatchObject({
          done: false,
          annotator: null,
          version: 2,
        });
        expect(await lease(id)).toMatchObject({ entry: { eventId: 'e2' } });
      });

      it('apply to entries that earlier releases have stored', async () => {
        const id = await create();
        const entries = await api.documents.collection<Partial<QueueEntryFields>>(QUEUE_ENTRY_COLLECTION);
        const old = { project_id: api.projectId, queue_id: id, added_at: 't', is_removed: false };
        const open = { is_done: false, done_at: null, done_by: null };
        await entries.insert(`${api.projectId}:${entryId(id, 'e1')}`, {
          ...old,
          ...open,
          event_id: 'e1',
          position: '1',
        });
        await entries.insert(`${api.projectId}:${entryId(id, 'e2')}`, {
          ...old,
          event_id: 'e2',
          position: '2',
          is_done: true,
          done_at: 't',
          done_by: 'k',
        });
        expect((await page(id))?.counts).toEqual({ pending: 1, leased: 0, done: 1, skipped: 0 });
        expect(await idsOf(id, 'done')).toEqual(['e2']);
        expect(await lease(id)).toMatchObject({ entry: { eventId: 'e1', version: 0 } });
        expect(await setState(id, 'e1', 'done')).toMatchObject({ status: 'done', version: 1 });
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
      await api.send('POST', '/v1/metrics', {
        name: 'stars_explanation',
        type: 'PYTHON',
        criteria: 'result = 1',
      });
      const all = await api.controlPlane.annotationMetrics({
        ...{ ...question, names: ['stars', 'stars_explanation', 'code'], withOthers: true },
      });
      expect(all).toEqual([
        { name: 'stars', return_type: 'float', scale: 5, categories: null },
        {
          ...{ name: 'stars_explanation', return_type: 'float', scale: null, categories: null },
          by_people: false,
        },
      ]);
      expect(await api.controlPlane.annotationMetrics({ ...question, eventId: 'e2' })).toBeUndefined();
      expect(
        await api.controlPlane.annotationMetrics({ ...question, projectId: api.otherProjectId }),
      ).toBeUndefined();
    });

    it('ask for the metrics that they name, and for all that people score without a list', async () => {
      const metric = async (name: string, type = 'HUMAN') =>
        (await api.send('POST', '/v1/metrics', { name, type, criteria: 'judge' })).body.metric_id;
      const [stars, tone, code, deleted] = [
        await metric('stars'),
        await metric('tone'),
        await metric('code', 'PYTHON'),
        await metric('deleted'),
      ];
      await api.send('DELETE', `/v1/metrics/${deleted}`);
      const id = await create({ event_ids: ['e1'], metric_ids: [tone, tone] });
      const stored = async () => (await api.send('GET', `/v1/queues/${id}`)).body.metric_ids;
      const change = (metric_ids: unknown) => api.send('PUT', `/v1/queues/${id}`, { metric_ids });
      const scored = async () => {
        const names = ['stars', 'tone', 'code'];
        const asked = { projectId: api.projectId, queueId: id, eventId: 'e1', names };
        return (await api.controlPlane.annotationMetrics(asked))?.map(({ name }) => name).sort();
      };
      expect([await stored(), await scored()]).toEqual([[tone], ['tone']]);
      expect((await api.send('GET', '/v1/queues')).body.queues).toMatchObject([{ metric_ids: [tone] }]);
      await api.send('PUT', `/v1/queues/${id}`, { name: 'other' });
      expect(await stored()).toEqual([tone]);
      expect((await change([stars, tone])).body.queue).toMatchObject({ metric_ids: [stars, tone] });
      expect(await scored()).toEqual(['stars', 'tone']);
      for (const [wrong, message] of [
        [[tone, code], 'metric_ids[1] must be the id of a metric of type HUMAN'],
        [[deleted], 'metric_ids[0] must be'],
        [['absent'], 'metric_ids[0] must be'],
        [[], 'metric_ids must have at least 1'],
        [Array.from({ length: 101 }, (_, n) => `m${n}`), 'metric_ids must have at most 100'],
        ['tone', 'metric_ids'],
      ] as const) {
        const refusal = { status: 400, body: { message: expect.stringContaining(message) as string } };
        expect(await change(wrong)).toMatchObject(refusal);
        expect(await api.send('POST', '/v1/queues', { name: 'q', metric_ids: wrong })).toMatchObject(refusal);
        const foreign = await api.sendAsOther('POST', '/v1/queues', { name: 'q', metric_ids: [tone] });
        expect(foreign.status).toBe(400);
      }
      expect((await change(null)).body.queue).not.toHaveProperty('metric_ids');
      expect(await scored()).toEqual(['stars', 'tone']);
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
