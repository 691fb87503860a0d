import type { importDocuments, importEvents, ResponseOf } from '@assay/contracts';
import { DOCUMENT_KINDS, type DocumentKind } from '@assay/domain';
import { CliError } from '../cli-error.js';
import type { Output } from '../output.js';
import type { FileKind } from './manifest.js';
import type { Project } from './project.js';
import { valuesOf, type Folder } from './read-folder.js';

/** Lines and characters of one request. */
const MAX_BATCH = 250;
const MAX_BATCH_CHARS = 4 * 1024 * 1024;

export interface Imported {
  readonly added: number;
  /** What the project had already, which is unchanged. */
  readonly present: number;
}

interface Batch {
  readonly values: readonly string[];
  /** File and line of each. */
  readonly where: readonly string[];
}

/**
 * Adds what the project lacks: the events with their evaluations first, then, when nothing is decided about them any more, the
 * documents, so that neither an imported metric nor an imported queue takes an imported event for a new one.
 */
export async function importFolder(
  folder: Folder,
  project: Project,
  output: Output,
): Promise<Readonly<Record<string, Imported>>> {
  const imported: Record<string, Imported> = {};
  imported['events'] = await importEventFiles(folder, project, output);
  await project.settle();
  for (const kind of DOCUMENT_KINDS) {
    imported[kind] = await importDocumentFiles(folder, project, kind);
    output.progress(`${imported[kind].added + imported[kind].present} ${kind}`);
  }
  return imported;
}

async function importEventFiles(folder: Folder, project: Project, output: Output): Promise<Imported> {
  let [added, present] = [0, 0];
  for await (const batch of batchesOf(folder, 'events')) {
    const ids = batch.values.map(
      (value) => (JSON.parse(value) as { event: { event_id: string } }).event.event_id,
    );
    const found = await project.evaluations(ids);
    const isMissing = ids.map((id) => !found.has(id));
    const missing = {
      values: batch.values.filter((_, index) => isMissing[index]),
      where: batch.where.filter((_, index) => isMissing[index]),
    };
    if (missing.values.length > 0) await sendEvents(project, missing);
    added += missing.values.length;
    present += ids.length - missing.values.length;
    output.progress(`${added + present} of ${folder.manifest.counts.events ?? 0} events`);
  }
  return { added, present };
}

async function sendEvents(project: Project, batch: Batch): Promise<void> {
  const path = '/v1/transfers/events';
  await named(batch, () =>
    project.put<ResponseOf<typeof importEvents>>(path, `{"events":[${batch.values.join(',')}]}`),
  );
}

async function importDocumentFiles(folder: Folder, project: Project, kind: DocumentKind): Promise<Imported> {
  const total = { added: 0, present: 0 };
  for await (const batch of batchesOf(folder, kind)) {
    const body = `{"kind":"${kind}","documents":[${batch.values.join(',')}]}`;
    const { added, present } = await named(batch, () =>
      project.put<ResponseOf<typeof importDocuments>>('/v1/transfers/documents', body),
    );
    total.added += added;
    total.present += present;
  }
  return total;
}

async function* batchesOf(folder: Folder, kind: FileKind): AsyncGenerator<Batch> {
  let [values, where, chars]: [string[], string[], number] = [[], [], 0];
  for await (const one of valuesOf(folder, kind)) {
    if (values.length === MAX_BATCH || (values.length > 0 && chars + one.value.length > MAX_BATCH_CHARS)) {
      yield { values, where };
      [values, where, chars] = [[], [], 0];
    }
    values.push(one.value);
    where.push(one.where);
    chars += one.value.length;
  }
  if (values.length > 0) yield { values, where };
}

/** A message of the server names an item by its index in the request; adds its file and line. */
async function named<T>({ where }: Batch, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const [, index] = /(?:events|documents)\[(\d+)\]/.exec(error.message) ?? [];
    const line = (index !== undefined && where[Number(index)]) || `${where[0]} and the lines after it`;
    throw new CliError(`${line}: ${error.message}; run the command again to continue`);
  }
}
