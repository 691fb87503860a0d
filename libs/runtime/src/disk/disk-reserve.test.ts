import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMetrics } from '../metrics/metrics.js';
import { defaultReserve, watchDiskReserve } from './disk-reserve.js';
import { guardMethods } from './guard-methods.js';

const MIB = 1024 * 1024;

describe('watchDiskReserve', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-reserve-'));
  const warnings: string[] = [];
  const logger = { warn: (phrase: string) => void warnings.push(phrase), info: () => undefined };
  const watch = async (minFreeBytes: number) => {
    const metrics = createMetrics({ processMetrics: false });
    return { metrics, reserve: await watchDiskReserve({ dir, minFreeBytes, logger, metrics }) };
  };
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('refuses with INSUFFICIENT_STORAGE while less than the reserve is free, and logs it once', async () => {
    const { reserve } = await watch(Number.MAX_SAFE_INTEGER);
    expect(reserve.isExhausted).toBe(true);
    expect(() => reserve.assertAvailable()).toThrow(
      expect.objectContaining({ code: 'INSUFFICIENT_STORAGE', status: 507, retryable: true }) as Error,
    );
    expect(warnings).toEqual(['free disk space below the reserve, refusing writes']);
    await reserve.close();
  });

  it('admits deletes until less than a quarter of the reserve is free', async () => {
    const { reserve } = await watch(1);
    const { reserve: some } = await watch(reserve.freeBytes * 2);
    expect(() => some.assertAvailable()).toThrow('the disk is full');
    expect(() => some.assertDeletable()).not.toThrow();
    const { reserve: none } = await watch(reserve.freeBytes * 8);
    expect(() => none.assertDeletable()).toThrow(
      expect.objectContaining({ code: 'INSUFFICIENT_STORAGE' }) as Error,
    );
    await Promise.all([reserve, some, none].map((one) => one.close()));
  });

  it('accepts writes above the reserve and reports the free bytes', async () => {
    const { reserve, metrics } = await watch(0);
    expect(() => reserve.assertAvailable()).not.toThrow();
    expect(await metrics.text()).toMatch(/^assay_disk_free_bytes \d{4,}$/m);
    await reserve.close();
  });
});

describe('defaultReserve', () => {
  it('is 2 % of a small file system and 256 MiB of a large one', () => {
    expect(defaultReserve(1_000 * MIB)).toBe(20 * MIB);
    expect(defaultReserve(100_000 * MIB)).toBe(256 * MIB);
  });
});

describe('guardMethods', () => {
  class Shelf {
    readonly #books: string[] = [];
    add(book: string): Promise<number> {
      return Promise.resolve(this.#books.push(book));
    }
    count(): number {
      return this.#books.length;
    }
  }

  it('rejects the named methods while the check throws, and calls the others on the object', async () => {
    let isFull = true;
    const shelf = guardMethods(new Shelf(), ['add'], () => {
      if (isFull) throw new Error('full');
    });
    await expect(shelf.add('one')).rejects.toThrow('full');
    expect(shelf.count()).toBe(0);
    isFull = false;
    expect(await shelf.add('one')).toBe(1);
    expect(shelf.count()).toBe(1);
  });
});
