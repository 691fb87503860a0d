import { mkdirSync, readdirSync } from 'node:fs';
import { DOCUMENT_KINDS, type DocumentKind } from '@assay/domain';
import { CliError } from '../cli-error.js';
import type { Output } from '../output.js';
import { FileWriter } from './file-writer.js';
import { FORMAT, FORMAT_VERSION, readManifest, writeManifest, type Manifest } from './manifest.js';
import { positionAfter, type EventPosition, type Project } from './project.js';
import { valuesOf } from './read-folder.js';

export interface ExportOptions {
  readonly dir: string;
  readonly project: Project;
  readonly expected: string;
  /** About how large a file becomes. */
  readonly maxFileBytes: number;
  readonly output: Output;
}

/** Documents are read before what they name, so that whatever they name is in the export too. */
const EXPORT_ORDER = [...DOCUMENT_KINDS].reverse();

/** Makes the folder of an export. @throws CliError when it has other files */
export function prepareFolder(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const isNew = readManifest(dir) === undefined;
    const others = readdirSync(dir).filter((name) => name !== '.lock' && !name.endsWith('.part'));
    if (isNew && others.length > 0) throw new CliError('DIR must be empty, or hold an export to continue');
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`DIR cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
}

/** Exports the project into the folder, or continues an export that was interrupted. */
export async function exportProject(options: ExportOptions): Promise<Manifest> {
  const { dir, project, expected } = options;
  const { id, name } = await project.identify(expected);
  const found = readManifest(dir);
  if (found && found.project.id !== id) throw new CliError('DIR holds an export of another project');
  if (found?.complete) throw new CliError('DIR holds a complete export, name another folder');
  const [first] = EXPORT_ORDER;
  const started: Manifest = found ?? {
    ...{ format: FORMAT, version: FORMAT_VERSION, complete: false, project: { id, name } },
    ...{ started_at: new Date().toISOString(), completed_at: null, counts: {}, files: [] },
    next: first === undefined ? null : { kind: first, cursor: null },
  };
  const withDocuments = await exportDocuments(options, started);
  const withEvents = await exportEvents(options, withDocuments);
  const completed = { ...withEvents, complete: true, completed_at: new Date().toISOString() };
  writeManifest(dir, completed);
  return completed;
}

async function exportDocuments(options: ExportOptions, started: Manifest): Promise<Manifest> {
  let manifest = started;
  while (manifest.next !== null) manifest = await exportDocumentFile(options, manifest, manifest.next);
  return manifest;
}

/** Writes one file of documents, from a page to a page. */
async function exportDocumentFile(
  { dir, project, maxFileBytes, output }: ExportOptions,
  manifest: Manifest,
  { kind, cursor }: NonNullable<Manifest['next']>,
): Promise<Manifest> {
  let page = await project.documents(kind, cursor);
  const writer = new FileWriter(dir, kind, nextNumber(manifest, kind));
  try {
    for (;;) {
      writer.write(page.documents.map((document) => JSON.stringify(document)));
      if (page.next_cursor === null || writer.bytes >= maxFileBytes) break;
      page = await project.documents(kind, page.next_cursor);
    }
  } catch (error) {
    writer.abandon();
    throw error;
  }
  const next = page.next_cursor === null ? kindAfter(kind) : { kind, cursor: page.next_cursor };
  const written = withFile(manifest, writer);
  output.progress(`${written.counts[kind] ?? 0} ${kind}`);
  const after = { ...written, next };
  writeManifest(dir, after);
  return after;
}

function kindAfter(kind: DocumentKind): Manifest['next'] {
  const next = EXPORT_ORDER[EXPORT_ORDER.indexOf(kind) + 1];
  return next === undefined ? null : { kind: next, cursor: null };
}

async function exportEvents(options: ExportOptions, started: Manifest): Promise<Manifest> {
  const { dir, project, maxFileBytes, output } = options;
  let manifest = started;
  let writer: FileWriter | undefined;
  const finish = () => {
    if (writer === undefined) return;
    manifest = withFile(manifest, writer);
    writer = undefined;
    writeManifest(dir, manifest);
    output.progress(`${manifest.counts.events ?? 0} events`);
  };
  try {
    for await (const batch of project.events(await positionIn({ dir, manifest }))) {
      writer ??= new FileWriter(dir, 'events', nextNumber(manifest, 'events'));
      writer.write(batch.map(({ value }) => value));
      if (writer.bytes >= maxFileBytes) finish();
    }
    finish();
  } finally {
    writer?.abandon();
  }
  return manifest;
}

/** Returns where the events of a folder end. */
async function positionIn(folder: {
  readonly dir: string;
  readonly manifest: Manifest;
}): Promise<EventPosition | undefined> {
  let position: EventPosition | undefined;
  for await (const { value } of valuesOf(folder, 'events')) {
    const { event } = JSON.parse(value) as {
      readonly event: { readonly event_id: string; readonly start_time: number };
    };
    position = positionAfter(position, [{ id: event.event_id, start: event.start_time }]);
  }
  return position;
}

function nextNumber({ files }: Manifest, kind: string): number {
  return files.filter((file) => file.kind === kind).length + 1;
}

function withFile(manifest: Manifest, writer: FileWriter): Manifest {
  const file = writer.finish();
  const count = (manifest.counts[file.kind] ?? 0) + file.lines;
  return {
    ...manifest,
    counts: { ...manifest.counts, [file.kind]: count },
    files: [...manifest.files, file],
  };
}
