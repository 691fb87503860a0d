import {
  decodeRecord,
  encodeRecord,
  readEvaluationRequest,
  readEvaluations,
  type RecordKind,
} from '@assay/contracts';
import { emptyEvent, type DeployedMetric, type Event, type JsonObject } from '@assay/domain';
import type { ConsumedRecord, LogRecord } from '@assay/event-log';
import type { ChangeFlags, EventKey, EventState, SessionsPort, StatesPort } from '@assay/event-store';
import { portWith } from '@assay/event-store/test/port-with';
import { encodeEventRow } from '@assay/event-rows';
import { eventKey } from '@assay/log-readers';
import { metricOf } from '../../test/metric-fixture.js';
import { ProjectMetrics } from '../definitions/project-metrics.js';
import { quietPeriod } from '../shared/quiet-period.js';
import { makeDecideBatch } from './decide-batch.js';

const idOf = (digit: string) => `${digit.repeat(8)}-1111-5111-8111-111111111111`;
const [EVENT, A, B, C] = ['e', 'a', 'b', 'c'].map(idOf) as [string, string, string, string];
const whole = metricOf('whole', {
  ...{ type: 'COMPOSITE', criteria: 'weighted sum', child_metrics: [{ name: 'rating', weight: 1 }] },
  filters: { filterArray: [{ field: 'event_type', operator: 'is', value: 'session', type: 'string' }] },
});

/** A store whose events the test sets, and what deciding about a batch has appended. */
class Decisions {
  readonly events = new Map<string, Event & { version: number }>();
  readonly formerSessions = new Map<string, readonly string[]>();
  readonly moved = new Map<string, string>();
  evaluations = new Map<string, ReturnType<typeof readEvaluations>['evaluations']>();
  readonly patches: [string, JsonObject][] = [];
  /** Sessions whose changes were reported. */
  readonly reports: string[] = [];
  /** Of these, those that are about scores alone. */
  readonly scoreReports: string[] = [];
  now = 1_000;
  readonly #metrics: ProjectMetrics;

  constructor(...metrics: DeployedMetric[]) {
    this.#metrics = new ProjectMetrics(metrics.length > 0 ? metrics : [whole]);
  }

  put(eventId: string, session_id: string, fields: Partial<Event> = {}): this {
    const ids = { project_id: 'p', event_id: eventId, session_id };
    const event_type = eventId === session_id ? 'session' : 'model';
    this.events.set(eventId, { ...emptyEvent(), ...ids, event_type, ...fields, version: 10 });
    return this;
  }

  readonly #deciding = makeDecideBatch({
    log: {
      end: () => Promise.resolve(new Map()),
      append: (written) => Promise.resolve(this.#keep(written)),
    },
    store: {
      states: portWith<StatesPort>({
        read: (keys) => Promise.resolve(this.#found(keys, (id) => this.#stateOf(id))),
        sizes: (keys) => Promise.resolve(this.#found(keys, () => 1)),
        evaluations: (keys) => Promise.resolve(this.#found(keys, (id) => this.evaluations.get(id))),
        sessionsOfEvents: (keys) => Promise.resolve(this.#found(keys, (id) => this.formerSessions.get(id))),
        changeFlags: (keys) => Promise.resolve(this.#found(keys, (id) => this.#flagsOf(id))),
      }),
      sessions: portWith<SessionsPort>({
        metrics: (keys) => Promise.resolve(this.#found(keys, (id) => this.#metricsOf(id))),
      }),
    },
    definitions: { of: () => Promise.resolve(this.#metrics) },
    waitUntilStored: () => Promise.resolve({ current: true }),
    refresh: () => undefined,
    accept: () => undefined,
    now: () => this.now,
    quiet: quietPeriod(1_000),
  });

  async decide(...records: LogRecord[]): Promise<void> {
    await this.#deciding.decideBatch(
      records.map((record, offset): ConsumedRecord => ({ ...record, partition: 0, offset, appendedAt: 1 })),
    );
  }

  #found<T>(keys: readonly EventKey[], valueOf: (eventId: string) => T | undefined): Map<string, T> {
    return new Map(
      keys.flatMap((key) => {
        const value = valueOf(key.eventId);
        return value === undefined ? [] : [[eventKey(key), value] as const];
      }),
    );
  }

  #stateOf(eventId: string): EventState | undefined {
    const event = this.events.get(eventId);
    return event && { event };
  }

  #metricsOf(sessionId: string): JsonObject[] {
    return [...this.events.values()]
      .filter(({ session_id }) => session_id === sessionId)
      .map(({ metrics }) => metrics);
  }

  #flagsOf(eventId: string): ChangeFlags | undefined {
    const movedTo = this.moved.get(eventId);
    return movedTo === undefined ? undefined : { deleted: false, movedTo };
  }

  #keep(written: readonly LogRecord[]): void {
    for (const record of written.map(decodeRecord))
      if (record.kind === 'evaluation')
        this.evaluations.set(record.eventId, readEvaluations(record).evaluations);
      else if (record.kind === 'evaluation-request') {
        this.reports.push(record.eventId);
        if (readEvaluationRequest(record).ofScores) this.scoreReports.push(record.eventId);
      } else this.patches.push([record.eventId, JSON.parse(record.value.toString()) as JsonObject]);
  }
}

function recordOf(kind: RecordKind, eventId: string, value: object | Buffer = Buffer.alloc(0)): LogRecord {
  const bytes = Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value));
  return encodeRecord({ kind, projectId: 'p', eventId, fresh: false, value: bytes });
}

