import { randomUUID } from 'node:crypto';
import { forwardedSession } from '@assay/control-plane-client/test/control-plane-contract';
import type { SessionSummary } from '@assay/domain';
import { type OpenStore, type ResourceApi, startResourceApi } from './resource-api.js';

/** Test suite of the list of sessions that the control plane answers, on any document store. */
export function describeSessions(title: string, open: OpenStore): void {
  describe(`sessions ${title}`, () => {
    let api: ResourceApi;
    beforeEach(async () => {
      api = await startResourceApi(open);
    });
    afterEach(() => api.stop());

    const START = Date.parse('2026-11-01T00:00:00Z');
    const forward = async (fields: Partial<SessionSummary>, projectId = api.projectId) => {
      const forwarded = forwardedSession(projectId, 1, fields);
      await api.controlPlane.forwardEvents([forwarded]);
      return forwarded.summary;
    };
    const list = async (query = '') => {
      const { status, body } = await api.send('GET', `/v1/sessions${query}`);
      expect([status, body.redacted]).toEqual([200, true]);
      return body as unknown as { sessions: SessionSummary[]; next_cursor: string | null };
    };
    const ids = async (query: string) => (await list(query)).sessions.map(({ session_id }) => session_id);

    it('are returned as they were forwarded, without derived fields, to their project only', async () => {
      const metrics = ['__proto__', 'a'].map((name) => ({ name, count: 1, sum: 1, min: 1, max: 1 }));
      const summary = await forward({ metrics, run_ids: ['r1'], end_time: START, duration: 5 });
      expect(await list()).toEqual({ sessions: [summary], next_cursor: null, redacted: true });
      expect((await api.sendAsOther('GET', '/v1/sessions')).body).toEqual({
        sessions: [],
        next_cursor: null,
        redacted: true,
      });
    });

    it('are listed newest first, in pages, also when many start at the same time', async () => {
      const all: SessionSummary[] = [];
      for (let n = 0; n < 30; n++)
        all.push(await forward({ start_time: START + Math.floor(n / 10), session_id: randomUUID() }));
      const wanted = all
        .sort((a, b) => b.start_time - a.start_time || (a.session_id < b.session_id ? 1 : -1))
        .map(({ session_id }) => session_id);
      const found: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page = await list(`?limit=4${cursor && `&cursor=${cursor}`}`);
        found.push(...page.sessions.map(({ session_id }) => session_id));
        cursor = page.next_cursor;
      }
      expect(found).toEqual(wanted);
    });

    it('are filtered by start, source and run', async () => {
      const one = await forward({ start_time: START, source: 'prod', run_ids: ['run-1', 'run-2'] });
      const other = await forward({
        start_time: START + 1_000,
        source: 's'.repeat(250),
        run_ids: ['run-22'],
      });
      await forward({ start_time: START + 2_000 });
      expect(await ids('?run_id=run-2')).toEqual([one.session_id]);
      expect(await ids('?run_id=run-22&source=prod')).toEqual([]);
      expect(await ids('?run_id=run-1&source=prod')).toEqual([one.session_id]);
      expect(await ids('?source=prod')).toEqual([one.session_id]);
      expect(await ids(`?source=${'s'.repeat(200)}`)).toEqual([other.session_id]);
      expect(await ids('?from=2026-11-01T00:00:01Z&to=2026-11-01T00:00:01.5Z')).toEqual([other.session_id]);
      for (const day of [
        'from=2026-11-01&to=2026-11-01',
        'dateRange[$gte]=2026-11-01&dateRange[$lte]=2026-11-01',
      ])
        expect(await ids(`?${day}`)).toHaveLength(3);
      expect(await ids('?to=2026-10-31')).toEqual([]);
    });

    it('of a run are also those that it lists', async () => {
      const runId = randomUUID();
      const naming = await forward({ start_time: START, run_ids: [runId] });
      const listed = await forward({ start_time: START + 1_000, source: 'prod' });
      await forward({ start_time: START + 2_000 });
      const event_ids = [listed.session_id, naming.session_id, randomUUID()];
      await api.send('POST', '/v1/runs', { run_id: runId, name: 'nightly', event_ids });
      const first = await list(`?run_id=${runId}&limit=1`);
      expect(first.sessions.map(({ session_id }) => session_id)).toEqual([listed.session_id]);
      expect(await ids(`?run_id=${runId}&limit=1&cursor=${first.next_cursor}`)).toEqual([naming.session_id]);
      expect(await ids(`?run_id=${runId}&source=prod`)).toEqual([listed.session_id]);
      expect(await ids(`?run_id=${runId}&to=2026-11-01T00:00:00Z`)).toEqual([naming.session_id]);
    });

    it('are not filtered by their events, which are elsewhere', async () => {
      const filters = encodeURIComponent(JSON.stringify([{ field: 'metadata.tier', value: 'gold' }]));
      const { status, body } = await api.send('GET', `/v1/sessions?filters=${filters}`);
      expect([status, body.message]).toEqual([400, expect.stringContaining('filters')]);
    });

    it('are not listed before they have an event of their own', async () => {
      const hidden = { ...forwardedSession(api.projectId, 1, { run_ids: ['r1'] }), isListed: false };
      await api.controlPlane.forwardEvents([hidden]);
      expect([await ids(''), await ids('?run_id=r1')]).toEqual([[], []]);
      await api.controlPlane.forwardEvents([{ ...hidden, watermark: '2', isListed: true }]);
      expect(await ids('?run_id=r1')).toEqual([hidden.summary.session_id]);
    });

    it('add up to the usage of their project by day, whatever is forwarded again, changed, deleted or moved', async () => {
      const day = (number: number, counts: object = {}) => ({
        day: `2026-11-0${number}`,
        num_events: 2,
        num_model_events: 1,
        ...counts,
      });
      const one = { session_id: randomUUID(), start_time: START };
      const state = (watermark: number, fields: Partial<SessionSummary>) =>
        forwardedSession(api.projectId, watermark, { ...one, ...fields });
      const newest = state(3, { days: [day(2), day(1, { cost: 0.5, total_tokens: 7 })] });
      await api.controlPlane.forwardEvents([newest]);
      await api.controlPlane.forwardEvents([state(2, { days: [day(1)] }), newest]);
      await forward({ start_time: START, days: [day(1, { num_errors: 1, cost: 0.25 })] });
      await forward({ start_time: START, days: [] });
      await forward({ start_time: START, days: [day(1)] }, 'other-project');
      await api.controlPlane.forwardEvents([
        { ...forwardedSession(api.projectId, 1, { start_time: START, days: [day(2)] }), isListed: false },
      ]);
      const deleted = await forward({ start_time: START, days: [day(1)] });
      await api.controlPlane.forwardEvents([
        { kind: 'delete', version: 9, projectId: api.projectId, eventId: deleted.session_id },
      ]);
      const usage = async (from: string, to: string) => {
        const range = encodeURIComponent(JSON.stringify({ $gte: from, $lte: to }));
        return (await api.send('GET', `/v1/usage?dateRange=${range}`)).body;
      };
      const zero = {
        num_sessions: 0,
        num_errors: 0,
        prompt_tokens: 0,
        completion_tokens: 0,
        total_tokens: 0,
        cost: 0,
        unpriced_models: [],
      };
      const [first, second] = [
        {
          ...zero,
          ...day(1),
          num_events: 4,
          num_model_events: 2,
          num_sessions: 3,
          num_errors: 1,
          total_tokens: 7,
          cost: 0.75,
        },
        { ...zero, ...day(2), num_events: 4, num_model_events: 2 },
      ];
      const { day: _day, ...total } = { ...first, num_events: 8, num_model_events: 4 };
      expect(await usage('2026-10-01', '2026-11-30')).toEqual({ days: [first, second], total });
      expect((await usage('2026-11-02', '2026-11-02')).days).toEqual([second]);
      expect((await usage('2026-11-01', '2026-11-01T23:00:00Z')).days).toEqual([first]);
      expect((await usage('2026-09-01', '2026-10-31')).days).toEqual([]);
      expect(await api.send('GET', '/v1/usage?dateRange=2y')).toMatchObject({
        status: 400,
        body: { message: 'dateRange must span at most 366 days' },
      });
    });

    it.each(['x', '1_2', '_', `NaN_${randomUUID()}`])('reject the cursor %s', async (cursor) => {
      expect(await api.send('GET', `/v1/sessions?cursor=${cursor}`)).toMatchObject({
        status: 400,
        body: { message: 'cursor must be the next_cursor of a previous page' },
      });
    });
  });
}
