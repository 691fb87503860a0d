import { randomBytes } from 'node:crypto';
import {
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { AppError, unavailable } from '@assay/errors';
import { systemCode } from '../files/file-system.js';
import { isRunning, isVisible, ownIdentity, type ProcessIdentity } from './process-identity.js';

/** An owner in another namespace counts as ended when its heartbeat is older than this. */
const STALE_MS = 30_000;
const HEARTBEAT_MS = 5_000;
const OWNER = /^owner-[0-9a-f]{16}$/;
const openHere = new Set<string>();

export interface LockOptions {
  readonly staleMs?: number;
  readonly heartbeatMs?: number;
}

/** An exclusive lock on a directory. */
export interface DirectoryLock {
  /**
   * @throws AppError `UNAVAILABLE` when another process took the directory over, because this one stood still
   * for too long
   */
  assertHeld(): void;
  release(): void;
}

/**
 * Takes the directory for this process: two writers would give the same offsets to different records.
 *
 * Each owner has a symbolic link with a random name, whose target says which process it is. Creating one is atomic and needs no
 * disk block. An owner first creates its link and then looks for others, so of two that start together at least one sees the
 * other. A link is removed only by its owner or when its owner is gone, and never names a later owner.
 * @throws AppError `CONFLICT` when another process, or another open log of this one, has the directory
 */
export function lockDirectory(dir: string, options: LockOptions = {}): DirectoryLock {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const path = realpathSync(dir);
  if (openHere.has(path)) throw inUse(path, process.pid);
  const own = ownIdentity();
  const name = `owner-${randomBytes(8).toString('hex')}`;
  symlinkSync(toText(own), join(path, name));
  try {
    removeStaleOwners(path, name, own, options.staleMs ?? STALE_MS);
  } catch (error) {
    unlinkSync(join(path, name));
    throw error;
  }
  return new HeldLock(path, name, options);
}

class HeldLock implements DirectoryLock {
  private readonly heartbeat: NodeJS.Timeout;
  private lastBeat = performance.now();
  private lost = false;

  constructor(
    private readonly dir: string,
    private readonly name: string,
    private readonly options: LockOptions,
  ) {
    openHere.add(dir);
    this.heartbeat = setInterval(() => this.beat(), options.heartbeatMs ?? HEARTBEAT_MS);
    this.heartbeat.unref();
  }

  assertHeld(): void {
    if (performance.now() - this.lastBeat > (this.options.staleMs ?? STALE_MS) / 2) this.beat();
    if (this.lost) throw unavailable('another process took over the directory of the event log');
  }

  release(): void {
    clearInterval(this.heartbeat);
    openHere.delete(this.dir);
    try {
      unlinkSync(join(this.dir, this.name));
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error;
    }
  }

  private beat(): void {
    const now = new Date();
    try {
      lutimesSync(join(this.dir, this.name), now, now);
      this.lastBeat = performance.now();
    } catch (error) {
      if (systemCode(error) === 'ENOENT') this.lost = true;
    }
  }
}

function removeStaleOwners(dir: string, ownName: string, own: ProcessIdentity, staleMs: number): void {
  for (const name of readdirSync(dir)) {
    if (!OWNER.test(name) || name === ownName) continue;
    const path = join(dir, name);
    if (!isGone(path, own, staleMs)) throw inUse(dir, visibleOwner(path, own));
    unlinkUnlessMissing(path);
  }
}

function isGone(path: string, own: ProcessIdentity, staleMs: number): boolean {
  try {
    const other = fromText(readlinkSync(path));
    // A link of this process without an open log is left over from a log that could not remove it.
    if (other && isVisible(own, other))
      return (other.pid === own.pid && other.start === own.start) || !isRunning(other);
    return Date.now() - lstatSync(path).mtimeMs > staleMs;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return true;
    throw error;
  }
}

/** Returns the id of the owner's process, where it means something to this process. */
function visibleOwner(path: string, own: ProcessIdentity): number | undefined {
  try {
    const other = fromText(readlinkSync(path));
    return other && isVisible(own, other) ? other.pid : undefined;
  } catch {
    return undefined;
  }
}

function unlinkUnlessMissing(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

function toText({ boot, namespace, pid, start }: ProcessIdentity): string {
  return `${boot}:${namespace}:${pid}:${start}`;
}

function fromText(text: string): ProcessIdentity | undefined {
  const [boot, namespace, pid, start] = text.split(':');
  if (boot === undefined || namespace === undefined || pid === undefined || start === undefined)
    return undefined;
  return { boot, namespace, pid: Number(pid), start };
}

/** The event log is a folder of the data folder. */
function inUse(dir: string, processId?: number): AppError {
  const owner = processId === undefined ? 'another process' : `process ${processId}`;
  return new AppError(
    'CONFLICT',
    `the folder ${dir} is in use by ${owner}: stop it, or set ASSAY_DATA_DIR to another folder`,
  );
}
