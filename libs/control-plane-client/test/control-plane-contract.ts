import { randomUUID } from 'node:crypto';
import { internalApi } from '@assay/contracts';
import {
  acceptEvent,
  acceptRedaction,
  NO_COUNTS,
  NO_REDACTION,
  redactEvent,
  redactSessionSummary,
  type Caller,
  type DeployedMetric,
  type Event,
  type MetricRule,
  type SessionSummary,
} from '@assay/domain';
import type {
  ControlPlane,
  DeployedMetricsPage,
  ForwardedEvent,
  ForwardedSession,
} from '../src/control-plane.js';
import { issuedKey } from './issued-key.js';

/** The retention of the project of `key`; no other project has one. */
export const EXPIRY = { retention: { default: 90, session: null }, keepReferenced: true } as const;

/** The export of the project of `key`; no other project has one. */
export const EXPORT = { format: 'ndjson', from: '2026-11-01T00:00:00.000Z' } as const;

/** A control plane with one valid key and some that were revoked or have expired. */
export interface ControlPlaneUnderTest {
  readonly controlPlane: ControlPlane;
  readonly key: string;
  /** Whom `key` belongs to. */
  readonly caller: Caller;
  /** Keys that were revoked or have expired. */
  readonly endedKeys: readonly string[];
  /** A run with 70,000 sessions, and rules: one of an active, one of a deleted metric. */
  readonly run: { readonly id: string; readonly rules: readonly MetricRule[] };
  /** A chart. */
  readonly chartId: string;
  /** Id of a project that was deleted. */
  readonly deletedProject: string;
  /** Returns the stored state of a session of the caller's project; undefined when there is none or it was deleted. */
  kept(sessionId: string): Promise<KeptSession | undefined>;
  /** Returns the ids of events in a queue of the caller's project that takes every model event. */
  queued(): Promise<readonly string[]>;
  /** Makes the control plane unreachable from now on. */
  disconnect(): Promise<void>;
  stop(): Promise<void>;
}

/** The part of a stored session that the tests check. */
export interface KeptSession {
  readonly watermark: string;
  readonly name: string;
  readonly metrics: unknown;
}

/** When the events of these tests arrive: after every queue was created. */
const ARRIVED_LATE = 4_000_000_000_000;

const NO_AMOUNTS = { num_errors: 0, prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cost: 0 };

/** A session as the data plane forwards it. */
export function forwardedSession(
  projectId: string,
  watermark: number | string,
  fields: Partial<SessionSummary> = {},
): ForwardedSession {
  const summary: SessionSummary = {
    session_id: randomUUID(),
    session_name: 'chat',
    source: 'test',
    start_time: 1_790_000_000_000,
    end_time: null,
    duration: null,
    num_events: 1,
    num_model_events: 1,
    num_tool_events: 0,
    num_chain_events: 0,
    num_errors: 0,
    event_names: [{ event_type: 'model', event_name: 'ask', count: 1 }],
    metrics: [],
    run_ids: [],
    days: [{ day: '2026-09-21', num_events: 1, num_model_events: 1, ...NO_AMOUNTS }],
    ...fields,
  };
  return {
    kind: 'session',
    projectId,
    watermark: String(watermark),
    isListed: true,
    summary: redactSessionSummary(summary, NO_REDACTION),
  };
}

/** An event as the data plane forwards it. */
export function forwardedEvent(
  projectId: string,
  version: number,
  fields: Partial<Event> = {},
): ForwardedEvent & { kind: 'event' } {
  const context = { projectId, now: 1_790_000_000_000, newId: randomUUID };
  const { event } = acceptEvent({ event_type: 'model', inputs: { question: 'q' } }, context);
  const redacted = redactEvent(
    { ...event, ...fields },
    acceptRedaction({ redactValues: false, redactFields: ['inputs', 'outputs'] }),
  );
  return { kind: 'event', version, arrivedAt: context.now, event: redacted };
}

