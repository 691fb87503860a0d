import type { SessionsPort, StatesPort } from '@assay/event-store';
import { portWith } from '@assay/event-store/test/port-with';
import { decodeRecord, readEvaluations } from '@assay/contracts';
import { inputFingerprint, pendingEvaluation, type Evaluation } from '@assay/domain';
import { chatCompletion } from '@assay/judges/test/fake-provider';
import { createLogger, createMetrics } from '@assay/runtime';
import { llmMetric, startFakeModel } from '../../test/judge-fixture.js';
import { storedEvent } from '../../test/metric-fixture.js';
import { ProjectMetrics } from '../definitions/project-metrics.js';
import { quietPeriod } from '../shared/quiet-period.js';
import { startWorker } from './start-worker.js';

it('uses the state of an event that was refreshed after its evaluation was decided', async () => {
  const metric = llmMetric();
  const event = storedEvent();
  const key = { projectId: event.project_id, eventId: event.event_id };
  let complete: (evaluation: Evaluation) => void;
  const completed = new Promise<Evaluation>((resolve) => (complete = resolve));
  const model = await startFakeModel([
    (response) => {
      worker.refresh([{ ...event, metrics: { quality: 0.5 } }]);
      response.end(JSON.stringify(chatCompletion('[[5]]')));
    },
  ]);
  const worker = startWorker({
    ...model.deps,
    log: {
      end: () => Promise.resolve(new Map()),
      position: () => Promise.resolve(new Map()),
      append: (records) => {
        const kinds = records.map(decodeRecord);
        const evaluations = kinds.flatMap((one) =>
          one.kind === 'evaluation' ? readEvaluations(one).evaluations : [],
        );
        for (const one of evaluations) if (one.decision !== 'pending') complete(one);
        return Promise.resolve();
      },
    },
    store: {
      states: portWith<StatesPort>({
        read: () => Promise.resolve(new Map()),
        evaluations: () => Promise.resolve(new Map()),
        pendingEvaluations: () => Promise.resolve([]),
      }),
      sessions: portWith<SessionsPort>({
        rollups: () => Promise.resolve(new Map()),
        metrics: () => Promise.resolve(new Map()),
      }),
    },
    definitions: { of: () => Promise.resolve(new ProjectMetrics([metric])) },
    waitUntilStored: () => Promise.reject(new Error('not part of the test')),
    logger: createLogger({ level: 'error', service: 'evaluator' }),
    metrics: createMetrics({ processMetrics: false }),
    maxAgeMs: 86_400_000,
    quiet: quietPeriod(1_000),
    now: () => 2_000,
  });
  const cause = { fingerprint: inputFingerprint(event), trigger: event.version, decidedAt: 1_000 };
  worker.keepOnly([0]);
  worker.accept([{ ...key, event, partition: 0, evaluations: [pendingEvaluation(metric, cause)] }]);
  expect(await completed).toMatchObject({ decision: 'not_matching', attempts: 1 });
  await worker.stop();
  await model.close();
});
