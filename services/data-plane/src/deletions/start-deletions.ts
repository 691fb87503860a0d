import type { Deletion } from '@assay/event-store';
import { makeWaitUntilStored } from '@assay/log-readers';
import type { EventLog } from '@assay/event-log';
import type { Logger } from '@assay/runtime';
import { pause, runRounds, type Rounds } from '../shared/run-rounds.js';
import { makeAdvanceDeletion, type AdvanceDeps, type DeletionPass } from './advance-deletion.js';
import { nextTurns } from './next-turns.js';

export interface DeletionsOptions {
  readonly store: AdvanceDeps['store'];
  readonly log: Pick<EventLog, 'append' | 'end' | 'position'>;
  readonly isForwarding: boolean;
  /** Whether this process does it, of several. */
  readonly isOwner: () => boolean;
  /** Stores what is read without waiting for more. */
  readonly flush: () => void;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly times?: DeletionTimes;
}

/** In milliseconds. */
export interface DeletionTimes {
  /** Between two rounds; 5 s when absent. */
  readonly everyMs?: number;
  /** Between two looks at a deletion that waits for late events or the disk; 2 minutes when absent. */
  readonly waitingEveryMs?: number;
}

const EVERY_MS = 5_000;
const WAITING_EVERY_MS = 120_000;
const STORED_WITHIN_MS = 10_000;
const POLL_MS = 50;
/** Steps of one deletion before the next one has its turn. */
const STEPS = 20;
/** Time until the next round, relative to the time that one took. */
const REST = 1;

/**
 * Makes the open deletions progress, in turn, from now on. What is left to do is what the store says, so that another process continues
 * after this one, and two that do it at the same time do no harm.
 */
export function startDeletions(options: DeletionsOptions): Rounds {
  const { isOwner, logger, times: { everyMs = EVERY_MS } = {} } = options;
  const round = makeRound(options);
  let tookMs = 0;
  return runRounds({
    round: async (signal) => {
      const startedAt = performance.now();
      tookMs = 0;
      if (isOwner()) await round(signal);
      tookMs = performance.now() - startedAt;
    },
    restMs: () => Math.max(everyMs, tookMs * REST),
    onFailure: (error) => logger.warn('deletions were not read, retrying', {}, error),
  });
}

function makeRound(options: DeletionsOptions) {
  const { store, log, now, logger, isOwner, isForwarding, flush, times = {} } = options;
  const { waitingEveryMs = WAITING_EVERY_MS } = times;
  const wait = makeWaitUntilStored({ log, now: Date.now, pollIntervalMs: POLL_MS, beforeWait: flush });
  const advance = makeAdvanceDeletion({
    ...{ store, log, now, isForwarding },
    isStored: async (end) => (await wait(end, STORED_WITHIN_MS)).current,
  });
  /** By the ids of deletions: where a pass continues. */
  const passes = new Map<string, DeletionPass>();
  /** By the ids of deletions: when they had their last turn. */
  const takenAt = new Map<string, number>();

  async function takeTurn(deletion: Deletion, signal: AbortSignal): Promise<void> {
    const { id, projectId } = deletion;
    let pass: DeletionPass = { deletion, ...pickAfter(passes.get(id)) };
    passes.delete(id);
    for (let step = 0; step < STEPS && !signal.aborted && isOwner(); step++) {
      const startedAt = performance.now();
      const { state } = pass.deletion;
      pass = await advance(pass);
      if (pass.deletion.state !== state)
        logger.info('deletion', { projectId, deletionId: id, state: pass.deletion.state });
      if (pass.after === undefined) break;
      await pause(performance.now() - startedAt, signal);
    }
    if (pass.after !== undefined) passes.set(id, pass);
  }

  return async function round(signal: AbortSignal): Promise<void> {
    const open = await store.deletions.open();
    const ids = new Set(open.map(({ id }) => id));
    for (const id of takenAt.keys()) if (!ids.has(id)) takenAt.delete(id);
    for (const deletion of nextTurns(open, takenAt, performance.now() - waitingEveryMs)) {
      const { id, projectId } = deletion;
      if (signal.aborted || !isOwner()) return;
      takenAt.set(id, performance.now());
      await takeTurn(deletion, signal).catch((error: unknown) => {
        if (!signal.aborted) logger.warn('deletion failed, retrying', { projectId, deletionId: id }, error);
      });
    }
  };
}

function pickAfter(pass: DeletionPass | undefined): Pick<DeletionPass, 'after'> {
  return pass?.after === undefined ? {} : { after: pass.after };
}