/** The contract of every adapter of the control plane. `start` makes a new one for each test. */
export function describeControlPlane(title: string, start: () => Promise<ControlPlaneUnderTest>): void {
  describe(`${title}: a control plane`, () => {
    let tested: ControlPlaneUnderTest;
    beforeEach(async () => {
      tested = await start();
    });
    afterEach(() => tested.stop());

    it('returns the caller of a key, and nothing else', async () => {
      expect(await tested.controlPlane.authenticate(tested.key)).toEqual(tested.caller);
    });

    it('finds no caller for a revoked or expired key', async () => {
      expect(tested.endedKeys.length).toBeGreaterThan(0);
      for (const key of tested.endedKeys) expect(await tested.controlPlane.authenticate(key)).toBeUndefined();
    });

    it('finds no caller for a key that was never issued', async () => {
      const changed = tested.key.slice(0, -1) + (tested.key.endsWith('0') ? '1' : '0');
      const hostile = [
        '',
        ' ',
        'x'.repeat(400),
        'é\u{1F600}\0\r\nX: y',
        '{"$ne": null}',
        '__proto__',
        'constructor'.repeat(3),
      ];
      for (const key of [changed, issuedKey('project').text, issuedKey('ingest').text, ...hostile]) {
        expect(await tested.controlPlane.authenticate(key)).toBeUndefined();
      }
    });

    it('responds to many concurrent look-ups', async () => {
      const callers = await Promise.all(
        Array.from({ length: 50 }, () => tested.controlPlane.authenticate(tested.key)),
      );
      expect(callers).toEqual(Array.from({ length: 50 }, () => tested.caller));
    });

    describe('receiving sessions', () => {
      const session = (watermark: number | string, fields: Partial<SessionSummary> = {}) =>
        forwardedSession(tested.caller.projectId, watermark, fields);
      const remove = (eventId: string, version: number): ForwardedEvent => {
        return { kind: 'delete', version, projectId: tested.caller.projectId, eventId };
      };
      const forward = (...batch: ForwardedEvent[]) => tested.controlPlane.forwardEvents(batch);
      const idOf = ({ summary }: ForwardedSession) => summary.session_id;

      it('stores them, with metrics such as __proto__', async () => {
        const metrics = ['__proto__', 'a.b'].map((name) => ({
          name,
          count: 1,
          sum: 0.5,
          min: 0.5,
          max: 0.5,
        }));
        const [one, other] = [session(1, { session_name: 'one', metrics }), session(2)];
        await forward(one, other);
        expect(await tested.kept(idOf(one))).toEqual({ watermark: '1', name: 'one', metrics });
        expect(await tested.kept(idOf(other))).toMatchObject({ watermark: '2', name: 'chat' });
      });

      it('stores the newest state, in any order and however often it is forwarded', async () => {
        const states = (session_id: string) =>
          ['9', '2', '10', '9007199254740993', '9007199254740992', '9'].map((watermark) =>
            session(watermark, { session_id, session_name: `v${watermark}` }),
          );
        const newest = { watermark: '9007199254740993', name: 'v9007199254740993' };
        const [one, another] = [randomUUID(), randomUUID()];
        for (const state of states(one)) await forward(state);
        expect(await tested.kept(one)).toMatchObject(newest);
        await forward(...states(another));
        expect(await tested.kept(another)).toMatchObject(newest);
      });

      it('never restores a deleted session', async () => {
        const created = session(1);
        await forward(created);
        await forward(remove(idOf(created), 2));
        await forward({ ...created, watermark: '9' });
        expect(await tested.kept(idOf(created))).toBeUndefined();
        const early = randomUUID();
        await forward(remove(early, 5), session(4, { session_id: early }));
        expect(await tested.kept(early)).toBeUndefined();
      });

      it('accepts an empty batch and a large one', async () => {
        await forward();
        const many = Array.from({ length: 1_200 }, (_, index) =>
          session(index, { session_name: `n${index}` }),
        );
        await forward(...many);
        expect(await tested.kept(idOf(many[0]!))).toMatchObject({ name: 'n0' });
        expect(await tested.kept(idOf(many[1_199]!))).toMatchObject({ name: 'n1199' });
      });

      it('rejects with UNAVAILABLE while it is unreachable', async () => {
        const one = session(1);
        await tested.disconnect();
        await expect(forward(one)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      });
    });

    it('reads runs with the rules for their scores, in the order of their ids', async () => {
      const { controlPlane, caller, run } = tested;
      const { projectId } = caller;
      const found = await controlPlane.runs({ projectId, runIds: [randomUUID(), run.id, run.id] });
      expect(found.runs.map(({ run_id }) => run_id)).toEqual([run.id]);
      expect(new Set(found.runs[0]?.event_ids).size).toBe(70_000);
      expect([...found.metrics].sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual(run.rules);
      const withoutRules = await controlPlane.runs({ projectId, runIds: [run.id], withoutRules: true });
      expect([withoutRules.runs.length, withoutRules.metrics]).toEqual([1, []]);
      const ofOther = await controlPlane.runs({ projectId: 'another-project', runIds: [run.id] });
      expect(ofOther).toEqual({ runs: [], metrics: [] });
      await tested.disconnect();
      await expect(controlPlane.runs({ projectId, runIds: [run.id] })).rejects.toMatchObject({
        code: 'UNAVAILABLE',
      });
    });

    it('reads the metrics in their deployed versions, page by page, without those that are deleted', async () => {
      const { controlPlane, caller } = tested;
      const { projectId } = caller;
      const metrics: DeployedMetric[] = [];
      for (let after: string | null = null; ;) {
        const page: DeployedMetricsPage = await controlPlane.deployedMetrics({ projectId, after });
        metrics.push(...page.metrics);
        if (page.next === null) break;
        after = page.next;
      }
      expect(metrics.map(({ name, version, criteria }) => ({ name, version, criteria }))).toEqual(
        ['accuracy', 'accuracy', 'latency'].map((name) => ({
          name,
          version: 'v1',
          criteria: 'def f(event): return 1',
        })),
      );
      expect(new Set(metrics.map(({ id }) => id)).size).toBe(3);
      const ofOther = { projectId: 'another-project', after: null };
      expect(await controlPlane.deployedMetrics(ofOther)).toEqual({ metrics: [], next: null });
      await tested.disconnect();
      await expect(controlPlane.deployedMetrics({ projectId, after: null })).rejects.toMatchObject({
        code: 'UNAVAILABLE',
      });
    });

    it('gives a job to one process at a time, until it is saved as complete', async () => {
      const { controlPlane, caller } = tested;
      const { projectId } = caller;
      const claim = { owner: 'a', projectIds: [], busyProjectIds: [] };
      expect(await controlPlane.claimJob({ ...claim, busyProjectIds: [projectId] })).toBeUndefined();
      const job = await controlPlane.claimJob(claim);
      expect(job).toMatchObject({ projectId, from: null, cursor: null, counts: NO_COUNTS });
      expect(await controlPlane.claimJob({ ...claim, owner: 'b' })).toBeUndefined();
      const progress = {
        ...{ projectId, jobId: job?.jobId ?? '', owner: 'a', state: 'running' as const, reason: null },
        ...{ cursor: { value: 1.5, eventId: 'e1' }, counts: { ...NO_COUNTS, events: 2, scored: 2 } },
      };
      expect(await controlPlane.saveJob({ ...progress, owner: 'b' })).toBe(false);
      expect(await controlPlane.saveJob({ ...progress, projectId: 'another-project' })).toBe(false);
      expect(await controlPlane.saveJob(progress)).toBe(true);
      expect(await controlPlane.saveJob({ ...progress, releases: true })).toBe(true);
      expect(await controlPlane.saveJob(progress)).toBe(false);
      expect((await controlPlane.claimJob(claim))?.jobId).toBe(job?.jobId);
      expect(await controlPlane.saveJob({ ...progress, state: 'completed' })).toBe(false);
      expect(await controlPlane.claimJob(claim)).toBeUndefined();
      await tested.disconnect();
      await expect(controlPlane.claimJob(claim)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      await expect(controlPlane.saveJob(progress)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    });

    it('gives an alert to one process, saves a window once, and says what to send', async () => {
      const { controlPlane, caller } = tested;
      const { projectId } = caller;
      const claim = { owner: 'a', projectIds: [], busyProjectIds: [] };
      expect(await controlPlane.claimAlert({ ...claim, busyProjectIds: [projectId] })).toBeUndefined();
      const alert = (await controlPlane.claimAlert(claim))!;
      expect(alert).toMatchObject({ projectId, metric: 'duration', threshold: 5, missed: 0 });
      expect(await controlPlane.claimAlert({ ...claim, owner: 'b' })).toBeUndefined();
      const { alertId, revision, ends } = alert;
      expect(ends).toHaveLength(1);
      const window = { end: ends[0]!, outcome: 'breach' as const, value: 6 };
      const turn = { projectId, alertId, revision, owner: 'a', windows: [window], missed: 0, sent: [] };
      const nothing = { deliveries: [], entered: [], failed: 0, dropped: 0 };
      const other = { ...turn, releases: true };
      expect(await controlPlane.saveAlert({ ...other, owner: 'b' })).toEqual(nothing);
      expect(await controlPlane.saveAlert({ ...other, projectId: 'another-project' })).toEqual(nothing);
      const saved = await controlPlane.saveAlert({ ...turn, releases: true });
      const message = { id: expect.any(String) as string, url: 'https://example.com', secret: null };
      expect(saved).toMatchObject({ entered: ['firing'], deliveries: [message] });
      const sent = saved.deliveries.map(({ id }) => ({ id, error: null, final: true }));
      expect(await controlPlane.saveAlert({ ...turn, windows: [], sent, releases: true })).toEqual(nothing);
      expect(await controlPlane.claimAlert(claim)).toBeUndefined();
      await tested.disconnect();
      await expect(controlPlane.claimAlert(claim)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      await expect(controlPlane.saveAlert(other)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    });

    it('takes reports of the models of a process, again and again', async () => {
      const { controlPlane, caller } = tested;
      const [provider, model] = ['p'.repeat(200), { provider: 'openai', name: 'gpt-4o' }];
      const projects = Array.from({ length: internalApi.MODEL_REPORT_LIMITS.names }, (_, index) => ({
        ...{ projectId: `${caller.projectId}-${index}`, providers: [provider], failing: [] },
      }));
      const report = { owner: 'a', projectIds: [], hasProxy: false, isComplete: true, providers: [provider] };
      await controlPlane.reportModels({ ...report, projects, defaultModel: null });
      await controlPlane.reportModels({ ...report, projects: [], defaultModel: model });
      await tested.disconnect();
      const unreachable = controlPlane.reportModels({ ...report, projects: [], defaultModel: null });
      await expect(unreachable).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    });

    it('lists a page of runs by their ids, with a bounded number of sessions', async () => {
      const { controlPlane, caller, run } = tested;
      const { projectId } = caller;
      const { links, pagination } = await controlPlane.runLinks({ projectId, run_ids: [run.id], page: 1 });
      expect(links.map(({ runId, sessionIds }) => [runId, sessionIds.length])).toEqual([[run.id, 5_000]]);
      expect(pagination).toMatchObject({ page: 1, total: 1, has_next: false });
      const ofOther = await controlPlane.runLinks({ projectId: 'another-project' });
      expect([ofOther.links, ofOther.pagination.total]).toEqual([[], 0]);
      await expect(controlPlane.runLinks({ projectId, dateRange: 'yesterday' })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
      await tested.disconnect();
      await expect(controlPlane.runLinks({ projectId })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    });

    it('reads a chart of the project', async () => {
      const { controlPlane, caller, chartId } = tested;
      const { projectId } = caller;
      expect(await controlPlane.chart({ projectId, chartId })).toMatchObject({
        id: chartId,
        metric: 'duration',
        query: [{ field: 'event_type', value: 'model', type: 'string', operator: 'is' }],
      });
      for (const id of ['unknown', '__proto__', '{"$ne":null}'])
        expect(await controlPlane.chart({ projectId, chartId: id })).toBeUndefined();
      expect(await controlPlane.chart({ projectId: 'another-project', chartId })).toBeUndefined();
      await tested.disconnect();
      await expect(controlPlane.chart({ projectId, chartId })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    });

    describe('receiving events', () => {
      const event = (version: number, fields: Partial<Event> = {}) => ({
        ...forwardedEvent(tested.caller.projectId, version, fields),
        arrivedAt: ARRIVED_LATE,
      });
      const remove = (eventId: string, version: number, memberIds?: string[]): ForwardedEvent => {
        return { kind: 'delete', version, projectId: tested.caller.projectId, eventId, memberIds };
      };
      const forward = (...batch: ForwardedEvent[]) => tested.controlPlane.forwardEvents(batch);

      it('names the filters of the queues that take them', async () => {
        const { projectId } = tested.caller;
        const filter = { field: 'event_type', operator: 'is', type: 'string', value: 'model' };
        expect(await tested.controlPlane.routingFilters([projectId, 'another'])).toEqual([
          { projectId, queues: [[filter]] },
        ]);
        expect(await tested.controlPlane.routingFilters([])).toEqual([]);
      });

      it('adds them to queues once, in any order and however often they are forwarded', async () => {
        const event_id = randomUUID();
        for (const version of [3, 1, 2, 3, 1]) await forward(event(version, { event_id }));
        await forward(event(1, { event_type: 'tool' }));
        expect(await tested.queued()).toEqual([event_id]);
      });

      it('never restores a deleted event', async () => {
        const created = event(1);
        await forward(created);
        await forward(remove(created.event.event_id, 2));
        await forward(created);
        const early = randomUUID();
        await forward(remove(early, 5), event(4, { event_id: early }));
        expect(await tested.queued()).toEqual([]);
      });

      it('removes the events of a deleted session, also those that arrive later', async () => {
        const session_id = randomUUID();
        const [before, after, other] = [event(1, { session_id }), event(3, { session_id }), event(4)];
        await forward(before, other, remove(session_id, 2, [before.event.event_id]), after);
        await forward(before, after);
        await forward(remove(session_id, 2, [before.event.event_id]));
        expect(await tested.queued()).toEqual([other.event.event_id]);
      });

      it('accepts a large batch', async () => {
        const many = Array.from({ length: 1_200 }, (_, index) => event(index));
        await forward(...many);
        expect([...(await tested.queued())].sort()).toEqual(
          many.map(({ event: one }) => one.event_id).sort(),
        );
      });
    });

    it('stores the first request under an idempotency key, and returns it to later ones', async () => {
      const { projectId } = tested.caller;
      const claim = (key: string, content: string, at: number) => ({
        projectId,
        key: key.repeat(64),
        content: content.repeat(64),
        at,
      });
      const first = { content: 'c'.repeat(64), at: 1_790_000_000_000 };
      expect(await tested.controlPlane.claimRequest(claim('a', 'c', first.at))).toEqual(first);
      expect(await tested.controlPlane.claimRequest(claim('a', 'd', first.at + 1))).toEqual(first);
      expect(await tested.controlPlane.claimRequest(claim('b', 'd', first.at))).toMatchObject({
        content: 'd'.repeat(64),
      });
      await tested.disconnect();
      await expect(tested.controlPlane.claimRequest(claim('a', 'c', 5))).rejects.toMatchObject({
        code: 'UNAVAILABLE',
      });
    });

    it('finds the deleted projects among others and unknown ones', async () => {
      const { controlPlane, caller, deletedProject } = tested;
      const unknown = ['', 'unknown', '__proto__', 'x'.repeat(200), '{"$ne":null}'];
      const asked = [caller.projectId, ...unknown, deletedProject];
      expect(await controlPlane.deletedProjects(asked)).toEqual([deletedProject]);
      expect(await controlPlane.deletedProjects([caller.projectId])).toEqual([]);
      expect(await controlPlane.deletedProjects([])).toEqual([]);
      const many = Array.from({ length: 999 }, (_, index) => `unknown ${index}`);
      expect(await controlPlane.deletedProjects([...many, deletedProject])).toEqual([deletedProject]);
      await tested.disconnect();
      await expect(controlPlane.deletedProjects([deletedProject])).rejects.toMatchObject({
        code: 'UNAVAILABLE',
      });
    });

    it('lists the projects whose events expire, with their days', async () => {
      const { controlPlane, caller } = tested;
      const projects = [{ projectId: caller.projectId, ...EXPIRY }];
      expect(await controlPlane.retentions(null)).toEqual({ projects, next: null });
      await tested.disconnect();
      await expect(controlPlane.retentions(null)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    });

    it('lists the projects whose events are exported', async () => {
      const { controlPlane, caller } = tested;
      const { projectId, projectName } = caller;
      expect(await controlPlane.exports(null)).toEqual({
        projects: [{ projectId, projectName, ...EXPORT }],
        next: null,
      });
      await tested.disconnect();
      await expect(controlPlane.exports(null)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    });

    it('removes expired events from queues, and keeps those that a run names, however often they are named', async () => {
      const { controlPlane, caller, run } = tested;
      const [expired, kept, other] = [1, 2, 3].map((version) => ({
        ...forwardedEvent(caller.projectId, version),
        arrivedAt: ARRIVED_LATE,
      }));
      await controlPlane.forwardEvents([expired!, kept!, other!]);
      const expiredEvents = [expired!, kept!].map(({ event }) => ({
        eventId: event.event_id,
        sessionId: event.session_id,
        runId: event === kept!.event ? run.id : '',
      }));
      const named = { projectId: caller.projectId, expired: expiredEvents };
      for (let time = 0; time < 2; time++) {
        expect(await controlPlane.removeExpired(named)).toEqual([kept!.event.event_id]);
        const left = [kept!, other!].map(({ event }) => event.event_id);
        expect([...(await tested.queued())].sort()).toEqual(left.sort());
      }
      expect(await controlPlane.removeExpired({ ...named, projectId: 'unknown' })).toEqual([]);
      expect(await tested.queued()).toHaveLength(2);
      await tested.disconnect();
      await expect(controlPlane.removeExpired(named)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    });

    it('responds to a check', async () => {
      await expect(tested.controlPlane.check()).resolves.toBeUndefined();
    });

    it('rejects with UNAVAILABLE, and never treats a key as unknown, while it is unreachable', async () => {
      await tested.disconnect();
      await expect(tested.controlPlane.authenticate(tested.key)).rejects.toMatchObject({
        code: 'UNAVAILABLE',
      });
      await expect(tested.controlPlane.authenticate(issuedKey('ingest').text)).rejects.toMatchObject({
        code: 'UNAVAILABLE',
      });
      await expect(tested.controlPlane.check()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    });
  });
}
