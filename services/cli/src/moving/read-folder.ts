import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../cli-error.js';
import { MANIFEST, readManifest, type ExportedFile, type FileKind, type Manifest } from './manifest.js';
import { valueOfLine } from './numbered-line.js';

const LF = 0x0a;

/** A folder whose files are as they were exported. */
export interface Folder {
  readonly dir: string;
  readonly manifest: Manifest;
}

/**
 * Reads every file of a folder once.
 * @throws CliError naming the file, and the line where it is one, unless the folder is a complete, unchanged export
 */
export async function checkFolder(dir: string): Promise<Folder> {
  const manifest = readManifest(dir);
  if (manifest === undefined) throw new CliError(`DIR has no ${MANIFEST}, it is not an export of Assay`);
  if (!manifest.complete)
    throw new CliError('the export in DIR is not complete, run the same `assay export` again to continue it');
  const seen = new Set<string>();
  for (const file of manifest.files) {
    if (seen.has(file.name)) throw new CliError(`${MANIFEST} lists ${file.name} twice`);
    seen.add(file.name);
    await checkFile(dir, file);
  }
  for (const [kind, count] of Object.entries(manifest.counts)) {
    const lines = manifest.files.reduce((sum, file) => sum + (file.kind === kind ? file.lines : 0), 0);
    if (lines !== count) throw new CliError(`${MANIFEST} counts ${count} ${kind}, its files have ${lines}`);
  }
  return { dir, manifest };
}

async function checkFile(dir: string, file: ExportedFile): Promise<void> {
  const hash = createHash('sha256');
  let lines = 0;
  for await (const { text, number } of linesOf(dir, file, (bytes) => hash.update(bytes))) {
    lines = number;
    const line = valueOfLine(text, number);
    if ('mistake' in line) throw new CliError(`${file.name} line ${number} ${line.mistake}`);
  }
  if (lines !== file.lines)
    throw new CliError(`${file.name} line ${lines + 1}: the file has ${lines} of ${file.lines} lines`);
  if (hash.digest('hex') !== file.sha256)
    throw new CliError(
      `${file.name} is another file than the one that ${MANIFEST} lists: its SHA-256 differs`,
    );
}

/** Yields the values of the files of a kind, in order, as JSON texts. */
export async function* valuesOf(
  { dir, manifest }: Folder,
  kind: FileKind,
): AsyncGenerator<{ readonly value: string; readonly where: string }> {
  for (const file of manifest.files) {
    if (file.kind !== kind) continue;
    for await (const { text, number } of linesOf(dir, file)) {
      const line = valueOfLine(text, number);
      if ('mistake' in line) throw new CliError(`${file.name} line ${number} ${line.mistake}`);
      yield { value: line.value, where: `${file.name} line ${number}` };
    }
  }
}

async function* linesOf(
  dir: string,
  { name }: ExportedFile,
  onBytes: (bytes: Buffer) => unknown = () => undefined,
): AsyncGenerator<{ readonly text: string; readonly number: number }> {
  const path = join(dir, name);
  if (!isFile(path)) throw new CliError(`${name} is missing in DIR`);
  let [rest, number]: [Buffer[], number] = [[], 0];
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    const bytes = chunk as Buffer;
    onBytes(bytes);
    let start = 0;
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
      const text = Buffer.concat([...rest, bytes.subarray(start, end)]).toString();
      [rest, start] = [[], end + 1];
      yield { text, number: (number += 1) };
    }
    if (start < bytes.length) rest.push(bytes.subarray(start));
  }
  if (rest.length > 0) throw new CliError(`${name} line ${number + 1} is truncated`);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
