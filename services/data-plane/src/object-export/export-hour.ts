import { randomUUID } from 'node:crypto';
import type { ExportedProject } from '@assay/control-plane-client';
import { toWireEvent, type Event } from '@assay/domain';
import type { EventsPort, SessionsPort, UnreadEvent } from '@assay/event-store';
import { makeReadParts } from '../events/read-parts.js';
import { pause } from '../shared/run-rounds.js';
import type { ExportFile, ExportFileType } from './export-file.js';
import { LINES_FILE } from './lines-file.js';
import { sha256Of, type ObjectStore } from './object-store.js';
import { PARQUET_FILE } from './parquet-file.js';

export interface ExportHourDeps {
  readonly store: {
    readonly events: EventsPort;
    readonly sessions: SessionsPort;
  };
  readonly objects: Pick<ObjectStore, 'get' | 'put' | 'delete'>;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly maxFileBytes?: number | undefined;
}

/** A file that a manifest names. */
interface ManifestFile {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** What is exported of an hour. */
export interface ExportManifest {
  readonly version: 1;
  readonly project_id: string;
  readonly format: ExportedProject['format'];
  /** Events that were stored or changed from then on, and before `to`. */
  readonly from: string;
  readonly to: string;
  readonly exported_at: string;
  /** Identifies the attempt that wrote it, which the names of the files contain. */
  readonly attempt: string;
  readonly rows: number;
  readonly files: readonly ManifestFile[];
}

/** Absent: another process has exported the hour. */
export type ExportedHour = Pick<ExportManifest, 'rows' | 'files'> | undefined;

export const HOUR_MS = 3_600_000;
const TYPES: Readonly<Record<ExportedProject['format'], ExportFileType>> = {
  parquet: PARQUET_FILE,
  ndjson: LINES_FILE,
};
const EVENTS_PER_PAGE = 5_000;
const MAX_FILE_BYTES = 32 * 1024 ** 2;
const MAX_FILE_ROWS = 100_000;
/** Time until the next part is read, relative to the time that one took. */
const REST = 1;

/** Returns the beginning of the keys of what is exported of a project. Readers take its parts for columns: this one is in the files, too. */
export function folderOf(projectId: string): string {
  return `project_id=${projectId}`;
}

/**
 * Returns a function that exports what was stored or changed in an hour of a project, and stops after each file, so that other projects
 * have a turn: in between it holds the names of its files alone. The manifest is last, and only one can be written. So an hour is
 * exported once, by the attempt that writes its manifest, and files of an attempt that was killed are named by none.
 */
export function makeExportHour(deps: ExportHourDeps) {
  const { objects, now, maxFileBytes = MAX_FILE_BYTES } = deps;
  const addEvents = makeAddEvents(deps);

  return async function* exportHour(
    project: ExportedProject,
    hour: number,
    signal: AbortSignal,
  ): AsyncGenerator<undefined, ExportedHour> {
    const [date, time] = [
      new Date(hour).toISOString().slice(0, 10),
      new Date(hour).toISOString().slice(11, 13),
    ];
    const folder = `${folderOf(project.projectId)}/date=${date}/hour=${time}`;
    const manifestKey = `${folder}/manifest.json`;
    if ((await objects.get(manifestKey, signal)) !== undefined) return undefined;
    const attempt = randomUUID();
    const files = new ExportedFiles({
      ...{ objects, folder, attempt, signal, maxFileBytes },
      type: TYPES[project.format],
    });
    let isWhole = false;
    try {
      for (let after: UnreadEvent | undefined; ;) {
        after = await addEvents(files, project, { hour, after }, signal);
        await files.close();
        if (after === undefined) break;
        yield undefined;
      }
      isWhole = true;
    } finally {
      if (!isWhole && !signal.aborted) await files.remove();
    }
    const manifest: ExportManifest = {
      ...{ version: 1, project_id: project.projectId, format: project.format },
      from: new Date(hour).toISOString(),
      to: new Date(hour + HOUR_MS).toISOString(),
      exported_at: new Date(now()).toISOString(),
      ...{ attempt, rows: files.rows, files: files.written },
    };
    const body = Buffer.from(`${JSON.stringify(manifest, undefined, 1)}\n`);
    const options = { contentType: 'application/json', onlyIfAbsent: true, signal };
    // After a failure the manifest may be there, so that its files stay.
    if ((await objects.put(manifestKey, body, options)) === 'written') return manifest;
    const present = await objects.get(manifestKey, signal);
    // The response to an earlier attempt of the request was lost.
    if (present?.includes(attempt)) return manifest;
    await files.remove();
    return undefined;
  };
}

interface Position {
  readonly hour: number;
  /** The last event that was added; absent: none was. */
  readonly after: UnreadEvent | undefined;
}

/** Reads the events that were stored or changed in an hour, a few megabytes at a time, and rests in between. */
function makeAddEvents({ store }: Pick<ExportHourDeps, 'store'>) {
  const readParts = makeReadParts({ store });

  /** Adds events until they fill a file. Returns the last one; undefined when none is left. */
  return async function addEvents(
    files: ExportedFiles,
    { projectId, projectName }: ExportedProject,
    { hour, after }: Position,
    signal: AbortSignal,
  ): Promise<UnreadEvent | undefined> {
    const range = { from: hour / 1_000, to: (hour + HOUR_MS) / 1_000, limit: EVENTS_PER_PAGE };
    const sent = files.written.length;
    for (let last = after; ;) {
      const page = await store.events.storedEvents(projectId, { ...range, after: last }, { signal });
      let startedAt = performance.now();
      for await (const events of readParts(projectId, page, { signal })) {
        for (const event of events) await files.add(event, projectName);
        const location = files.written.length > sent ? locationOf(events, page) : undefined;
        if (location !== undefined) return location;
        await pause((performance.now() - startedAt) * REST, signal);
        signal.throwIfAborted();
        startedAt = performance.now();
      }
      if (page.length < EVENTS_PER_PAGE) return undefined;
      last = page.at(-1);
    }
  };
}

/** The last one of these events in their page, of which they are the next part in any order. */
function locationOf(events: readonly Event[], page: readonly UnreadEvent[]): UnreadEvent | undefined {
  const ids = new Set(events.map(({ event_id }) => event_id));
  return page.findLast(({ eventId }) => ids.has(eventId));
}

interface FilesOptions {
  readonly objects: ExportHourDeps['objects'];
  readonly folder: string;
  readonly attempt: string;
  readonly type: ExportFileType;
  readonly signal: AbortSignal;
  readonly maxFileBytes: number;
}

/** The files of one attempt, of which one is in memory. */
class ExportedFiles {
  readonly written: ManifestFile[] = [];
  rows = 0;
  private file: ExportFile | undefined;
  private fileRows = 0;

  constructor(private readonly options: FilesOptions) {}

  async add(event: Event, projectName: string): Promise<void> {
    this.file ??= this.options.type.create();
    await this.file.add(toWireEvent(event, { name: projectName }));
    this.rows++;
    this.fileRows++;
    if (this.file.size >= this.options.maxFileBytes || this.fileRows >= MAX_FILE_ROWS) await this.close();
  }

  /** Sends the file in memory, if there is one. */
  async close(): Promise<void> {
    if (this.file === undefined) return;
    const { objects, folder, attempt, type, signal } = this.options;
    const body = await this.file.finish();
    const number = String(this.written.length).padStart(5, '0');
    const name = `part-${number}-${attempt}.${type.extension}`;
    const sha256 = await sha256Of(body);
    this.written.push({ name, rows: this.fileRows, bytes: body.length, sha256 });
    [this.file, this.fileRows] = [undefined, 0];
    await objects.put(`${folder}/${name}`, body, { contentType: type.contentType, sha256, signal });
  }

  /** Deletes what was sent, where possible: no manifest names it. */
  async remove(): Promise<void> {
    const { objects, folder, signal } = this.options;
    for (const { name } of this.written)
      await objects.delete(`${folder}/${name}`, signal).catch(() => undefined);
  }
}
