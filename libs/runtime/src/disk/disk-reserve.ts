import { mkdir, statfs } from 'node:fs/promises';
import { AppError } from '@assay/errors';
import { describeCause, type Logger } from '../log/logger.js';
import type { Metrics } from '../metrics/metrics.js';

export interface DiskReserveOptions {
  /** Folder on the file system to watch; created when it does not exist. */
  readonly dir: string;
  /** Reserve in bytes; see {@link defaultReserve} when absent, no reserve when 0. */
  readonly minFreeBytes?: number;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  readonly metrics: Metrics;
  /** Milliseconds between two measurements. */
  readonly pollMs?: number;
}

/** Reserve of free disk space. Only deletes may be written while less is free, so that no engine meets a full disk. */
export interface DiskReserve {
  /** Whether less than the reserve is free. */
  readonly isExhausted: boolean;
  /** Whether so little is free that not even what frees space may write: less than a quarter of the reserve. */
  readonly isUsedUp: boolean;
  /** Free space when it was last measured. */
  readonly freeBytes: number;
  /** @throws AppError `INSUFFICIENT_STORAGE` while less than the reserve is free */
  assertAvailable(): void;
  /**
   * For deletes, whose own writes are small and free space later.
   * @throws AppError `INSUFFICIENT_STORAGE` while less than a quarter of the reserve is free
   */
  assertDeletable(): void;
  /** Stops measuring. Idempotent. */
  close(): Promise<void>;
}

const POLL_MS = 2_000;
const MAX_DEFAULT_RESERVE = 256 * 1024 * 1024;
const DEFAULT_SHARE = 0.02;
/** Share of the reserve that deletes leave to the engines. */
const LAST_SHARE = 0.25;

/** Returns 256 MiB, or 2 % of a file system smaller than 12.5 GiB. */
export function defaultReserve(totalBytes: number): number {
  return Math.min(MAX_DEFAULT_RESERVE, Math.floor(totalBytes * DEFAULT_SHARE));
}

/** Starts to measure the free space. Resolves after the first measurement. */
export async function watchDiskReserve(options: DiskReserveOptions): Promise<DiskReserve> {
  const watch = new DiskWatch(options);
  await watch.start();
  return watch;
}

class DiskWatch implements DiskReserve {
  #exhausted = false;
  #usedUp = false;
  #freeBytes = 0;
  #failing = false;
  #measuring = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #free;
  readonly #size;

  constructor(private readonly options: DiskReserveOptions) {
    this.#free = options.metrics.gauge('assay_disk_free_bytes', 'Free space of the data folder file system');
    this.#size = options.metrics.gauge('assay_disk_size_bytes', 'Size of the data folder file system');
  }

  get freeBytes(): number {
    return this.#freeBytes;
  }

  get isExhausted(): boolean {
    return this.#exhausted;
  }

  get isUsedUp(): boolean {
    return this.#usedUp;
  }

  assertAvailable(): void {
    if (this.#exhausted)
      throw new AppError(
        'INSUFFICIENT_STORAGE',
        'the disk is full, delete what is not needed or send the request again later',
      );
  }

  assertDeletable(): void {
    if (this.#usedUp)
      throw new AppError(
        'INSUFFICIENT_STORAGE',
        'the disk is full and has no room for deletes, free space outside of the data folder',
      );
  }

  async start(): Promise<void> {
    await this.#poll();
    this.#timer = setInterval(() => void this.#poll(), this.options.pollMs ?? POLL_MS).unref();
  }

  close(): Promise<void> {
    clearInterval(this.#timer);
    return Promise.resolve();
  }

  /** A failed measurement keeps the last state: a file system that cannot be measured is no reason to refuse writes. */
  async #poll(): Promise<void> {
    if (this.#measuring) return;
    this.#measuring = true;
    try {
      await this.#measure();
      this.#failing = false;
    } catch (error) {
      if (!this.#failing)
        this.options.logger.warn('cannot measure the free disk space', describeCause(error));
      this.#failing = true;
    } finally {
      this.#measuring = false;
    }
  }

  async #measure(): Promise<void> {
    await mkdir(this.options.dir, { recursive: true, mode: 0o700 });
    const { bavail, blocks, bsize } = await statfs(this.options.dir);
    const freeBytes = bavail * bsize;
    const reserveBytes = this.options.minFreeBytes ?? defaultReserve(blocks * bsize);
    this.#freeBytes = freeBytes;
    this.#free.set(freeBytes);
    this.#size.set(blocks * bsize);
    this.#usedUp = freeBytes < reserveBytes * LAST_SHARE;
    const exhausted = freeBytes < reserveBytes;
    if (exhausted === this.#exhausted) return;
    this.#exhausted = exhausted;
    const fields = { freeBytes, reserveBytes };
    if (exhausted) this.options.logger.warn('free disk space below the reserve, refusing writes', fields);
    else this.options.logger.info('free disk space above the reserve, accepting writes', fields);
  }
}