const scored = (value: number | null) => ({ metrics: { whole: value } });

describe('a composite of a session', () => {
  const metrics = { rating: 2 };

  it('is computed for both sessions of a move, and for those that follow in a chain', async () => {
    const decisions = new Decisions().put(A, A).put(B, B).put(C, C).put(EVENT, C, { metrics });
    decisions.moved.set(B, C);
    await decisions.decide(recordOf('move', A, { to: B }));
    expect(decisions.patches).toEqual([[C, scored(2)]]);
    decisions.patches.length = 0;
    decisions.put(EVENT, A, { metrics });
    await decisions.decide(recordOf('move', A, { to: B }));
    expect(decisions.patches).toEqual([[A, scored(2)]]);
  });

  it('ends without a score when its last child leaves, and changes no other score', async () => {
    const decisions = new Decisions().put(A, A).put(B, B).put(EVENT, A, { metrics });
    await decisions.decide(recordOf('patch', EVENT, {}));
    decisions.put(A, A, scored(2)).put(B, B, scored(7)).put(EVENT, B, { metrics });
    await decisions.decide(recordOf('move', A, { to: B }));
    expect(decisions.patches.slice(1)).toEqual(
      expect.arrayContaining([
        [A, scored(null)],
        [B, scored(2)],
      ]),
    );
    expect(decisions.patches).toHaveLength(3);
    expect(decisions.evaluations.get(A)).toMatchObject([{ decision: 'not_matching', value: null }]);
    decisions.put(A, A, scored(null)).put(B, B, scored(2));
    await decisions.decide(...decisions.patches.map(([id]) => recordOf('patch', id, {})));
    expect(decisions.patches).toHaveLength(3);
  });

  it('keeps a score that it has not computed', async () => {
    const decisions = new Decisions().put(A, A, scored(7));
    await decisions.decide(recordOf('patch', A, {}));
    expect(decisions.patches).toEqual([]);
  });

  it('is computed without an event that was deleted', async () => {
    const decisions = new Decisions().put(A, A, scored(5)).put(C, A, { metrics });
    decisions.formerSessions.set(EVENT, [A]);
    await decisions.decide(recordOf('delete', EVENT));
    expect(decisions.patches).toEqual([[A, scored(2)]]);
  });

  it('is computed for the session that an event was created in and has left', async () => {
    const decisions = new Decisions().put(A, A, scored(5)).put(B, B).put(C, A, { metrics });
    decisions.put(EVENT, B, { metrics });
    const row = encodeEventRow({ ...emptyEvent(), project_id: 'p', event_id: EVENT, session_id: A });
    await decisions.decide(recordOf('event', EVENT, row));
    expect(new Map(decisions.patches)).toEqual(
      new Map([
        [A, scored(2)],
        [B, scored(2)],
      ]),
    );
  });

  it('is computed once for all records of a batch', async () => {
    const decisions = new Decisions().put(A, A).put(EVENT, A, { metrics });
    decisions.formerSessions.set(C, [A]);
    const created = Array.from({ length: 300 }, (_, index) => {
      const id = `${String(index).padStart(8, '0')}-1111-4111-8111-111111111111`;
      decisions.put(id, A, { metrics: { other: 1 } });
      return recordOf('patch', id, {});
    });
    await decisions.decide(recordOf('delete', C), ...created, recordOf('move', B, { to: A }));
    expect(decisions.patches).toEqual([[A, scored(2)]]);
  });

  it('is computed because of a score, which leads to no other evaluation of the session', async () => {
    const decisions = new Decisions(whole, metricOf('judge')).put(A, A).put(EVENT, A, { metrics });
    await decisions.decide(recordOf('patch', EVENT, { metrics }));
    expect(decisions.patches).toEqual([[A, scored(2)]]);
    expect(decisions.evaluations.get(A)).toMatchObject([{ metricId: 'whole', decision: 'scored' }]);
    expect(decisions.evaluations.get(EVENT)).toBeUndefined();
  });

  it('is not affected by the move of a parent', async () => {
    const decisions = new Decisions().put(A, A).put(EVENT, A, { metrics });
    await decisions.decide(recordOf('move', A, { to: B, sessions: [A] }));
    expect(decisions.patches).toEqual([]);
  });
});

