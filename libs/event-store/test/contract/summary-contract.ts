import { randomUUID } from 'node:crypto';
import type { Event } from '@assay/domain';
import type { SessionsPort } from '../../src/event-store.js';
import {
  SUMMARY_LIMITS,
  type DayCount,
  type EventStore,
  type SessionSummary,
} from '../../src/event-store.js';
import { batchOf, newProject, NEW_YEAR, rowOf, sampleEvent, writeEvents } from '../event-fixture.js';

const DAY = 86_400_000;
const MAX_VERSION = Number.MAX_SAFE_INTEGER;

/** Summaries of sessions, and the lists of sessions. */
export function summaryContract(store: () => EventStore): void {
  const newSession = () => ({ project_id: newProject(), session_id: randomUUID() });
  type Session = ReturnType<typeof newSession>;

  const summaryOf = async ({ project_id: projectId, session_id: eventId }: Session) =>
    (await store().sessions.summaries([{ projectId, eventId }])).get(`${projectId}/${eventId}`);
  const locationOf = (event: Event) => ({
    projectId: event.project_id,
    eventId: event.event_id,
    sessionId: event.session_id,
    startTime: event.start_time,
  });
  const sessionRow = (session: Session, fields: Partial<Event> = {}) =>
    sampleEvent({
      ...session,
      event_id: session.session_id,
      event_type: 'session',
      event_name: 'chat',
      ...fields,
    });

  const dayOf = (day: string, counts: Partial<DayCount>): DayCount => ({
    day,
    events: 0,
    modelEvents: 0,
    errors: 0,
    promptTokens: 0,
    completionTokens: 0,
    totalTokens: 0,
    cost: 0,
    unpricedModels: [],
    ...counts,
  });

  it('counts the visible events by type, name, day and error, and reads the row of the session', async () => {
    const session = newSession();
    await writeEvents(store(), [
      sessionRow(session, { start_time: NEW_YEAR - 5, end_time: null }),
      sampleEvent({
        ...session,
        event_name: 'ask',
        metadata: { cost: 0.5, prompt_tokens: 3, total_tokens: 4 },
      }),
      sampleEvent({
        ...session,
        event_name: 'ask',
        start_time: NEW_YEAR + DAY,
        end_time: NEW_YEAR + DAY,
        metadata: { completion_tokens: 7 },
      }),
      sampleEvent({ ...session, event_type: 'tool', event_name: 'look', error: 'no' }),
      sampleEvent({ ...session, event_type: 'chain', event_name: 'ask', end_time: null }),
    ]);
    expect(await summaryOf(session)).toEqual({
      watermark: '20',
      rows: 5,
      session: { name: 'chat', source: 'test', startTime: NEW_YEAR - 5, endTime: null, origin: 'sent' },
      numEvents: 4,
      numModelEvents: 2,
      numToolEvents: 1,
      numChainEvents: 1,
      numErrors: 1,
      firstStart: NEW_YEAR,
      lastEnd: NEW_YEAR + DAY,
      names: [
        { eventType: 'model', eventName: 'ask', count: 2 },
        { eventType: 'chain', eventName: 'ask', count: 1 },
        { eventType: 'tool', eventName: 'look', count: 1 },
      ],
      metrics: [],
      runIds: [],
      days: [
        dayOf('2026-01-02', {
          events: 1,
          modelEvents: 1,
          completionTokens: 7,
          cost: null,
          unpricedModels: ['m'],
        }),
        dayOf('2026-01-01', {
          events: 3,
          modelEvents: 1,
          errors: 1,
          cost: 0.5,
          promptTokens: 3,
          totalTokens: 4,
        }),
      ],
    });
  });

  it('adds up the numbers among metrics, of the session and its events, also zeros and keys such as __proto__', async () => {
    const session = newSession();
    const metrics = JSON.parse(
      '{"__proto__":2,"a.b":-1,"text":"x","none":null,"deep":{"a":1},"ok":true}',
    ) as Event['metrics'];
    await writeEvents(store(), [
      sessionRow(session, { metrics: { zero: 0 } }),
      sampleEvent({ ...session, metrics }),
      sampleEvent({ ...session, metrics: { 'a.b': 3.5, zero: 0, ok: false } }),
    ]);
    expect((await summaryOf(session))?.metrics).toEqual([
      { name: '__proto__', count: 1, sum: 2, min: 2, max: 2 },
      { name: 'a.b', count: 2, sum: 2.5, min: -1, max: 3.5 },
      { name: 'ok', count: 2, sum: 1, min: 0, max: 1 },
      { name: 'zero', count: 2, sum: 0, min: 0, max: 0 },
    ]);
  });

  it('bounds its lists', async () => {
    const session = newSession();
    const events = Array.from({ length: 400 }, (_, n) =>
      sampleEvent({
        ...session,
        event_name: `${'n'.repeat(300)}${n}`,
        start_time: NEW_YEAR + n * DAY,
        metadata: { run_id: `r${n}` },
        metrics: { [`m${n}`]: n },
      }),
    );
    await writeEvents(store(), [...events, sampleEvent({ ...session, event_name: 'rare' })]);
    const { names, metrics, runIds, days } = (await summaryOf(session))!;
    expect([metrics.length, runIds.length, days.length]).toEqual([
      SUMMARY_LIMITS.metrics,
      SUMMARY_LIMITS.runIds,
      SUMMARY_LIMITS.days,
    ]);
    expect(names).toEqual([
      { eventType: 'model', eventName: 'n'.repeat(200), count: 400 },
      { eventType: 'model', eventName: 'rare', count: 1 },
    ]);
    expect(days[0]?.day).toBe('2027-02-04');
  });

  it('is the newest state of each event, whose watermark grows with every change and with nothing else', async () => {
    const session = newSession();
    const { project_id: projectId } = session;
    const [one, other] = [sampleEvent(session), sampleEvent(session)];
    const seen: (SessionSummary | undefined)[] = [await summaryOf(session)];
    const write = async (batch: Parameters<typeof batchOf>[0]) => {
      await store().writer.write(batchOf(batch));
      seen.push(await summaryOf(session));
    };
    await write({ rows: [rowOf(one, 10)] });
    await write({ rows: [rowOf(other, 3)] });
    await write({ rows: [rowOf({ ...one, event_name: 'changed' }, 11)] });
    await write({ rows: [rowOf(one, 10), rowOf(other, 3)] });
    await write({ tombstones: [{ ...locationOf(other), version: 12 }] });
    await write({ tombstones: [{ ...locationOf(one), version: MAX_VERSION }] });
    expect(seen.map((summary) => summary && [summary.numEvents, BigInt(summary.watermark)])).toEqual([
      undefined,
      [1, 11n],
      [2, 15n],
      [2, 16n],
      [2, 16n],
      [1, 25n],
      [0, 2n ** 53n + 13n],
    ]);
    expect(seen[4]?.names).toEqual(seen[3]?.names);
    const keys = [one, other].map(({ event_id: eventId }) => ({ projectId, eventId }));
    expect([...(await store().states.sessionsOfEvents(keys)).values()]).toEqual([
      [session.session_id],
      [session.session_id],
    ]);
  });

  it('adds up by day what the visible model events of a project report, also what the index lacks', async () => {
    const session = newSession();
    const { project_id } = session;
    const leaves = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`leaf${n}`, 'x'.repeat(9)]));
    const usage = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11, cost: 0.25 };
    const [replaced, deleted] = [
      sampleEvent({ ...session, metadata: usage }),
      sampleEvent({ ...session, metadata: usage }),
    ];
    await writeEvents(store(), [
      sessionRow(session, { start_time: NEW_YEAR, metadata: usage }),
      sampleEvent({ ...session, metadata: { ...leaves, ...usage } }),
      sampleEvent({ ...session, event_type: 'tool', error: 'no', metadata: usage }),
      sampleEvent({ ...session, start_time: NEW_YEAR + DAY - 1, metadata: usage }),
      sampleEvent({ ...session, start_time: NEW_YEAR + DAY, metadata: usage }),
      sampleEvent({ ...session, start_time: NEW_YEAR + 2 * DAY, metadata: usage }),
      sampleEvent({ ...newSession(), metadata: usage }),
    ]);
    await store().writer.write(batchOf({ rows: [rowOf(replaced, 1), rowOf(deleted, 2)] }));
    await store().writer.write(
      batchOf({
        rows: [rowOf({ ...replaced, metadata: { cost: 1 } }, 3)],
        tombstones: [{ ...locationOf(deleted), version: 4 }],
      }),
    );
    const first = dayOf('2026-01-01', {
      events: 4,
      modelEvents: 3,
      errors: 1,
      promptTokens: 20,
      completionTokens: 2,
      totalTokens: 22,
      cost: 1.5,
    });
    const other = dayOf('2026-01-02', {
      events: 1,
      modelEvents: 1,
      promptTokens: 10,
      completionTokens: 1,
      totalTokens: 11,
      cost: 0.25,
    });
    const days = { first: '2026-01-01', last: '2026-01-02' };
    expect(await store().aggregates.usageByDay(project_id, days)).toEqual([
      { ...first, sessions: 1 },
      { ...other, sessions: 0 },
    ]);
    const { days: ofSession } = (await summaryOf(session))!;
    expect(ofSession).toEqual([{ ...other, day: '2026-01-03' }, other, first]);
    expect(
      await store().aggregates.usageByDay(project_id, { first: '2025-01-01', last: '2025-12-31' }),
    ).toEqual([]);
  });

  it('has no cost of a day on which a model event reports tokens alone, and names the models', async () => {
    const session = newSession();
    const leaves = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`leaf${n}`, 'x'.repeat(9)]));
    const call = (metadata: Event['metadata'], config: Event['config'], fields: Partial<Event> = {}) =>
      sampleEvent({ ...session, metadata, config, ...fields });
    const later = { start_time: NEW_YEAR + DAY };
    await writeEvents(store(), [
      call({ prompt_tokens: 1, cost: 1 }, { model: 'a' }),
      call({ total_tokens: 1 }, { model: 'openrouter/vendor/B-2026-01-31' }),
      call({ completion_tokens: 1, cost: 'none' }, { model: 'b' }),
      call({ prompt_tokens: 1 }, {}),
      call({}, { model: 'without-tokens' }),
      call({ prompt_tokens: 1 }, { model: 'no-call' }, { event_type: 'tool' }),
      call({ prompt_tokens: 1, cost: 0 }, { model: 'free' }, later),
      call({ ...leaves, prompt_tokens: 1, cost: '0.5' }, { model: 'index-incomplete' }, later),
    ]);
    const unknown = { cost: null, unpricedModels: ['b', 'unknown'] };
    const [first, second] = await store().aggregates.usageByDay(session.project_id, {
      first: '2026-01-01',
      last: '2026-01-02',
    });
    expect([first, second]).toMatchObject([unknown, { cost: 0.5, unpricedModels: [] }]);
    const { days } = (await summaryOf(session))!;
    expect(days).toMatchObject([{ cost: 0.5, unpricedModels: [] }, unknown]);
  });

  it('returns all sessions that an event has been in, and no summary of a session in another project', async () => {
    const [from, to] = [newSession(), randomUUID()];
    const event = sampleEvent(from);
    await writeEvents(store(), [event]);
    await store().writer.write(
      batchOf({
        rows: [rowOf({ ...event, session_id: to }, 1)],
        tombstones: [{ ...locationOf(event), version: MAX_VERSION }],
      }),
    );
    const key = { projectId: from.project_id, eventId: event.event_id };
    const found = await store().states.sessionsOfEvents([key, { ...key, eventId: randomUUID() }]);
    expect([...found].map(([name, sessions]) => [name, [...sessions].sort()])).toEqual([
      [`${key.projectId}/${key.eventId}`, [from.session_id, to].sort()],
    ]);
    expect(await summaryOf(from)).toMatchObject({ numEvents: 0, session: undefined });
    expect(await summaryOf({ ...from, session_id: to })).toMatchObject({ numEvents: 1 });
    expect(await summaryOf({ project_id: newProject(), session_id: to })).toBeUndefined();
  });

  it('lists sessions by their start, newest first, in pages, with filters', async () => {
    const project_id = newProject();
    const sessions = Array.from({ length: 9 }, (_, n) =>
      sessionRow(
        { project_id, session_id: randomUUID() },
        { start_time: NEW_YEAR + Math.floor(n / 3) * DAY, source: n % 2 === 0 ? 'even' : 'odd' },
      ),
    );
    const member = sampleEvent({
      project_id,
      session_id: sessions[4]!.session_id,
      metadata: { run_id: 'run-1' },
    });
    await writeEvents(store(), [...sessions, member, sessionRow(newSession())]);
    const wanted = [...sessions]
      .sort((a, b) => b.start_time - a.start_time || (a.session_id < b.session_id ? 1 : -1))
      .map((session) => session.session_id);
    const pages: string[] = [];
    for (let after: Awaited<ReturnType<SessionsPort['list']>>[number] | undefined; ;) {
      const page = await store().sessions.list(project_id, { limit: 2, after });
      if (page.length === 0) break;
      pages.push(...page.map(({ sessionId }) => sessionId));
      after = page.at(-1);
    }
    expect(pages).toEqual(wanted);
    const list = async (query: object) =>
      (await store().sessions.list(project_id, { limit: 100, ...query })).map(({ sessionId }) => sessionId);
    expect(await list({ source: 'odd' })).toHaveLength(4);
    expect(await list({ from: NEW_YEAR + DAY, to: NEW_YEAR + DAY })).toEqual(wanted.slice(3, 6));
    expect(await list({ runs: { runId: 'run-1', sessionIds: [] } })).toEqual([member.session_id]);
  });
}
