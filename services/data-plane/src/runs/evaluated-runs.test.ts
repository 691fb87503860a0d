import { randomUUID } from 'node:crypto';
import { pendingEvaluation, type EvaluationDecision, type Event } from '@assay/domain';
import { aRule, aRun, serveRuns, type ServedRuns } from '../../test/run-fixture.js';
import { CALLER } from '../../test/stored-events.js';

const DATAPOINTS = 12;
const CURRENT = { current: true } as const;
const BEHIND = { current: false, waitedMs: 1 } as const;

const scoresOf = (decision: string): Record<string, number> =>
  decision === 'scored' ? { accuracy: 0.5 } : {};

/** Runs whose metric `accuracy` is evaluated by the product. */
describe('a run that evaluators score', () => {
  let served: ServedRuns;
  let oldId: string;
  beforeAll(async () => {
    served = await serveRuns();
    served.metrics.push(aRule('accuracy', { threshold: { min: 0.1 } }));
    oldId = await addRun(() => 'scored').then(({ runId }) => runId);
  });
  beforeEach(() => (served.decided = () => CURRENT));
  afterAll(() => served.stop());

  let trigger = 1;
  const write = async (event: Event, decision: EvaluationDecision) => {
    const metric = { id: 'm1', version: 'v1', name: 'accuracy' };
    const cause = { fingerprint: 'f', trigger: trigger++, decidedAt: 1 };
    const evaluation = { ...pendingEvaluation(metric, cause), decision };
    const key = { projectId: CALLER.projectId, eventId: event.event_id, logPartition: 0 };
    await served.store.writer.writeEvaluations([{ ...evaluation, ...key }], randomUUID());
  };

  /** Stores a run with one event for each datapoint; scored ones have a score. */
  async function addRun(decisionOf: (index: number) => EvaluationDecision | 'none') {
    const run = aRun();
    served.runs.set(run.run_id, run);
    const decisions = Array.from({ length: DATAPOINTS }, (_, index) => decisionOf(index));
    const events = await served.add(
      decisions.map((decision, index) => ({
        ...{ session_id: randomUUID(), event_type: 'chain' as const, event_name: 'answer' },
        metadata: { run_id: run.run_id, datapoint_id: `d${index}` },
        metrics: scoresOf(decision),
      })),
    );
    for (const [index, event] of events.entries()) {
      const decision = decisions[index];
      if (decision !== undefined && decision !== 'none') await write(event, decision);
    }
    return { runId: run.run_id, events };
  }

  const result = (runId: string) => served.call(`/v1/runs/${runId}/result`);
  const gate = (runId: string, headers: Record<string, string> = {}) =>
    served.call(`/v1/runs/${runId}/gate`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ against: oldId }),
    });

  it('is no success when its metric failed on every datapoint', async () => {
    const { runId } = await addRun((index) => (index === 0 ? 'timeout' : 'error'));
    const { body } = await result(runId);
    expect(body).toMatchObject({
      ...{ success: false, passed: [], error: '12 evaluations failed' },
      evaluations: { accuracy: { scored: 0, failed: 11, timed_out: 1, pending: 0, skipped: 0 } },
    });
    expect(body['failed']).toHaveLength(DATAPOINTS);
    const { body: gated } = await gate(runId);
    expect(gated).toMatchObject({ outcome: 'fail', reasons: [{ metric_name: 'accuracy', errors: 12 }] });
    const { body: overview } = await served.call('/v1/runs/summaries', {
      method: 'POST',
      body: JSON.stringify({ run_ids: [runId, oldId] }),
    });
    expect(overview['summaries']).toMatchObject([
      { passed: 0, failed: 12 },
      { passed: 12, failed: 0 },
    ]);
  });

  it('says what is pending, and passes no gate until it is scored', async () => {
    const { runId, events } = await addRun((index) => (index < 2 ? 'pending' : 'scored'));
    const { body, headers } = await result(runId);
    expect([headers.get('assay-freshness'), body['success'], body['error']]).toEqual([
      'pending-evaluations',
      false,
      '2 evaluations are pending',
    ]);
    const waiting = await gate(runId, { Prefer: 'wait=1' });
    expect(waiting.headers.get('assay-freshness')).toBe('pending-evaluations');
    expect(waiting.body).toMatchObject({
      outcome: 'undecided',
      pending: 2,
      freshness: 'pending-evaluations',
    });
    const compared = await served.call(`/v1/runs/${runId}/compare/${oldId}`);
    expect(compared.headers.get('assay-freshness')).toBe('pending-evaluations');
    expect(compared.body).toMatchObject({
      new_evaluations: { accuracy: { pending: 2, scored: 10 } },
      metrics: [{ paired: 10, only_old: 2, missing: 2 }],
    });

    let looks = 0;
    const scoreLater = async () => {
      for (const event of events.slice(0, 2)) await write(event, 'not_matching');
    };
    let scoring: Promise<void> | undefined;
    served.decided = () => {
      if (++looks === 3) scoring = scoreLater();
      return CURRENT;
    };
    const settled = await gate(runId, { Prefer: 'wait=20' });
    await scoring;
    expect(settled.headers.get('assay-freshness')).toBe('current');
    expect(settled.body).toMatchObject({ outcome: 'undecided', pending: 0, reasons: [{ missing: 2 }] });
  });

  it('passes no gate while the evaluators have not seen its events', async () => {
    const { runId } = await addRun(() => 'scored');
    expect((await gate(runId)).body).toMatchObject({ outcome: 'pass', freshness: 'current' });
    const waits: number[] = [];
    served.decided = (maxWaitMs) => {
      waits.push(maxWaitMs);
      return BEHIND;
    };
    const { body, headers } = await gate(runId, { Prefer: 'wait=1' });
    expect(headers.get('assay-freshness')).toBe('pending-evaluations');
    expect(body).toMatchObject({ outcome: 'undecided', pending: 0 });
    expect(Math.max(...waits)).toBeLessThanOrEqual(1_000);
    const read = await result(runId);
    expect(read.body).toMatchObject({
      success: false,
      error: 'the evaluators have not seen all events of the run yet',
    });
    served.metrics[0] = aRule('accuracy', { type: 'HUMAN' });
    expect((await gate(runId)).body['outcome']).toBe('pass');
    served.metrics[0] = aRule('accuracy', { threshold: { min: 0.1 } });
  });

  it('passes no gate without the events of a session that it lists', async () => {
    const { runId } = await addRun(() => 'scored');
    const run = served.runs.get(runId);
    if (run) served.runs.set(runId, { ...run, event_ids: [randomUUID()] });
    expect((await gate(runId)).body).toMatchObject({
      outcome: 'undecided',
      reasons: [{ reason: '1 sessions that the new run lists have no events' }, { outcome: 'pass' }],
    });
  });
});
