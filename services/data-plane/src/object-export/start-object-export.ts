import type { ControlPlane, ExportedProject } from '@assay/control-plane-client';
import { unavailable } from '@assay/errors';
import type { EventLog } from '@assay/event-log';
import { makeWaitUntilStored } from '@assay/log-readers';
import type { Logger, Metrics } from '@assay/runtime';
import { runRounds, type Rounds } from '../shared/run-rounds.js';
import { HOUR_MS, type ExportHourDeps } from './export-hour.js';
import { makeObjectExportMetrics, type ObjectExportMetrics } from './object-export-metrics.js';
import type { ObjectExportRules } from './object-export-options.js';
import { ObjectStore, reasonOf, storeError } from './object-store.js';
import { ProjectTurns } from './project-turns.js';

export interface ObjectExportOptions extends ObjectExportRules {
  readonly store: ExportHourDeps['store'];
  readonly controlPlane: Pick<ControlPlane, 'exports'>;
  readonly log: Pick<EventLog, 'end' | 'position'>;
  /** Whether this process does it, of several. */
  readonly isOwner: () => boolean;
  /** Stores what is read without waiting for more. */
  readonly flush: () => void;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly metrics: Metrics;
  /** Unix milliseconds. */
  readonly now: () => number;
}

const EVERY_MS = 60_000;
/** Time until a process that is not the owner looks again whether it is. */
const OWNER_CHECK_MS = 1_000;
/** After the end of an hour: the clocks of processes that store may differ by less. */
const DELAY_MS = 300_000;
const STORED_WITHIN_MS = 30_000;
const POLL_MS = 50;

/**
 * Exports the hours that are over, at the start and then periodically: a file of one project after the other, so that none waits for the
 * whole hour of another. What is left to do is what has no manifest, so that another process continues after this one, and two that do it
 * at the same time do no harm.
 */
export function startObjectExport(options: ObjectExportOptions): Rounds {
  const { logger, isOwner, everyMs = EVERY_MS } = options;
  const metrics = makeObjectExportMetrics(options.metrics, options);
  const round = makeRound(options, metrics);
  let [isOwning, isMoreDue] = [false, false];
  return runRounds({
    round: async (signal) => {
      isMoreDue = false;
      isOwning = isOwner();
      if (isOwning) isMoreDue = await round(signal);
    },
    restMs: () => (isMoreDue ? 0 : isOwning ? everyMs : Math.min(everyMs, OWNER_CHECK_MS)),
    onFailure: (error) => {
      metrics.failed();
      logger.warn('events were not exported to the object store, retrying', reasonOf(error), error);
    },
  });
}

/** Returns a function that gives each project one turn, and says whether one has more to export now. */
function makeRound(options: ObjectExportOptions, metrics: ObjectExportMetrics) {
  const { controlPlane, log, now, isOwner, flush } = options;
  const objects = new ObjectStore(options.objectStore);
  const wait = makeWaitUntilStored({ log, now: Date.now, pollIntervalMs: POLL_MS, beforeWait: flush });
  const checkConditions = makeCheckConditions(objects);
  const turns = new ProjectTurns({ ...options, everyMs: options.everyMs ?? EVERY_MS, objects, metrics });
  let storedBefore = 0;

  /** Everything that was accepted before is stored, or will have a later time. */
  async function assertStored(before: number): Promise<void> {
    if (storedBefore >= before) return;
    if (!(await wait(log.end(), STORED_WITHIN_MS)).current)
      throw unavailable('what was accepted is not stored yet');
    storedBefore = before;
  }

  return async function round(signal: AbortSignal): Promise<boolean> {
    const projects = await readExports(controlPlane);
    await turns.keep(projects);
    if (projects.length > 0) await checkConditions(signal);
    const before = Math.floor((now() - DELAY_MS) / HOUR_MS) * HOUR_MS;
    if (projects.length > 0) await assertStored(before);
    let isMoreDue = false;
    for (const project of projects) {
      signal.throwIfAborted();
      if (!isOwner()) {
        await turns.keep([]);
        return false;
      }
      if (await turns.take(project, before, signal)) isMoreDue = true;
    }
    if (!isMoreDue && !turns.areFailing) metrics.caughtUp();
    return isMoreDue;
  };
}

async function readExports(controlPlane: Pick<ControlPlane, 'exports'>): Promise<readonly ExportedProject[]> {
  const projects: ExportedProject[] = [];
  for (let after: string | null = null; ;) {
    const page = await controlPlane.exports(after);
    projects.push(...page.projects);
    if (page.next === null) return projects;
    after = page.next;
  }
}

/** Returns a function that checks once that the store writes an object only if there is none: a manifest must not be replaced. */
function makeCheckConditions(objects: Pick<ObjectStore, 'put'>) {
  let isChecked = false;
  return async function checkConditions(signal: AbortSignal): Promise<void> {
    if (isChecked) return;
    const options = { contentType: 'text/plain', signal };
    await objects.put('_assay_check', Buffer.from('assay'), options);
    const second = await objects.put('_assay_check', Buffer.from('assay'), {
      ...options,
      onlyIfAbsent: true,
    });
    if (second !== 'exists')
      throw storeError('the object store must know If-None-Match', 'If-None-Match is ignored');
    isChecked = true;
  };
}
