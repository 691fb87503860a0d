import {
  awaitsQuiet,
  evaluationAfter,
  pendingEvaluation,
  requestedEvaluation,
  sessionEvaluation,
  unmatchedEvaluation,
  type DeployedMetric,
  type SessionTotals,
} from '@assay/domain';
import { startFakeModel, type FakeModel } from '../../test/judge-fixture.js';
import { metricOf, storedEvent } from '../../test/metric-fixture.js';
import { TaskRun } from '../../test/task-fixture.js';

const filters = {
  filterArray: [
    { field: 'event_type', operator: 'is', value: 'session', type: 'string' },
    { field: 'metadata.num_errors', operator: 'is', value: 0, type: 'number' },
  ],
};
const child_metrics = [{ name: 'a', weight: 1 }];
const metric = metricOf('calm', { type: 'COMPOSITE', criteria: 'maximum', child_metrics, filters });
const CAUSE = { fingerprint: '', trigger: 10, decidedAt: 1_000 };
const totals = (numErrors: number): SessionTotals => ({
  ...{ numEvents: 2, numModelEvents: 0, numErrors, hasFeedback: false },
  ...{ cost: 0, unpricedModels: [], promptTokens: 0, completionTokens: 0, totalTokens: 0 },
});

describe('a session whose events decide whether a metric evaluates it', () => {
  let model: FakeModel;
  beforeAll(async () => {
    model = await startFakeModel([]);
  });
  afterAll(() => model.close());
  const runOf = (numErrors: number, of: DeployedMetric = metric) => {
    const run = new TaskRun(model.deps, [of]);
    run.event = storedEvent({ event_type: 'session', metrics: { calm: 9 } });
    run.totals = totals(numErrors);
    run.scores = [{ a: 3 }, { a: 5 }];
    return run;
  };
  const waiting = sessionEvaluation(metric, CAUSE);
  const again = evaluationAfter(pendingEvaluation(metric, CAUSE), waiting);

  it('is scored when it matches, and not written again when that changes nothing', async () => {
    const run = runOf(0);
    await run.run(waiting);
    expect(run.evaluations).toMatchObject([{ decision: 'scored', value: 4 }]);
    expect(run.patches).toEqual([{ metrics: { calm: 4 } }]);
    run.event = { ...run.event, metrics: { calm: 4 } };
    await run.run(again);
    expect(run.patches).toHaveLength(1);
  });

  it('ends with the reason when it does not match', async () => {
    const run = runOf(1);
    await run.run(waiting);
    expect(run.patches).toEqual([]);
    expect(run.evaluations).toMatchObject([
      { decision: 'not_matching', reason: 'the session did not match the filters when it had been quiet' },
    ]);
  });

  it('loses the score of a composite whose children have none any more, and keeps that of a client', async () => {
    const run = runOf(0);
    run.scores = [];
    await run.run(waiting);
    expect([run.patches, run.evaluations.at(-1)]).toMatchObject([[], { reason: 'no child has a score' }]);
    await run.run({
      ...again,
      reason: evaluationAfter({ ...waiting, decision: 'scored', reason: '' }, waiting).reason,
    });
    expect(run.patches).toEqual([{ metrics: { calm: null } }]);
  });

  it('waits after a job that it does not match, unless the metric is off', async () => {
    const asked = requestedEvaluation(metric, { ...CAUSE, jobId: 'j1' });
    const run = runOf(1);
    await run.run(asked);
    const [later] = run.evaluations;
    expect(later).toMatchObject({ decision: 'pending', trigger: 11, jobId: '' });
    expect(later && awaitsQuiet(later)).toBe(true);
    const off = runOf(1, { ...metric, enabled_in_prod: false });
    await off.run(asked);
    expect(off.evaluations).toEqual([
      { ...unmatchedEvaluation(asked), decidedAt: expect.any(Number) as number },
    ]);
  });
});
