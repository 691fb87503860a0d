import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { compile, internalApi } from '@assay/contracts';
import type { Caller } from '@assay/domain';

/** Whom a key belongs to, and when the control plane last confirmed it (Unix milliseconds). */
export interface Known {
  readonly caller: Caller;
  readonly confirmedAt: number;
}

/** The content of the file: no text of a key, only its HMAC under a salt that is stored in this file only. */
export interface Snapshot {
  readonly salt: Buffer;
  readonly known: ReadonlyMap<string, Known>;
}

export type Warn = (message: string, cause?: unknown) => void;

const FORMAT = 1;

/** Reads the snapshot in this folder. Without one, or with a warning when it is unreadable, returns a new, empty snapshot. */
export function readSnapshot(dir: string, warn: Warn): Snapshot {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    return parseSnapshot(readFileSync(pathIn(dir), 'utf8'));
  } catch (cause) {
    if (!isMissing(cause)) warn('ignoring the unreadable key snapshot', cause);
    return { salt: randomBytes(32), known: new Map() };
  }
}

/** Replaces the file atomically, readable by this user only: a reader sees the old content or the new one. */
export async function writeSnapshot(dir: string, snapshot: Snapshot): Promise<void> {
  const known = [...snapshot.known].map(([digest, { caller, confirmedAt }]) => ({
    digest,
    caller,
    confirmedAt,
  }));
  const text = JSON.stringify({ format: FORMAT, salt: snapshot.salt.toString('base64'), known });
  const unfinished = `${pathIn(dir)}.new`;
  const file = await open(unfinished, 'w', 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, pathIn(dir));
}

function parseSnapshot(text: string): Snapshot {
  const { format, salt, known } = JSON.parse(text) as { format: unknown; salt: unknown; known: unknown };
  if (format !== FORMAT || typeof salt !== 'string' || !Array.isArray(known))
    throw new Error('not a snapshot of this format');
  const bytes = Buffer.from(salt, 'base64');
  if (bytes.length !== 32) throw new Error('the salt must have 32 bytes');
  return { salt: bytes, known: new Map(known.map(parseEntry)) };
}

const checkCaller = compile(internalApi.caller, 'caller');

function parseEntry(entry: unknown): [string, Known] {
  const { digest, caller, confirmedAt } = entry as Record<string, unknown>;
  if (typeof digest !== 'string' || typeof confirmedAt !== 'number')
    throw new Error('an entry must have a digest and a time');
  return [digest, { caller: checkCaller(caller), confirmedAt }];
}

function pathIn(dir: string): string {
  return join(dir, 'known-keys.json');
}

function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
}
