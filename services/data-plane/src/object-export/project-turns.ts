import type { ExportedProject } from '@assay/control-plane-client';
import type { Logger } from '@assay/runtime';
import { folderOf, HOUR_MS, makeExportHour, type ExportedHour, type ExportHourDeps } from './export-hour.js';
import type { ObjectExportMetrics } from './object-export-metrics.js';
import { reasonOf, type ObjectStore } from './object-store.js';

export interface ProjectTurnsOptions extends ExportHourDeps {
  readonly objects: ObjectStore;
  readonly metrics: ObjectExportMetrics;
  readonly logger: Pick<Logger, 'warn'>;
  /** Time in which a project has no turn after a failure, in milliseconds. */
  readonly everyMs: number;
}

/** An hour of a project of which files were sent. */
interface OpenHour {
  readonly hour: number;
  readonly files: AsyncGenerator<undefined, ExportedHour>;
}

/** Turns of projects, in each of which one file is exported. */
export class ProjectTurns {
  private readonly hours: NextHours;
  private readonly exportHour: ReturnType<typeof makeExportHour>;
  private readonly open = new Map<string, OpenHour>();
  /** Of projects whose last turn has failed; milliseconds since the start of the process. */
  private readonly retryAt = new Map<string, number>();

  constructor(private readonly options: ProjectTurnsOptions) {
    this.hours = new NextHours(options.objects);
    this.exportHour = makeExportHour(options);
  }

  /** Whether the last turn of a project has failed. */
  get areFailing(): boolean {
    return this.retryAt.size > 0;
  }

  /** Ends what was begun of all other projects. One that is exported again begins with its new first hour. */
  async keep(projects: readonly ExportedProject[]): Promise<void> {
    const ids = new Set(projects.map(({ projectId }) => projectId));
    this.hours.keep(ids);
    for (const id of this.retryAt.keys()) if (!ids.has(id)) this.retryAt.delete(id);
    for (const [id, { files }] of this.open) {
      if (ids.has(id)) continue;
      this.open.delete(id);
      await files.return(undefined);
    }
  }

  /** Exports a file of the first hour that is left and ends by this time. Returns whether there may be more to export. */
  async take(project: ExportedProject, before: number, signal: AbortSignal): Promise<boolean> {
    const { projectId } = project;
    if ((this.retryAt.get(projectId) ?? 0) > performance.now()) return false;
    const hour = this.open.get(projectId)?.hour ?? (await this.hours.of(project, signal));
    if (hour + HOUR_MS > before) return false;
    const { files } = this.open.get(projectId) ?? { files: this.exportHour(project, hour, signal) };
    this.open.set(projectId, { hour, files });
    try {
      const turn = await files.next();
      if (turn.done === true) await this.complete(project, hour, turn.value, signal);
      this.retryAt.delete(projectId);
      return true;
    } catch (error) {
      this.open.delete(projectId);
      if (signal.aborted) throw error;
      this.fail(projectId, hour, error);
      return false;
    }
  }

  private async complete(
    project: ExportedProject,
    hour: number,
    exported: ExportedHour,
    signal: AbortSignal,
  ): Promise<void> {
    this.open.delete(project.projectId);
    await this.hours.completed(project, hour, signal);
    if (exported) this.options.metrics.exported(exported);
  }

  private fail(projectId: string, hour: number, error: unknown): void {
    const { metrics, logger, everyMs } = this.options;
    metrics.failed();
    this.retryAt.set(projectId, performance.now() + everyMs);
    const fields = { projectId, hour: new Date(hour).toISOString(), ...reasonOf(error) };
    logger.warn('an hour was not exported to the object store, retrying', fields, error);
  }
}

/** The next hour to export, by project. In the object store it is a hint: an hour that has a manifest is skipped. */
class NextHours {
  private readonly next = new Map<string, number>();

  constructor(private readonly objects: Pick<ObjectStore, 'get' | 'put'>) {}

  /** Forgets all other projects. */
  keep(ids: ReadonlySet<string>): void {
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
