import { decodeRecord, readEvaluationRequest } from '@assay/contracts';
import { NO_COUNTS, pendingEvaluation, type Evaluation, type EvaluationJob } from '@assay/domain';
import type { LogRecord } from '@assay/event-log';
import type { EventStore } from '@assay/event-store';
import { metricOf, storedEvent } from '../../test/metric-fixture.js';
import { runJobPage } from './job-page.js';

const CREATED_AT = 1_000_000;
const metric = metricOf('m');
const job: EvaluationJob = {
  ...{ projectId: 'p', jobId: 'j1', metricId: 'm', filters: [], from: null, to: CREATED_AT },
  ...{ createdAt: CREATED_AT, cursor: null, counts: NO_COUNTS },
};

/** Runs a page of one event that has these evaluations. */
async function runPage(...evaluations: Evaluation[]) {
  const { event_id: eventId, version: _, ...event } = storedEvent();
  const written: LogRecord[] = [];
  const store = {
    events: {
      rows: () =>
        Promise.resolve({
          rows: [{ event: { ...event, event_id: eventId }, position: { value: 1, eventId } }],
          hasMore: false,
        }),
    },
    states: {
      evaluations: () => Promise.resolve(new Map([[`p/${eventId}`, evaluations]])),
    },
  } as unknown as EventStore;
  const end = () => Promise.resolve(new Map([[0, 1]]));
  const page = await runJobPage(
    {
      log: { end, position: end, append: (records) => Promise.resolve(void written.push(...records)) },
      store,
      waitUntilStored: () => Promise.resolve({ current: true }),
      now: () => CREATED_AT,
    },
    job,
    { metric, signal: new AbortController().signal, beat: () => Promise.resolve() },
  );
  return {
    counts: page.job.counts,
    requests: written.map((one) => readEvaluationRequest(decodeRecord(one))),
  };
}

const decided = (fields: Partial<Evaluation>): Evaluation => ({
  ...pendingEvaluation(metric, { fingerprint: 'f', trigger: 10, decidedAt: CREATED_AT }),
  decision: 'scored',
  ...fields,
});
const { jobId: _jobId, ...ofEarlierRelease } = decided({});

describe('the counts of a job', () => {
  const [before, after] = [{ decidedAt: CREATED_AT - 1 }, { decidedAt: CREATED_AT + 1 }];

  test.each<[string, Evaluation, object]>([
    ['its score by a clock that is behind', decided({ jobId: 'j1', ...before }), { scored: 1 }],
    [
      'its failure by a clock that is behind',
      decided({ jobId: 'j1', decision: 'timeout', ...before }),
      { failed: 1 },
    ],
    ['an event that it has skipped', decided({ jobId: 'j1', decision: 'not_matching' }), { skipped: 1 }],
    ['a score of the arrival by a clock that is ahead', decided(after), { skipped: 1 }],
    ['a score of another job', decided({ jobId: 'j2', ...after }), { skipped: 1 }],
    ['a later score of an earlier release', { ...ofEarlierRelease, ...after }, { scored: 1 }],
    ['an earlier score of an earlier release', { ...ofEarlierRelease, ...before }, { skipped: 1 }],
  ])('contain %s', async (_, evaluation, expected) => {
    const { counts, requests } = await runPage(evaluation);
    expect(counts).toEqual({ ...NO_COUNTS, events: 1, ...expected });
    expect(requests).toEqual([{ metricId: 'm', jobId: 'j1', since: CREATED_AT }]);
  });

  it('contain the result of the version that was deployed while the evaluation waited', async () => {
    const own = { jobId: 'j1' };
    const closed = decided({ ...own, metricVersion: 'v1', decision: 'disabled' });
    const { counts } = await runPage(closed, decided({ ...own, metricVersion: 'v2' }));
    expect(counts).toEqual({ ...NO_COUNTS, events: 1, scored: 1 });
  });
});
