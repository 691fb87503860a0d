import type { ControlPlane, ExportedProject } from '@assay/control-plane-client';
import { unavailable } from '@assay/errors';
import type { EventLog } from '@assay/event-log';
import { makeWaitUntilStored } from '@assay/log-readers';
import type { Logger, Metrics } from '@assay/runtime';
import { runRounds, type Rounds } from '../shared/run-rounds.js';
import { folderOf, HOUR_MS, makeExportHour, type ExportHourDeps } from './export-hour.js';
import { makeObjectExportMetrics } from './object-export-metrics.js';
import type { ObjectExportRules } from './object-export-options.js';
import { ObjectStore, reasonOf, storeError } from './object-store.js';

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
 * Exports the hours that are over, of one project after the other, at the start and then periodically. What is left to do is what has no
 * manifest, so that another process continues after this one, and two that do it at the same time do no harm.
 */
export function startObjectExport(options: ObjectExportOptions): Rounds {
  const { logger, isOwner, everyMs = EVERY_MS } = options;
  const metrics = makeObjectExportMetrics(options.metrics, options);
  const round = makeRound(options, metrics);
  let isOwning = false;
  return runRounds({
    round: async (signal) => {
      isOwning = isOwner();
      if (isOwning) await round(signal);
    },
    restMs: () => (isOwning ? everyMs : Math.min(everyMs, OWNER_CHECK_MS)),
    onFailure: (error) => {
      metrics.failed();
      logger.warn('events were not exported to the object store, retrying', reasonOf(error), error);
    },
  });
}

function makeRound(options: ObjectExportOptions, metrics: ReturnType<typeof makeObjectExportMetrics>) {
  const { controlPlane, log, now, isOwner, flush, logger } = options;
  const objects = new ObjectStore(options.objectStore);
  const wait = makeWaitUntilStored({ log, now: Date.now, pollIntervalMs: POLL_MS, beforeWait: flush });
  const exportHour = makeExportHour({ ...options, objects });
  const hours = new NextHours(objects);
  const checkConditions = makeCheckConditions(objects);

  /** Exports the first hour that is left of each project. Returns those that may have more, and whether one has failed. */
  async function exportNext(projects: readonly ExportedProject[], before: number, signal: AbortSignal) {
    const left: ExportedProject[] = [];
    let hasFailed = false;
    for (const project of projects) {
      if (signal.aborted || !isOwner()) return { left: [], hasFailed: true };
      const hour = await hours.of(project, signal);
      if (hour + HOUR_MS > before) continue;
      try {
        const exported = await exportHour(project, hour, signal);
        await hours.completed(project, hour, signal);
        if (exported) metrics.exported(exported);
        left.push(project);
      } catch (error) {
        if (signal.aborted) throw error;
        hasFailed = true;
        metrics.failed();
        const { projectId } = project;
        const fields = { projectId, hour: new Date(hour).toISOString(), ...reasonOf(error) };
        logger.warn('an hour was not exported to the object store, retrying', fields, error);
      }
    }
    return { left, hasFailed };
  }

  return async function round(signal: AbortSignal): Promise<void> {
    const projects = await readExports(controlPlane);
    hours.keep(projects);
    if (projects.length > 0) await checkConditions(signal);
    const before = now() - DELAY_MS;
    // Everything that was accepted in these hours is stored, or will have a later time.
    if (projects.length > 0 && !(await wait(log.end(), STORED_WITHIN_MS)).current)
      throw unavailable('what was accepted is not stored yet');
    let hasFailed = false;
    for (let left = projects; left.length > 0;) {
      const next = await exportNext(left, before, signal);
      left = next.left;
      hasFailed ||= next.hasFailed;
    }
    if (!hasFailed) metrics.caughtUp();
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

/** The next hour to export, by project. In the object store it is a hint: an hour that has a manifest is skipped. */
class NextHours {
  private readonly next = new Map<string, number>();

  constructor(private readonly objects: Pick<ObjectStore, 'get' | 'put'>) {}

  /** Forgets all other projects, so that one that is exported again begins with its new first hour. */
  keep(projects: readonly ExportedProject[]): void {
    const ids = new Set(projects.map(({ projectId }) => projectId));
    for (const id of this.next.keys()) if (!ids.has(id)) this.next.delete(id);
  }

  async of({ projectId, from }: ExportedProject, signal: AbortSignal): Promise<number> {
    let next = this.next.get(projectId);
    if (next === undefined) {
      const hint = Number((await this.objects.get(hintKey(projectId), signal))?.toString());
      next = Number.isSafeInteger(hint) && hint % HOUR_MS === 0 ? hint : 0;
    }
    next = Math.max(next, Date.parse(from));
    this.next.set(projectId, next);
    return next;
  }

  async completed({ projectId }: ExportedProject, hour: number, signal: AbortSignal): Promise<void> {
    this.next.set(projectId, hour + HOUR_MS);
    const options = { contentType: 'text/plain', signal };
    await this.objects.put(hintKey(projectId), Buffer.from(String(hour + HOUR_MS)), options);
  }
}

function hintKey(projectId: string): string {
  return `${folderOf(projectId)}/_next_hour`;
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
