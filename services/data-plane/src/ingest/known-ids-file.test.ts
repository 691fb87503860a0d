import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { silentLogger } from '@assay/testing';
import { EventIdFilter } from './event-id-filter.js';
import { KnownIdsFile } from './known-ids-file.js';

const MAX_BYTES = 1 << 24;
const NOW = 1_790_000_001;

describe('the file of known event ids', () => {
  let dir: string;
  let path: string;
  let file: KnownIdsFile;
  let warnings: string[];
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'assay-known-ids-'));
    path = join(dir, 'known-ids');
    warnings = [];
    file = new KnownIdsFile(path, { ...silentLogger, warn: (message) => warnings.push(message) });
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  /** A filter of two generations, with one id of each. */
  function filled(): { readonly known: EventIdFilter; readonly ids: readonly string[] } {
    const known = new EventIdFilter(MAX_BYTES);
    const ids = [randomUUID(), randomUUID()];
    known.add(ids[0]!);
    while (known.content().length === 1) known.add(randomUUID());
    known.add(ids[1]!);
    expect(known.content()).toHaveLength(2);
    return { known, ids };
  }

  it('has all ids, also for a second start', async () => {
    const { known, ids } = filled();
    await file.write({ at: 1_790_000_000.5, generations: known.content() });
    const found = await file.read(MAX_BYTES, NOW);
    expect(found?.at).toBe(1_790_000_000.5);
    const restored = new EventIdFilter(MAX_BYTES);
    restored.restore(found!.generations);
    restored.markComplete();
    const later = randomUUID();
    restored.add(later);
    expect([...ids, later].map((id) => restored.mayContain(id))).toEqual([true, true, true]);
    const others = Array.from({ length: 1_000 }, () => randomUUID());
    expect(others.filter((id) => restored.mayContain(id)).length).toBeLessThan(10);
    expect((await file.read(MAX_BYTES, NOW))?.at).toBe(found?.at);
    expect(warnings).toEqual([]);
  });

  it('has all ids of its time when others are added while it is written', async () => {
    const { known, ids } = filled();
    let isWriting = true;
    const writing = file.write({ at: 1, generations: known.content() }).finally(() => (isWriting = false));
    while (isWriting) {
      for (let index = 0; index < 1_000; index++) known.add(randomUUID());
      await setImmediate();
    }
    await writing;
    const restored = new EventIdFilter(MAX_BYTES);
    restored.restore((await file.read(MAX_BYTES, NOW))!.generations);
    restored.markComplete();
    expect(ids.map((id) => restored.mayContain(id))).toEqual([true, true]);
    expect(warnings).toEqual([]);
  });

  it('is removed and not used when it is of a later time: the clock was set back', async () => {
    await file.write({ at: NOW + 1, generations: new EventIdFilter(MAX_BYTES).content() });
    expect(await file.read(MAX_BYTES, NOW)).toBeUndefined();
    expect([existsSync(path), warnings.length]).toEqual([false, 1]);
  });

  it.each<[string, (content: Buffer) => void]>([
    ['is cut', (content) => truncateSync(path, content.length - 1)],
    ['is cut in its first line', () => truncateSync(path, 20)],
    [
      'has another byte',
      (content) => writeFileSync(path, content.fill(content.at(-1)! ^ 1, content.length - 1)),
    ],
    ['is empty', () => writeFileSync(path, '')],
    ['is something else', () => writeFileSync(path, '{"format":"other"}\n')],
  ])('is removed and not used when it %s', async (_title, damage) => {
    const known = new EventIdFilter(MAX_BYTES);
    known.add(randomUUID());
    await file.write({ at: 1, generations: known.content() });
    damage(readFileSync(path));
    expect(await file.read(MAX_BYTES, NOW)).toBeUndefined();
    expect([existsSync(path), warnings.length]).toEqual([false, 1]);
  });

  it('is not used when it needs more memory than there is for it', async () => {
    await file.write({ at: 1, generations: new EventIdFilter(MAX_BYTES).content() });
    expect(await file.read(1_000, NOW)).toBeUndefined();
    expect(warnings).toHaveLength(1);
  });

  it('is not written to a folder that is not there, which is logged', async () => {
    rmSync(dir, { recursive: true });
    await file.write({ at: 1, generations: new EventIdFilter(MAX_BYTES).content() });
    expect(existsSync(path)).toBe(false);
    expect(warnings).toHaveLength(1);
  });
});
