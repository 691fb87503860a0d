import { randomUUID } from 'node:crypto';
import { startJobs, type ControlPlane } from '@assay/control-plane-client';
import { createYieldToEventLoop, runCooperatively, type Logger, type Steps } from '@assay/runtime';
import { failureReason, runBackfillPage, type BackfillDeps } from './backfill-page.js';

export interface BackfillsOptions extends BackfillDeps {
  readonly controlPlane: Pick<ControlPlane, 'addToQueue' | 'claimBackfill' | 'saveJob'>;
  /** Projects whose jobs this process runs; absent or empty: all. */
  readonly projectIds?: readonly string[];
  readonly logger: Logger;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Starts the jobs that add stored events to queues, and that no request runs. */
export function startBackfills(options: BackfillsOptions): { stop(): Promise<void> } {
  const { controlPlane, logger, now, projectIds = [] } = options;
  const runInTurns = <T>(steps: Steps<T>) => runCooperatively(steps, createYieldToEventLoop());
  return startJobs({
    claim: (claim) => controlPlane.claimBackfill(claim),
    saveJob: (progress) => controlPlane.saveJob(progress),
    runPage: async (job, context) => {
      try {
        return await runBackfillPage(options, job, { ...context, runInTurns });
      } catch (error) {
        const reason = failureReason(error);
        if (reason === undefined) throw error;
        return { job, end: { state: 'failed', reason } };
      }
    },
    owner: randomUUID(),
    projectIds,
    logger,
    now,
  });
}
