import { sessionEvaluation } from '@assay/domain';
import { waitFor } from '@assay/testing';
import { startFakeModel, type FakeModel } from '../../test/judge-fixture.js';
import { metricOf } from '../../test/metric-fixture.js';
import { WorkerRun } from '../../test/worker-fixture.js';
import type { NewWork } from '../shared/work-item.js';

const EVENT_ID = '11111111-1111-4111-8111-111111111111';
const metric = metricOf('m', {
  ...{ type: 'COMPOSITE', criteria: 'maximum', child_metrics: [{ name: 'a', weight: 1 }] },
  filters: { filterArray: [{ field: 'duration', operator: 'not exists', type: 'number' }] },
});

describe('the worker of a process, of a session', () => {
  let model: FakeModel;
  let run: WorkerRun;
  let time: number;
  let handled: number;
  let polls: number;
  beforeEach(async () => {
    [time, handled, polls] = [10_000, 7, 0];
    model = await startFakeModel([]);
    run = new WorkerRun(
      {
        ...model.deps,
        now: () => time,
        log: {
          ...{ end: () => Promise.resolve(new Map([[0, 7]])), append: (records) => run.append(records) },
          position: () => {
            polls++;
            return Promise.resolve(new Map([[0, handled]]));
          },
        },
      },
      metric,
    );
    run.worker.keepOnly([0]);
  });
  afterEach(async () => {
    await run.worker.stop();
    await model.close();
  });
  /** An evaluation of the session after a change at a time. */
  const work = (decidedAt: number): NewWork => {
    const { evaluations: _, ...item } = run.work(EVENT_ID, 0);
    return { ...item, evaluations: [sessionEvaluation(metric, { fingerprint: '', trigger: 10, decidedAt })] };
  };
  const held = () => run.gauge('assay_evaluations_held');
  const isEnded = () => Promise.resolve(run.ended().length === 1);

  it('holds the evaluation until it is quiet and no change of it is on its way', async () => {
    handled = 6;
    run.worker.accept([work(time)]);
    await waitFor('it is held', async () => (await held()) === 1);
    expect(polls).toBe(0);
    time += 1_200;
    await waitFor('the log is not decided about', () => Promise.resolve(polls > 2));
    expect([await held(), run.ended()]).toEqual([1, []]);
    handled = 7;
    await waitFor('it has ended', isEnded);
    expect(await held()).toBe(0);
  });

  it('continues an evaluation that waits in the store, immediately when the session is quiet by then', async () => {
    const [evaluation] = work(time - 5_000).evaluations;
    run.pending = [{ ...evaluation!, projectId: 'p', eventId: EVENT_ID, logPartition: 0 }];
    run.worker.assigned([0]);
    await waitFor('it has ended', isEnded);
  });
});
