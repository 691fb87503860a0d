import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CHUNK_BYTES = 64 * 1024;

/** A small file system in memory, which a test can fill. */
export interface SmallDisk {
  readonly dir: string;
  /** Whether the file system is mounted; this process may not be allowed to. */
  readonly isMounted: boolean;
  /** Writes until no more than this many bytes are left, nothing without a number. */
  fill(leftBytes?: number): void;
  /** Removes what {@link fill} has written. */
  free(): void;
  remove(): void;
}

/** Mounts a file system of this size, in MiB. */
export function mountSmallDisk(sizeMiB: number): SmallDisk {
  const dir = mkdtempSync(join(tmpdir(), 'assay-small-disk-'));
  const isMounted = mount(dir, sizeMiB);
  const filler = join(dir, 'filler');
  return {
    dir,
    isMounted,
    fill: (leftBytes = 0) => {
      try {
        while (leftBytes === 0 || freeBytes(dir) > leftBytes)
          appendFileSync(filler, Buffer.alloc(CHUNK_BYTES));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    },
    free: () => rmSync(filler, { force: true }),
    remove: () => {
      if (isMounted) execFileSync('umount', ['-l', dir]);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function freeBytes(dir: string): number {
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize;
}

function mount(dir: string, sizeMiB: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMiB}m`, 'tmpfs', dir], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
