import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DOCUMENT_KINDS, type DocumentKind } from '@assay/domain';
import { CliError } from '../cli-error.js';

export const MANIFEST = 'manifest.json';
export const FORMAT = 'assay-export';
/** Raised by every change that an older command would misread. */
export const FORMAT_VERSION = 1;

/** What a file holds. */
export type FileKind = DocumentKind | 'events';

/** A file of an export that is complete. */
export interface ExportedFile {
  readonly name: string;
  readonly kind: FileKind;
  readonly lines: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** Describes an export; written after each file, so that an interrupted export continues. */
export interface Manifest {
  readonly format: typeof FORMAT;
  readonly version: number;
  /** Whether every file is there. */
  readonly complete: boolean;
  readonly project: { readonly id: string; readonly name: string };
  readonly started_at: string;
  /** When it was completed; null before. */
  readonly completed_at: string | null;
  readonly counts: Readonly<Partial<Record<FileKind, number>>>;
  readonly files: readonly ExportedFile[];
  /** Where documents continue; null when all are there. */
  readonly next: { readonly kind: DocumentKind; readonly cursor: string | null } | null;
}

/** Replaces the manifest as a whole, durably. */
export function writeManifest(dir: string, manifest: Manifest): void {
  const path = join(dir, MANIFEST);
  const file = openSync(`${path}.part`, 'w', 0o600);
  try {
    writeSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.part`, path);
}

/** Returns the manifest of a folder; undefined when there is none. @throws CliError for one of another program or a newer format */
export function readManifest(dir: string): Manifest | undefined {
  const path = join(dir, MANIFEST);
  if (!existsSync(path)) return undefined;
  const value = parsed(readFileSync(path, 'utf8'));
  if (value?.format !== FORMAT) throw new CliError(`${MANIFEST} of DIR is not that of an export of Assay`);
  if (typeof value.version !== 'number' || value.version > FORMAT_VERSION)
    throw new CliError(
      `${MANIFEST}: the format version ${String(value.version)} is newer than ${FORMAT_VERSION}, use a newer assay`,
    );
  if (!isManifest(value)) throw new CliError(`${MANIFEST} of DIR lacks fields or is truncated`);
  return value;
}

function parsed(text: string): Partial<Manifest> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    throw new CliError(`${MANIFEST} of DIR is not valid JSON`);
  }
}

const KINDS: readonly string[] = [...DOCUMENT_KINDS, 'events'];
const NAME = /^[a-z_]+-\d{6}\.ndjson$/;

function isManifest(value: Partial<Manifest>): value is Manifest {
  const { project, files, counts, complete } = value;
  const areFiles = Array.isArray(files) && (files as readonly Partial<ExportedFile>[]).every(isFile);
  const hasProject = typeof project?.id === 'string' && typeof project.name === 'string';
  return areFiles && hasProject && typeof counts === 'object' && typeof complete === 'boolean';
}

function isFile({ name, kind, lines, bytes, sha256 }: Partial<ExportedFile>): boolean {
  const hasNumbers = Number.isSafeInteger(lines) && Number.isSafeInteger(bytes);
  return hasNumbers && typeof sha256 === 'string' && NAME.test(name ?? '') && KINDS.includes(kind ?? '');
}
