import type { SessionsPort, StatesPort } from '@assay/event-store';
import { portWith } from '@assay/event-store/test/port-with';
import { randomUUID } from 'node:crypto';
import { waitFor } from '@assay/testing';
import { llmMetric, startFakeModel } from '../../test/judge-fixture.js';
import { WorkerRun } from '../../test/worker-fixture.js';

/** A scan of the store reads 2,000 evaluations of a project. */
describe.each([2_000, 2_001, 4_001])('%d evaluations of a project that wait in the store', (count) => {
  it('are all ended, each once', async () => {
    const model = await startFakeModel([]);
    const run: WorkerRun = new WorkerRun(
      {
        ...model.deps,
        store: {
          states: portWith<StatesPort>({
            // Their events were deleted, which ends an evaluation without a call.
            read: () => Promise.resolve(new Map()),
            evaluations: () => Promise.resolve(new Map()),
            pendingEvaluations: ({ perProject, limit }) => {
              const ended = new Set(run.evaluations.map(({ eventId }) => eventId));
              const pending = run.pending.filter(({ eventId }) => !ended.has(eventId));
              return Promise.resolve(pending.slice(0, Math.min(perProject, limit)));
            },
          }),
          sessions: portWith<SessionsPort>({
            rollups: () => Promise.resolve(new Map()),
            metrics: () => Promise.resolve(new Map()),
          }),
        },
      },
      llmMetric(),
    );
    run.pending = Array.from({ length: count }, () => run.row(randomUUID(), 0));
    run.worker.assigned([0]);
    await waitFor('all have ended', () => Promise.resolve(new Set(run.ended()).size === count), {
      withinMs: 30_000,
    });
    await run.worker.stop();
    expect(run.ended()).toHaveLength(count);
    await model.close();
  }, 60_000);
});
