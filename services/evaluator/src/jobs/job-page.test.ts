import type { EventsPort, StatesPort } from '@assay/event-store';
import { portWith } from '@assay/event-store/test/port-with';
import { decodeRecord, readEvaluationRequest } from '@assay/contracts';
import {
  NO_COUNTS,
  pendingEvaluation,
  sessionEvaluation,
  type Evaluation,
  type EvaluationDecision,
  type EvaluationJob,
  type EvaluationRequest,
} from '@assay/domain';
import type { LogRecord } from '@assay/event-log';
import { metricOf, storedEvent } from '../../test/metric-fixture.js';
import { runJobPage, type JobPageDeps } from './job-page.js';

const metric = metricOf('m');
const job: EvaluationJob = {
  ...{ projectId: 'p', jobId: 'j', metricId: 'm', filters: [], from: null, to: 5_000, createdAt: 1_000 },
  ...{ cursor: null, counts: NO_COUNTS },
};
const evaluation = (decision: EvaluationDecision, fields: Partial<Evaluation> = {}): Evaluation => ({
  ...pendingEvaluation(metric, { fingerprint: 'f', trigger: 10, decidedAt: 1_500 }),
  jobId: 'j',
  decision,
  ...fields,
});

/** A page of events, whose evaluations are those of each read, the last ones again and again. */
class Page {
  readonly requests: EvaluationRequest[] = [];
  reads = 0;
  beats = 0;
  onBeat = () => Promise.resolve();

  constructor(
    private readonly evaluations: readonly Readonly<Record<string, readonly Evaluation[]>>[],
    private readonly options: { readonly hasMore?: boolean; readonly isStored?: boolean } = {},
  ) {}

  run(from: EvaluationJob = job) {
    const beat = () => {
      this.beats++;
      return this.onBeat();
    };
    return runJobPage(this.#deps(), from, { metric, beat, signal: new AbortController().signal });
  }

  #deps(): JobPageDeps {
    const { hasMore = false, isStored = true } = this.options;
    const ids = Object.keys(this.evaluations[0] ?? {});
    const rows = ids.map((eventId, index) => ({
      event: storedEvent({ event_id: eventId }),
      position: { value: 4_000 - index, eventId },
      payloadBytes: 0,
    }));
    return {
      log: {
        append: (records) => Promise.resolve(this.#keep(records)),
        end: () => Promise.resolve(new Map([[0, 5]])),
        position: () => Promise.resolve(new Map([[0, 5]])),
      },
      store: {
        events: portWith<EventsPort>({
          rows: () => Promise.resolve({ rows, hasMore }),
        }),
        states: portWith<StatesPort>({
          evaluations: () => {
            const found = this.evaluations[Math.min(this.reads++, this.evaluations.length - 1)] ?? {};
            return Promise.resolve(new Map(Object.entries(found).map(([id, list]) => [`p/${id}`, list])));
          },
        }),
      },
      waitUntilStored: () => Promise.resolve(isStored ? { current: true } : { current: false, waitedMs: 0 }),
      now: () => 2_000,
    };
  }

  #keep(records: readonly LogRecord[]): void {
    for (const record of records.map(decodeRecord)) this.requests.push(readEvaluationRequest(record));
  }
}

describe('a page of a job', () => {
  it('asks for each event once, and counts the results that it has asked for', async () => {
    const page = new Page([
      {
        scored: [evaluation('scored')],
        failed: [evaluation('error')],
        late: [evaluation('timeout')],
        arrival: [evaluation('scored', { jobId: '' })],
        none: [],
      },
    ]);
    const result = await page.run({ ...job, counts: { events: 10, scored: 1, failed: 2, skipped: 7 } });
    expect(result).toMatchObject({
      job: {
        counts: { events: 15, scored: 2, failed: 4, skipped: 9 },
        cursor: { value: 3_996, eventId: 'none' },
      },
      isLast: true,
    });
    expect(page.requests).toEqual(
      Array.from({ length: 5 }, () => ({ metricId: 'm', jobId: 'j', since: 1_000 })),
    );
  });

  it('counts the newest evaluation of an event, and those of its metric only', async () => {
    const page = new Page([
      {
        one: [evaluation('error', { trigger: 11 }), evaluation('scored', { trigger: 12 })],
        two: [evaluation('error', { metricId: 'another' })],
      },
    ]);
    expect((await page.run()).job.counts).toMatchObject({ events: 2, scored: 1, failed: 0, skipped: 1 });
  });

  it('waits until no evaluation is pending, and shows that it works', async () => {
    const page = new Page([{ one: [evaluation('pending')] }, { one: [evaluation('scored')] }], {
      hasMore: true,
    });
    expect(await page.run()).toMatchObject({ job: { counts: { scored: 1 } }, isLast: false });
    expect([page.reads, page.beats]).toEqual([2, 1]);
  });

  it('does not wait for a session that did not match and is decided about when it is quiet', async () => {
    const waiting = sessionEvaluation(metric, { fingerprint: 'f', trigger: 11, decidedAt: 1_500 });
    const page = new Page([{ one: [waiting], two: [evaluation('scored')] }]);
    expect((await page.run()).job.counts).toMatchObject({ events: 2, scored: 1, failed: 0, skipped: 1 });
    expect(page.reads).toBe(1);
  });

  it('ends when the job has ended, and counts nothing', async () => {
    const page = new Page([{ one: [evaluation('pending')] }]);
    page.onBeat = () => Promise.reject(new Error('the job has ended'));
    await expect(page.run()).rejects.toThrow('the job has ended');
    expect(page.reads).toBe(1);
  });

  it('is repeated when the decisions are not stored in time', async () => {
    const page = new Page([{ one: [evaluation('scored')] }], { isStored: false });
    await expect(page.run()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('keeps the cursor and waits for nothing when no event is left', async () => {
    const page = new Page([{}]);
    const cursor = { value: 3, eventId: 'last' };
    expect(await page.run({ ...job, cursor })).toEqual({ job: { ...job, cursor }, isLast: true });
    expect([page.requests, page.beats]).toEqual([[], 0]);
  });
});
