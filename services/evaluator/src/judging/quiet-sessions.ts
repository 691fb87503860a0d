import type { EventLog } from '@assay/event-log';
import type { Logger, Metrics } from '@assay/runtime';
import type { QuietPeriod } from '../shared/quiet-period.js';
import { HeldTasks, type HeldTasksOptions } from './held-tasks.js';
import type { Task } from './task-queue.js';
import { untilChangesAreKnown } from './until-decided.js';

export interface QuietSessionsOptions extends Omit<HeldTasksOptions, 'holdMs'> {
  readonly log: Pick<EventLog, 'end' | 'position'>;
  readonly quiet: QuietPeriod;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Aborts when the process stops. */
  readonly signal: AbortSignal;
}

/** Tasks that are held until their sessions are quiet, which they are when no change of them is on its way either. */
export class QuietSessions extends HeldTasks {
  #releasing: Promise<void> | undefined;

  constructor(private readonly sessions: QuietSessionsOptions) {
    super({ ...sessions, holdMs: sessions.quiet.holdMs });
    sessions.metrics.gauge(
      'assay_evaluations_held',
      'Evaluation tasks that this process holds until their sessions are quiet',
      [],
      (gauge) => gauge.set(this.size),
    );
  }

  /** Removes the tasks of quiet sessions and calls `onQuiet` with them; undefined when there are none, or when this is in progress. */
  release(onQuiet: (tasks: readonly Task[]) => void): Promise<void> | undefined {
    const { now, logger, signal } = this.sessions;
    const at = now();
    if (this.#releasing || !this.hasDue(at)) return undefined;
    this.#releasing = untilChangesAreKnown(this.sessions, signal)
      .then(() => onQuiet(this.takeDue(at)))
      .catch((error: unknown) => {
        if (!signal.aborted) logger.warn('sessions are not decided about yet, retrying', {}, error);
      })
      .finally(() => (this.#releasing = undefined));
    return this.#releasing;
  }
}
