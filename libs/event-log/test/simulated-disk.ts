import { dirname } from 'node:path';
import { env as environment } from 'node:process';
import type { FileSystem, OpenFile, OpenMode } from '../src/embedded/files/file-system.js';

/** What happens to a call: an error, or a write that stores half of its bytes and reports that. */
export type Fault = 'ENOSPC' | 'EIO' | 'short';
export type FaultPlan = (call: string) => Fault | undefined;

const PAGE_BYTES = 4096;

type Change =
  | { readonly kind: 'write'; readonly position: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly length: number };

/** A file as the running system sees it, and what of it is on the disk. */
class Inode {
  cached = Buffer.alloc(0);
  durable = Buffer.alloc(0);
  /** Changes since the last sync, in order. */
  pending: Change[] = [];

  change(change: Change): void {
    this.cached = apply(this.cached, change);
    this.pending.push(change);
  }

  /** What a crash leaves: each page of each change since the last sync may have been written. */
  settle(random: () => number): void {
    for (const change of this.pending.flatMap(pagesOf))
      if (random() < 0.5) this.durable = apply(this.durable, change);
    this.pending = [];
  }
}

/** Directory entries change in order: a crash keeps the first of those that were not synced. */
type EntryChange = (entries: Map<string, Inode>) => void;

/**
 * A disk in memory that fails on demand and crashes: what was not synced is then lost, in part or completely.
 * After a failed sync the lost pages count as clean, as on Linux: a later sync does not write them.
 */
export class SimulatedDisk {
  /** Decides about each call; undefined while the disk works. */
  plan: FaultPlan | undefined;
  calls = 0;
  private entries = new Map<string, Inode>();
  private durableEntries = new Map<string, Inode>();
  private pendingEntries: { readonly dir: string; readonly change: EntryChange }[] = [];
  private generation = 0;

  constructor(private readonly random: () => number) {}

  /** The file system of a process that runs until the next crash. */
  mount(): FileSystem {
    const { generation } = this;
    const call = <T>(name: string, work: (fault: Fault | undefined) => T): Promise<T> =>
      new Promise((resolve, reject) => {
        setImmediate(() => {
          try {
            resolve(this.run(generation, name, work));
          } catch (error) {
            reject(error instanceof Error ? error : new Error('unknown failure'));
          }
        });
      });
    return {
      createDirectory: () => Promise.resolve(),
      list: (dir) => call('list', () => this.list(dir)),
      open: (path, mode) => call(`open ${mode}`, () => this.openFile(this.open(path, mode), call)),
      rename: (from, to) => call('rename', () => this.rename(from, to)),
      remove: (path) => call('remove', () => this.remove(path)),
      syncDirectory: (dir) => call('sync directory', () => this.syncDirectory(dir)),
    };
  }

  /** Ends all processes and loses what was not synced. */
  crash(): void {
    this.generation += 1;
    const kept = Math.floor(this.random() * (this.pendingEntries.length + 1));
    for (const { change } of this.pendingEntries.slice(0, kept)) change(this.durableEntries);
    this.pendingEntries = [];
    this.entries = new Map(this.durableEntries);
    for (const inode of new Set(this.entries.values())) {
      inode.settle(this.random);
      inode.cached = Buffer.from(inode.durable);
    }
  }

  private run<T>(generation: number, name: string, work: (fault: Fault | undefined) => T): T {
    if (generation !== this.generation) throw failure('EIO');
    this.calls += 1;
    const fault = this.plan?.(name);
    if (fault !== undefined && name !== 'write' && name !== 'sync')
      throw failure(fault === 'short' ? 'EIO' : fault);
    return work(fault);
  }

  private list(dir: string): string[] {
    const inside = [...this.entries.keys()].filter((path) => path.startsWith(`${dir}/`));
    return [...new Set(inside.map((path) => path.slice(dir.length + 1).split('/')[0] ?? ''))];
  }

