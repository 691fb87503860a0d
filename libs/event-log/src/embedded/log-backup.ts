import { readdirSync, readFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BackupFolder } from '@assay/runtime';
import type { OpenedDirectory } from './open-directory.js';
import type { Segment } from './segments/segment.js';

/** A copy of the log that is being made. */
export interface LogBackup {
  /**
   * Adds all records until now, with the positions and dead letters of the beginning of the backup: what was read since then is read
   * again. Call it once, after the other stores are copied.
   */
  writeTo(folder: BackupFolder, name: string): Promise<void>;
  /** Lets go of the records. Idempotent. */
  end(): Promise<void>;
}

interface OpenedSegment {
  readonly name: string;
  /** Durable bytes. */
  readonly length: number;
  readonly file: FileHandle;
}

interface Taken {
  readonly positions: Buffer;
  /** What consumers have noted within the batch that they handle, by file. */
  readonly notes: ReadonlyMap<string, Buffer>;
}

/** @param release lets retention remove segments again */
export async function beginLogBackup(
  opened: OpenedDirectory,
  dir: string,
  release: () => void,
): Promise<LogBackup> {
  const letters: OpenedSegment[] = [];
  const end = async () => {
    release();
    for (const { file } of letters.splice(0)) await file.close();
  };
  try {
    const taken = await takeLetters(opened, dir, letters);
    return { end, writeTo: (folder, name) => write(opened, { ...taken, letters }, folder, name) };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Opens the segments of the letters, which may be removed afterwards. */
async function takeLetters(
  { positions, deadLetters }: OpenedDirectory,
  dir: string,
  letters: OpenedSegment[],
): Promise<Taken> {
  let taken: Taken | undefined;
  await deadLetters.exclusive(async (segments) => {
    // In one turn, so that nothing is handled in between: this is what a kill at this moment would leave.
    taken = { positions: positions.content, notes: readNotes(dir) };
    for (const { path, length } of segments.map(present))
      letters.push({ name: basename(path), length, file: await open(path, 'r') });
  });
  if (taken === undefined) throw new Error('the dead letters were not read');
  return taken;
}

function readNotes(dir: string): Map<string, Buffer> {
  const names = readdirSync(dir).filter((name) => name.startsWith('handled-'));
  return new Map(names.map((name) => [name, readFileSync(join(dir, name))]));
}

function present({ path, length }: Segment) {
  return { path, length };
}

async function write(
  { records, logId }: OpenedDirectory,
  { positions, notes, letters }: Taken & { readonly letters: readonly OpenedSegment[] },
  folder: BackupFolder,
  name: string,
): Promise<void> {
  const segments = records.kept.map(present);
  const last = segments.pop();
  for (const { path } of segments) await folder.addUnchanging(path, join(name, 'records', basename(path)));
  // It may grow, and have bytes that are not durable yet.
  if (last) await folder.addStart(last.path, join(name, 'records', basename(last.path)), last.length);
  for (const { name: file, length, file: opened } of letters)
    await folder.addOpened(opened, join(name, 'dead-letters', file), length);
  await folder.addContent(Buffer.from(logId), join(name, 'log-id'));
  await folder.addContent(positions, join(name, 'positions'));
  for (const [file, content] of notes) await folder.addContent(content, join(name, file));
}
