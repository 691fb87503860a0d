import { randomUUID } from 'node:crypto';
import type { AlertChange, AlertResponse } from '@assay/contracts';
import type { AlertTurn, ClaimedAlert, SavedAlert } from '@assay/control-plane-client';
import type { AlertOutcome } from '@assay/domain';
import { ALERT_COLLECTION, type AlertFields } from '../src/alerts/alert-document.js';
import { type OpenStore, type ResourceApi, startResourceApi } from './resource-api.js';

const MINUTE = 60_000;
const SECRET = 'a-long-random-text-of-a-receiver';
const WEBHOOK = { url: 'https://example.com/hook?token=of-the-url', secret: SECRET };
const SLOW = { name: 'slow', threshold: 5, delay_seconds: 0, webhook: WEBHOOK };
const CLAIM = { projectIds: [], busyProjectIds: [] };

type Outcome = AlertTurn['sent'][number];
const DELIVERED = { error: null, final: true };
const FAILED = { error: 'status 503', final: false };

/** Test suite of alerts on any document store. */
export function describeAlerts(title: string, open: OpenStore): void {
  describe(`alerts ${title}`, () => {
    let api: ResourceApi;
    beforeAll(async () => {
      api = await startResourceApi(open);
    });
    afterEach(async () => {
      const { data } = (await api.send('GET', '/v1/alerts')).body;
      await Promise.all(data.map(({ id }) => api.send('DELETE', `/v1/alerts/${id}`)));
      // Without its messages a deleted alert is gone.
      api.clock.time += 60 * MINUTE;
      for (let turn = await claim(); turn; turn = await claim())
        for (let left = turn.waiting; left.length > 0;)
          left = (await turn.save({ sent: left.map(({ id }) => ({ id, ...DELIVERED })) })).deliveries;
    });
    afterAll(() => api.stop());

    const create = async (body: object = {}) =>
      (await api.send('POST', '/v1/alerts', { ...SLOW, ...body })).body.data.id;
    const read = async (id: string) =>
      (await api.send('GET', `/v1/alerts/${id}`)).body.data as unknown as AlertResponse;
    const history = async (id: string) =>
      (await api.send('GET', `/v1/alerts/${id}/history`)).body.data as unknown as AlertChange[];

    /** Takes the alert that is due; undefined when none is. */
    async function claim(owner: string = randomUUID()) {
      const alert = await api.controlPlane.claimAlert({ ...CLAIM, owner });
      if (!alert) return undefined;
      const save = (turn: Partial<AlertTurn>) => {
        const { projectId, alertId, revision } = alert;
        const rest = { windows: [], missed: 0, releases: true, sent: [] };
        return api.controlPlane.saveAlert({ projectId, alertId, revision, owner, ...rest, ...turn });
      };
      const waiting = (await save({ releases: false })).deliveries;
      return { alert, save, waiting };
    }

    const windowsOf = (alert: ClaimedAlert, outcome: AlertOutcome, value: number | null = null) =>
      alert.ends.map((end) => ({ end, outcome, value }));

    /** Evaluates the next window, and tries to send what waits with these outcomes. */
    async function evaluate(
      outcome: AlertOutcome,
      outcomes: readonly Omit<Outcome, 'id'>[] = [],
    ): Promise<SavedAlert> {
      api.clock.time = (Math.floor(api.clock.time / MINUTE) + 1) * MINUTE;
      const turn = (await claim())!;
      const saved = await turn.save({ windows: windowsOf(turn.alert, outcome, 9), releases: true });
      const sent = saved.deliveries.slice(0, outcomes.length).map(({ id }, n) => ({ id, ...outcomes[n]! }));
      if (sent.length > 0) await turn.save({ sent });
      return saved;
    }
    const bodies = ({ deliveries }: SavedAlert) =>
      deliveries.map(({ body }) => JSON.parse(body) as { event: string; sequence: number });

    it('are created, read, listed, changed and deleted, and never return the URL or the secret', async () => {
      const created = await api.send('POST', '/v1/alerts', SLOW);
      expect(created).toMatchObject({
        status: 200,
        body: { data: { name: 'slow', metric: 'duration', state: 'ok', missed_windows: 0 } },
      });
      const { id } = created.body.data;
      const webhook = { host: 'example.com', format: 'json', has_secret: true };
      expect(await read(id)).toEqual({ ...created.body.data, webhook, email: null });
      const changed = await api.send('PUT', `/v1/alerts/${id}`, { threshold: 7, description: 'd' });
      const listed = await api.send('GET', '/v1/alerts');
      expect(listed.body.data).toEqual([
        expect.objectContaining({ threshold: 7, description: 'd', webhook }),
      ]);
      expect(JSON.stringify([created, changed, listed])).not.toMatch(/of-the-url|a-long-random/);
      expect((await api.send('DELETE', `/v1/alerts/${id}`)).body.message).toBe('alert deleted');
      for (const method of ['GET', 'DELETE'])
        expect((await api.send(method, `/v1/alerts/${id}`)).status).toBe(404);
    });

    it('go to a webhook or to addresses, and a change of the receiver is one of both', async () => {
      const email = { to: ['on-call@example.com', 'lead@example.com'] };
      const id = await create({ webhook: undefined, email });
      expect(await read(id)).toMatchObject({ webhook: null, email });
      await api.send('POST', `/v1/alerts/${id}/test`);
      const turn = (await claim())!;
      expect(turn.waiting).toMatchObject([{ url: '', secret: null, to: email.to }]);
      expect(JSON.parse(turn.waiting[0]!.body)).toMatchObject({ event: 'test', alert_name: 'slow' });
      await turn.save({ sent: [{ id: turn.waiting[0]!.id, ...DELIVERED }] });
      await api.send('PUT', `/v1/alerts/${id}`, { webhook: WEBHOOK });
      expect(await read(id)).toMatchObject({ webhook: { host: 'example.com' }, email: null });
      await api.send('PUT', `/v1/alerts/${id}`, { name: 'renamed' });
      expect(await read(id)).toMatchObject({ webhook: { host: 'example.com' }, email: null });
      const both = await api.send('PUT', `/v1/alerts/${id}`, { webhook: WEBHOOK, email });
      expect(both.status).toBe(400);
    });

    it('of former releases, which know no e-mails, do not begin anew with another name', async () => {
      const id = await create();
      await evaluate('breach', [DELIVERED]);
      const collection = await api.documents.collection<AlertFields>(ALERT_COLLECTION);
      const stored = await collection.list({ equals: {}, orderBy: 'due', limit: 1_000 });
      const { email: _email, ...former } = stored.find((alert) => alert.id.endsWith(id))!;
      expect(await collection.replace(former)).toBeDefined();
      await api.send('PUT', `/v1/alerts/${id}`, { name: 'renamed' });
      expect(await read(id)).toMatchObject({ name: 'renamed', state: 'firing', email: null });
    });

    it('of another project are not found', async () => {
      const path = `/v1/alerts/${await create()}`;
      expect((await api.sendAsOther('GET', '/v1/alerts')).body.data).toEqual([]);
      const calls = [
        ['GET', path, undefined],
        ['GET', `${path}/history`, undefined],
        ['PUT', path, { threshold: 1 }],
        ['POST', `${path}/mute`, { until: null }],
        ['POST', `${path}/test`, undefined],
        ['DELETE', path, undefined],
      ] as const;
      for (const [method, at, body] of calls)
        expect((await api.sendAsOther(method, at, body)).status).toBe(404);
    });

    it.each<[string, object, string]>([
      ['a window of 0 minutes', { window_minutes: 0 }, 'window_minutes'],
      ['an unknown function', { func: 'canary' }, 'func'],
      ['a metric that no event has', { metric: 'metadata..canary' }, 'metric'],
      ['a filter without a meaning', { query: [{ field: 'duration', operator: 'is', value: {} }] }, 'query'],
      ['a filter of the share', { part: [{ field: 'a', operator: 'canary', value: 1 }] }, 'part'],
      ['a threshold that resolves too late', { resolve_threshold: 6 }, 'resolve_threshold'],
      ['a URL of another protocol', { webhook: { url: 'file:///canary' } }, 'webhook.url'],
      ['credentials', { webhook: { url: 'https://canary:b@example.com' } }, 'webhook.url'],
      ['a secret that is short', { webhook: { ...WEBHOOK, secret: 'canary' } }, 'secret'],
      ['two receivers', { email: { to: ['canary@example.com'] } }, 'exactly one of webhook and email'],
      ['no receiver', { webhook: undefined }, 'exactly one of webhook and email'],
      ['an e-mail without an address', { email: { to: [] } }, 'email'],
      ['an address without a domain', { email: { to: ['canary'] } }, 'email'],
      ['an address of two lines', { email: { to: ['a@example.com\nBcc: canary@example.com'] } }, 'email'],
    ])('refuse %s, and name the field without its value', async (_title, body, field) => {
      const { status, body: error } = await api.send('POST', '/v1/alerts', { ...SLOW, ...body });
      expect([status, error.message]).toEqual([400, expect.stringContaining(field)]);
      expect(error.message).not.toContain('canary');
    });

    it('are at most 100 in a project', async () => {
      expect((await api.sendAsOther('POST', '/v1/alerts', { ...SLOW, enabled: false })).status).toBe(200);
      const collection = await api.documents.collection<AlertFields>(ALERT_COLLECTION);
      const equals = { project_id: api.otherProjectId, is_active: true };
      const [first] = await collection.list({ equals, orderBy: 'created_at', limit: 1 });
      const { id: _id, version: _version, ...fields } = first!;
      const ids = Array.from({ length: 98 }, (_, n) => `${api.otherProjectId}:${n}`);
      await collection.insertMissing(ids.map((id) => ({ id, fields })));
      api.clock.time += MINUTE;
      const idle = { ...SLOW, enabled: false };
      const concurrent = Array.from({ length: 4 }, () => api.sendAsOther('POST', '/v1/alerts', idle));
      const statuses = (await Promise.all(concurrent)).map(({ status }) => status);
      expect(statuses.sort()).toEqual([200, 409, 409, 409]);
      expect(await collection.count(equals)).toBe(100);
      const { status, body } = await api.sendAsOther('POST', '/v1/alerts', SLOW);
      expect([status, body.message]).toEqual([409, 'the project has 100 alerts, which is the maximum']);
      expect((await api.send('POST', '/v1/alerts', SLOW)).status).toBe(200);
    });

    it('send a test to their receiver, which changes nothing else', async () => {
      const id = await create();
      const before = await read(id);
      const test = () => api.send('POST', `/v1/alerts/${id}/test`);
      expect(await test()).toMatchObject({ status: 200, body: { data: { state: 'ok' } } });
      expect(await test()).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining('wait') as string },
      });
      const turn = (await claim())!;
      expect(turn.waiting).toMatchObject([{ url: WEBHOOK.url, secret: SECRET }]);
      expect(JSON.parse(turn.waiting[0]!.body)).toMatchObject({ event: 'test', alert_id: id, sequence: 1 });
      await turn.save({ sent: [{ id: turn.waiting[0]!.id, ...DELIVERED }] });
      expect(await history(id)).toMatchObject([{ from: 'ok', to: 'ok', delivery: 'delivered', sequence: 1 }]);
      expect(await read(id)).toEqual({ ...before, updated_at: expect.any(String) as string });
      expect(bodies(await evaluate('breach', [DELIVERED]))).toMatchObject([{ event: 'firing', sequence: 2 }]);
      const end = new Date(api.clock.time + MINUTE).toISOString();
      await api.send('POST', `/v1/alerts/${id}/mute`, { until: end });
      expect(await test()).toMatchObject({ status: 409, body: { message: 'the alert is mute' } });
    });

    it('fire, resolve and are sent in order, with what waits repeated until it is delivered', async () => {
      const id = await create({ for_windows: 2, resolve_windows: 2 });
      expect(await evaluate('breach')).toMatchObject({ entered: ['pending'], deliveries: [] });
      const fired = await evaluate('breach', [FAILED]);
      expect(fired.entered).toEqual(['firing']);
      const [{ body = '', url, secret } = {}] = fired.deliveries;
      expect([url, secret]).toEqual([WEBHOOK.url, SECRET]);
      expect(JSON.parse(body)).toMatchObject({
        ...{ event: 'firing', sequence: 1, alert_id: id, alert_name: 'slow', value: 9, threshold: 5 },
      });
      expect(body).not.toMatch(/of-the-url|a-long-random/);
      expect(await read(id)).toMatchObject({ state: 'firing', last_value: 9 });
      // The first retry is due before the next window.
      expect(bodies(await evaluate('clear', [DELIVERED]))).toMatchObject([{ sequence: 1 }]);
      expect(bodies(await evaluate('clear', [DELIVERED]))).toMatchObject([
        { event: 'resolved', sequence: 2 },
      ]);
      expect(await history(id)).toMatchObject([
        { from: 'firing', to: 'ok', delivery: 'delivered', attempts: 1 },
        { from: 'pending', to: 'firing', delivery: 'delivered', attempts: 2 },
        { from: 'ok', to: 'pending', delivery: 'none', sequence: null },
      ]);
    });

    it('say once that there is no data, which ends nothing', async () => {
      const id = await create();
      await evaluate('breach', [DELIVERED]);
      expect(bodies(await evaluate('no_data', [DELIVERED]))).toMatchObject([{ event: 'no_data' }]);
      expect(bodies(await evaluate('no_data'))).toEqual([]);
      expect((await read(id)).state).toBe('no_data');
      expect(bodies(await evaluate('between', [DELIVERED]))).toMatchObject([{ event: 'firing' }]);
      expect(bodies(await evaluate('clear', [DELIVERED]))).toMatchObject([{ event: 'resolved' }]);
    });

    it('are evaluated once, by the process that has the lease', async () => {
      const id = await create();
      api.clock.time += MINUTE;
      const first = (await claim('a'))!;
      expect(await claim('b')).toBeUndefined();
      api.clock.time += 2 * MINUTE;
      const second = (await claim('b'))!;
      expect(second.alert.ends).toEqual([0, 1, 2].map((later) => first.alert.ends[0]! + later * MINUTE));
      expect(await first.save({ windows: windowsOf(first.alert, 'breach') })).toMatchObject({ entered: [] });
      await second.save({ windows: windowsOf(second.alert, 'clear', 1) });
      expect(await read(id)).toMatchObject({ state: 'ok', last_value: 1 });
      expect(await claim('a')).toBeUndefined();
    });

    it('make up at most 15 windows after an outage, and count the others', async () => {
      const id = await create();
      api.clock.time += 60 * MINUTE;
      const { alert, save } = (await claim())!;
      expect([alert.ends.length, alert.missed]).toEqual([15, 45]);
      await save({ windows: windowsOf(alert, 'clear'), missed: alert.missed });
      expect((await read(id)).missed_windows).toBe(45);
    });

    it('are due again after the lease when a window could not be read', async () => {
      await create();
      api.clock.time += MINUTE;
      const { save } = (await claim())!;
      await save({ releases: false });
      expect(await claim()).toBeUndefined();
      api.clock.time += MINUTE;
      expect(await claim()).toBeDefined();
    });

    it('send nothing while they are mute, and their state afterwards', async () => {
      const id = await create();
      await evaluate('breach', [FAILED]);
      const later = new Date(api.clock.time + 10 * MINUTE).toISOString();
      expect((await api.send('POST', `/v1/alerts/${id}/mute`, { until: later })).body.data).toMatchObject({
        muted_until: later,
      });
      expect(bodies(await evaluate('clear'))).toEqual([]);
      expect(bodies(await evaluate('breach'))).toEqual([]);
      expect((await history(id))[1]).toMatchObject({ to: 'ok', delivery: 'muted' });
      await api.send('POST', `/v1/alerts/${id}/mute`, { until: null });
      expect(bodies(await evaluate('clear', [DELIVERED, DELIVERED]))).toMatchObject([
        { event: 'firing', sequence: 1 },
        { event: 'resolved', sequence: 2 },
      ]);
      for (const wrong of ['tomorrow', '2027-01-01', '2027-01-01T00:00:00']) {
        const { status, body } = await api.send('POST', `/v1/alerts/${id}/mute`, { until: wrong });
        expect([status, body.message]).toEqual([400, expect.stringContaining('until')]);
      }
    });

    it('begin anew when their condition changes, and tell the receiver that they ended', async () => {
      const id = await create();
      await evaluate('breach', [DELIVERED]);
      expect((await api.send('PUT', `/v1/alerts/${id}`, { name: 'other' })).body.data.state).toBe('firing');
      expect((await api.send('PUT', `/v1/alerts/${id}`, { threshold: 8 })).body.data.state).toBe('ok');
      expect(bodies(await evaluate('clear', [DELIVERED]))).toMatchObject([{ event: 'ended' }]);
      await evaluate('breach', [DELIVERED]);
      await api.send('DELETE', `/v1/alerts/${id}`);
      const { waiting, save } = (await claim())!;
      expect(waiting).toHaveLength(1);
      await save({ sent: [{ id: waiting[0]!.id, ...DELIVERED }] });
      expect(await claim()).toBeUndefined();
    });

    it('keep the last 100 changes and at most 20 messages, of which the oldest is dropped', async () => {
      const id = await create();
      let dropped = 0;
      for (let n = 0; n < 8; n++) {
        api.clock.time += 14 * MINUTE;
        const { alert, save } = (await claim())!;
        const windows = alert.ends.map((end, index) => {
          const outcome: AlertOutcome = index % 2 === 0 ? 'breach' : 'clear';
          return { end, outcome, value: null };
        });
        const saved = await save({ windows, releases: false });
        dropped += saved.dropped;
        const [oldest] = saved.deliveries;
        if (oldest) await save({ sent: [{ id: oldest.id, ...FAILED }] });
        else await save({});
      }
      const changes = await history(id);
      const waiting = changes.filter(({ delivery }) => delivery === 'pending');
      expect([changes.length, waiting.length, dropped]).toEqual([100, 20, 92]);
      expect(changes.slice(0, 20)).toEqual(waiting);
    });

    it('give a message up after 20 attempts, or when the receiver refuses it for ever', async () => {
      const id = await create();
      let saved = await evaluate('breach', [{ ...FAILED, final: true }]);
      expect((await history(id))[0]).toMatchObject({ delivery: 'failed', attempts: 1, error: 'status 503' });
      saved = await evaluate('clear');
      let turns = 0;
      let failed = 0;
      for (; failed === 0; turns++) {
        const turn = await claim();
        const [message] = turn?.waiting ?? saved.deliveries;
        if (turn && message) ({ failed } = await turn.save({ sent: [{ id: message.id, ...FAILED }] }));
        else if (turn) await turn.save({ windows: windowsOf(turn.alert, 'clear') });
        api.clock.time += 10 * MINUTE;
        expect(turns).toBeLessThan(50);
      }
      expect((await history(id))[0]).toMatchObject({ delivery: 'failed', attempts: 20 });
    });
  });
}