describe('a change of the events of a session, which decide whether a metric evaluates it', () => {
  const filters = { filterArray: [{ field: 'metadata.num_events', operator: 'exists', type: 'string' }] };
  const open = () => new Decisions(metricOf('many', { filters })).put(A, A).put(EVENT, A);

  it('is reported to the process that decides about the session, once in a step', async () => {
    const decisions = open();
    await decisions.decide(recordOf('patch', EVENT, {}));
    decisions.now += 99;
    await decisions.decide(recordOf('patch', EVENT, {}));
    expect(decisions.reports).toEqual([A]);
    decisions.now += 1;
    await decisions.decide(recordOf('patch', EVENT, {}));
    expect(decisions.reports).toEqual([A, A]);
    expect(decisions.evaluations.size).toBe(0);
  });

  it('is not a score, which is reported for composites alone, and covers no other change', async () => {
    const score = recordOf('patch', EVENT, { metrics: { x: 1 } });
    const judged = open();
    await judged.decide(score);
    expect(judged.reports).toEqual([]);
    const child_metrics = [{ name: 'x', weight: 1 }];
    const combines = { type: 'COMPOSITE', criteria: 'maximum', child_metrics, filters } as const;
    const combined = new Decisions(metricOf('many', { filters }), metricOf('best', combines))
      .put(A, A)
      .put(EVENT, A);
    await combined.decide(score, score);
    expect([combined.reports, combined.scoreReports]).toEqual([[A], [A]]);
    await combined.decide(recordOf('patch', EVENT, {}));
    await combined.decide(score);
    expect([combined.reports, combined.scoreReports]).toEqual([[A, A], [A]]);
    combined.now += 100;
    await combined.decide(score, recordOf('patch', A, { metrics: { own: 1 } }));
    expect(combined.reports).toHaveLength(2);
    await combined.decide(recordOf('patch', EVENT, {}), recordOf('patch', A, { metrics: { own: 1 } }));
    expect([combined.reports, combined.scoreReports]).toEqual([[A, A, A], [A]]);
  });

  it('makes the evaluation of the session wait', async () => {
    const decisions = open();
    await decisions.decide(recordOf('evaluation-request', A, { metricId: '', since: 1 }));
    expect(decisions.evaluations.get(A)).toMatchObject([
      { metricId: 'many', decision: 'pending', reason: 'decided when the session has been quiet for a time' },
    ]);
    expect(decisions.reports).toEqual([]);
  });

  it('is a deleted, a created and a moved event', async () => {
    const decisions = open().put(B, B).put(C, C);
    decisions.formerSessions.set(EVENT, [B]);
    await decisions.decide(recordOf('delete', EVENT));
    const row = encodeEventRow({ ...emptyEvent(), project_id: 'p', event_id: EVENT, session_id: C });
    await decisions.decide(recordOf('event', EVENT, row));
    expect(new Set(decisions.reports)).toEqual(new Set([A, B, C]));
  });

  it('is neither the request of a job nor what the session itself changes', async () => {
    const decisions = open();
    await decisions.decide(recordOf('evaluation-request', EVENT, { metricId: 'many', since: 1 }));
    await decisions.decide(recordOf('evaluation-request', A, { metricId: 'other', since: 1 }));
    expect([decisions.reports, decisions.evaluations.get(A)]).toEqual([[], undefined]);
    await decisions.decide(recordOf('patch', EVENT, {}), recordOf('patch', A, {}));
    expect(decisions.reports).toEqual([]);
    expect(decisions.evaluations.get(A)).toHaveLength(1);
  });
});
