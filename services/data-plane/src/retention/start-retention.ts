import type { ControlPlane, ProjectRetention } from '@assay/control-plane-client';
import type { ExpiredCursor } from '@assay/event-store';
import type { Logger, Metrics } from '@assay/runtime';
import { pause, runRounds, type Rounds } from '../shared/run-rounds.js';
import { makeExpireDeadLetters, type ExpireDeadLettersDeps } from './expire-dead-letters.js';
import { makeExpirePage, type ExpirePageDeps } from './expire-page.js';
import { ExpiryScans, type ExpiryScan } from './expiry-scans.js';
import { makeRetentionMetrics, type RetentionMetrics } from './retention-metrics.js';

export interface RetentionOptions extends ExpirePageDeps, ExpireDeadLettersDeps {
  readonly controlPlane: Pick<ControlPlane, 'retentions' | 'removeExpired'>;
  /** Whether this process does it, of several. */
  readonly isOwner: () => boolean;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly metrics: Metrics;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Time between two looks, in milliseconds; 20 s when absent. */
  readonly everyMs?: number;
  /** Time between two looks at dead letters, in milliseconds; for tests. */
  readonly deadLettersEveryMs?: number;
}

const EVERY_MS = 20_000;
/** Time until a process that is not the owner looks again whether it is. */
const OWNER_CHECK_MS = 1_000;
const DEAD_LETTERS_EVERY_MS = 3_600_000;
/** Time until the next page, relative to the time that one took. */
const REST = 4;

/**
 * Removes events whose retention is over, at the start and then periodically. What is left to do is what the store still has, so that an
 * interrupted look is continued by the next one, also of another process, and two processes that do it do no harm.
 */
export function startRetention(options: RetentionOptions): Rounds {
  const { logger, isOwner, everyMs = EVERY_MS } = options;
  const look = makeLook(options);
  return runRounds({
    round: async (signal) => {
      if (isOwner()) await look(signal);
    },
    restMs: () => (isOwner() ? everyMs : Math.min(everyMs, OWNER_CHECK_MS)),
    onFailure: (error) => logger.warn('expired events were not removed, retrying', {}, error),
  });
}

/** A pass in progress. */
interface Pass {
  readonly scan: ExpiryScan;
  readonly after?: ExpiredCursor;
  /** Totals of its pages. */
  readonly events: number;
  readonly kept: number;
  readonly searchMs: number;
}

function makeLook(options: RetentionOptions) {
  const { logger, now, isOwner, deadLettersEveryMs = DEAD_LETTERS_EVERY_MS } = options;
  const scans = new ExpiryScans();
  const metrics = makeRetentionMetrics(options.metrics, options);
  const nextPage = makeNextPage(options, { metrics, scans });
  const expireDeadLetters = makeExpireDeadLetters(options);
  let lettersAt = -Infinity;

  async function deadLetters(projects: readonly ProjectRetention[]): Promise<void> {
    if (projects.length === 0 || now() - lettersAt < deadLettersEveryMs) return;
    const letters = await expireDeadLetters(projects, now());
    lettersAt = now();
    metrics.noteDeadLetters(letters);
    if (letters > 0) logger.info('removed expired dead letters', { letters });
  }

  return async function look(signal: AbortSignal): Promise<void> {
    const projects = await readRetentions(options.controlPlane);
    // One page of each pass in turn, so that a project with much to remove does not delay the others.
    let passes: Pass[] = scans.of(projects, now()).map((scan) => ({ scan, events: 0, kept: 0, searchMs: 0 }));
    while (passes.length > 0) {
      const left: Pass[] = [];
      for (const pass of passes) {
        if (signal.aborted || !isOwner()) return;
        const { next, restMs } = await nextPage(pass);
        if (next) left.push(next);
        if (restMs > 0) await pause(restMs, signal);
      }
      passes = left;
    }
    await deadLetters(projects);
    metrics.looked();
  };
}

async function readRetentions(
  controlPlane: RetentionOptions['controlPlane'],
): Promise<readonly ProjectRetention[]> {
  const projects: ProjectRetention[] = [];
  for (let after: string | null = null; ;) {
    const page = await controlPlane.retentions(after);
    projects.push(...page.projects);
    if (page.next === null) return projects;
    after = page.next;
  }
}

interface PageParts {
  readonly metrics: RetentionMetrics;
  readonly scans: ExpiryScans;
}

/** Returns a function that makes the next step of a pass. A failure ends the pass of its project alone; the next look repeats it. */
function makeNextPage(options: RetentionOptions, { metrics, scans }: PageParts) {
  const { logger } = options;
  const expirePage = makeExpirePage(options);
  return async function nextPage(pass: Pass): Promise<{ readonly next?: Pass; readonly restMs: number }> {
    const { scan } = pass;
    const startedAt = performance.now();
    try {
      const { next, counts, searchMs } = await expirePage(scan, pass.after);
      metrics.note(counts);
      const took = performance.now() - startedAt;
      const events = pass.events + counts.events;
      const done = { scan, events, kept: pass.kept + counts.kept, searchMs: pass.searchMs + searchMs };
      if (next) return { next: { ...done, after: next }, restMs: took * REST };
      scans.completed(scan, done.searchMs);
      const { projectId } = scan;
      if (events > 0) logger.info('removed expired events', { projectId, events, kept: done.kept });
      return { restMs: counts.events > 0 ? took * REST : 0 };
    } catch (error) {
      logger.warn(
        'expired events of a project were not removed, retrying',
        { projectId: scan.projectId },
        error,
      );
      return { restMs: 0 };
    }
  };
}
