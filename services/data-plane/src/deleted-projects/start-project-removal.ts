import type { AdministrationPort } from '@assay/event-store';
import type { Logger, Metrics } from '@assay/runtime';
import { pause, runRounds, type Rounds } from '../shared/run-rounds.js';
import type { DeletedProjects } from './deleted-projects.js';

export interface ProjectRemovalOptions {
  readonly store: { readonly administration: AdministrationPort };
  readonly deletedProjects: DeletedProjects;
  /** Drops what this process has in memory of the project. */
  readonly forget: (projectId: string) => void;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly metrics: Metrics;
  /** Time between two rounds. */
  readonly everyMs: number;
}

/** Delay before the engine is asked again whether a step has ended, in milliseconds. */
const STEP_DELAY_MS = 200;
/** Steps of one project in a round; the next round continues. */
const MAX_STEPS = 3_000;

/**
 * Removes everything that the event store holds of deleted projects, at the start and then periodically. The store
 * itself names the projects that it has data of, so an interrupted removal is continued, also by another process,
 * and data that is written after a removal is removed by a later round.
 */
export function startProjectRemoval(options: ProjectRemovalOptions): Rounds {
  const { logger, everyMs } = options;
  return runRounds({
    round: makeRound(options),
    restMs: () => everyMs,
    onFailure: (error) =>
      logger.warn('events of deleted projects were not removed, retrying at the next interval', {}, error),
  });
}

function makeRound({ store, deletedProjects, forget, logger, metrics }: ProjectRemovalOptions) {
  const pending = metrics.gauge(
    'assay_deleted_projects_pending',
    'Deleted projects whose events are still in the event store',
  );
  const removed = metrics.counter(
    'assay_deleted_project_rows_removed_total',
    'Rows of deleted projects that were removed from the event store',
  );
  pending.set(0);

  /** Returns the number of removed rows; undefined when rows are left. */
  async function removeProject(projectId: string, signal: AbortSignal): Promise<number | undefined> {
    let rows = 0;
    for (let step = 0; step < MAX_STEPS && !signal.aborted; step++) {
      const outcome = await store.administration.removeProject(projectId);
      rows += outcome.rows;
      removed.inc(outcome.rows);
      if (outcome.isComplete) return rows;
      await pause(STEP_DELAY_MS, signal);
    }
    return undefined;
  }

  return async function round(signal: AbortSignal): Promise<void> {
    const deleted = await deletedProjects.update(await store.administration.projectIds());
    pending.set(deleted.length);
    for (const projectId of deleted) {
      forget(projectId);
      const rows = await removeProject(projectId, signal);
      if (rows === undefined) continue;
      pending.dec();
      logger.info('removed the events of a deleted project', { projectId, rows });
    }
  };
}