  private open(path: string, mode: OpenMode): Inode {
    const existing = this.entries.get(path);
    if (mode !== 'create') {
      if (existing === undefined) throw failure('ENOENT');
      return existing;
    }
    if (existing !== undefined) throw failure('EEXIST');
    const inode = new Inode();
    this.changeEntries(dirname(path), (entries) => entries.set(path, inode));
    return inode;
  }

  private rename(from: string, to: string): void {
    const inode = this.entries.get(from);
    if (inode === undefined) throw failure('ENOENT');
    this.changeEntries(dirname(from), (entries) => {
      entries.delete(from);
      entries.set(to, inode);
    });
  }

  private remove(path: string): void {
    if (!this.entries.has(path)) throw failure('ENOENT');
    this.changeEntries(dirname(path), (entries) => entries.delete(path));
  }

  private changeEntries(dir: string, change: EntryChange): void {
    change(this.entries);
    this.pendingEntries.push({ dir, change });
  }

  private syncDirectory(dir: string): void {
    for (const { dir: changed, change } of this.pendingEntries)
      if (changed === dir) change(this.durableEntries);
    this.pendingEntries = this.pendingEntries.filter(({ dir: changed }) => changed !== dir);
  }

  private openFile(
    inode: Inode,
    call: <T>(name: string, work: (fault: Fault | undefined) => T) => Promise<T>,
  ): OpenFile {
    return {
      read: (target, position) => call('read', () => inode.cached.copy(target, 0, position)),
      write: (sources, position) => call('write', (fault) => this.write(inode, sources, position, fault)),
      truncate: (length) => call('truncate', () => inode.change({ kind: 'truncate', length })),
      sync: () => call('sync', (fault) => this.sync(inode, fault)),
      size: () => call('size', () => inode.cached.length),
      close: () => Promise.resolve(),
    };
  }

  private write(
    inode: Inode,
    sources: readonly Buffer[],
    position: number,
    fault: Fault | undefined,
  ): number {
    const bytes = Buffer.concat(sources);
    const stored =
      fault === undefined ? bytes : bytes.subarray(0, fault === 'ENOSPC' ? 0 : bytes.length >> 1);
    if (stored.length > 0) inode.change({ kind: 'write', position, bytes: stored });
    if (fault === 'ENOSPC' || fault === 'EIO') throw failure(fault);
    return Math.max(1, stored.length);
  }

  private sync(inode: Inode, fault: Fault | undefined): void {
    if (fault !== undefined) {
      inode.settle(this.random);
      throw failure(fault === 'short' ? 'EIO' : fault);
    }
    for (const change of inode.pending) inode.durable = apply(inode.durable, change);
    inode.pending = [];
  }
}

function apply(content: Buffer, change: Change): Buffer<ArrayBuffer> {
  const end = change.kind === 'truncate' ? change.length : change.position + change.bytes.length;
  const length = change.kind === 'truncate' ? end : Math.max(content.length, end);
  const changed = Buffer.alloc(length);
  content.copy(changed, 0, 0, length);
  if (change.kind === 'write') change.bytes.copy(changed, change.position);
  return changed;
}

function pagesOf(change: Change): Change[] {
  if (change.kind === 'truncate') return [change];
  const pages: Change[] = [];
  let start = 0;
  while (start < change.bytes.length) {
    const position = change.position + start;
    const end = Math.min(change.bytes.length, start + PAGE_BYTES - (position % PAGE_BYTES));
    pages.push({ kind: 'write', position, bytes: change.bytes.subarray(start, end) });
    start = end;
  }
  return pages;
}

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: simulated`), { code });
}

/** Numbers from 0 to 1 that repeat for a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `SEED` of the environment, to repeat a run; another one each time otherwise. */
export function chooseSeed(): number {
  const { SEED } = environment;
  return SEED === undefined ? Date.now() % 1_000_000 : Number(SEED);
}
