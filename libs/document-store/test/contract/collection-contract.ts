import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CollectionSpec } from '../../src/index.js';
import type { Book, BookFixture, StoreUnderTest } from '../book-fixture.js';

/** Lifetime of collections: opening, reopening, and a killed writer. */
export function collectionContract({ store, open, underTest, newSpec, idsOf }: BookFixture): void {
  describe('a collection', () => {
    it('is shared by two stores that open it concurrently', async () => {
      const spec = newSpec();
      const other = await open();
      const [here, there] = await Promise.all([store().collection<Book>(spec), other.collection<Book>(spec)]);
      await here.insert('b1', { project_id: 'p', name: 'a' });
      await other.close();
      expect(there).toBeDefined();
      expect(await here.get('b1')).toMatchObject({ name: 'a' });
    });

    it('persists after the store is closed and reopened', async () => {
      const spec = newSpec();
      const first = await open();
      const books = await first.collection<Book>(spec);
      await books.insert('b1', { project_id: 'p', name: 'a', pages: 3 });
      await first.close();
      await first.close();
      await expect(books.get('b1')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      await expect(first.check()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      const again = await store().collection<Book>(spec);
      expect((await again.findUnique({ project_id: 'p', name: 'a' }))?.pages).toBe(3);
      await expect(store().check()).resolves.toBeUndefined();
    });

    it('finds existing documents by sets that were declared later', async () => {
      const spec = newSpec();
      const before = await store().collection<Book>({ ...spec, unique: [], indexes: [] });
      await before.insert('b1', { project_id: 'p', name: 'a', pages: 3 });
      const after = await store().collection<Book>(spec);
      expect(await idsOf(after, { equals: { project_id: 'p' }, orderBy: 'pages', limit: 10 })).toEqual([
        'b1',
      ]);
      expect((await after.findUnique({ project_id: 'p', name: 'a' }))?.id).toBe('b1');
      await expect(after.insert('b2', { project_id: 'p', name: 'a' })).rejects.toMatchObject({
        code: 'CONFLICT',
      });
      expect(await after.get('b1')).toMatchObject({ version: 1 });
    });

    it('rejects names that are reserved by a store', async () => {
      for (const field of ['_id', '$where', 'a.b', '_unique_a', 'id', 'version', '__proto__']) {
        await expect(store().collection({ name: 'x', unique: [], indexes: [[field]] })).rejects.toMatchObject(
          {
            code: 'INTERNAL_ERROR',
          },
        );
      }
      await expect(
        store().collection({ name: 'system.users', unique: [], indexes: [] }),
      ).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    });
  });

  describe('kill -9 of the writer', () => {
    it('loses no acknowledged document and leaves no partial write', async () => {
      for (let round = 0; round < 4; round++) {
        const spec = newSpec();
        const acknowledged = await writeUntilKilled(underTest(), spec, 20 + 17 * round);
        const other = await open();
        const books = await other.collection<Book>(spec);
        for (const id of acknowledged)
          expect((await books.findUnique({ project_id: 'p', name: id }))?.id).toBe(id);
        const listed = await idsOf(books, { equals: { project_id: 'p' }, orderBy: 'pages', limit: 1_000 });
        expect(listed).toEqual(expect.arrayContaining(acknowledged));
        expect(await books.count({})).toBe(listed.length);
        await other.close();
      }
    });
  });
}

/**
 * Runs a process that inserts documents, ten concurrently, and prints the id of each acknowledged one. Kills
 * it after `count` ids.
 */
async function writeUntilKilled(
  underTest: StoreUnderTest,
  spec: CollectionSpec,
  count: number,
): Promise<string[]> {
  const child = spawn(process.execPath, [
    join(__dirname, '../insert-until-killed.cjs'),
    JSON.stringify({ ...underTest, spec, dist: join(__dirname, '../../dist') }),
  ]);
  const failure: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => failure.push(chunk));
  const acknowledged: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(line);
    if (acknowledged.length === count) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  expect(Buffer.concat(failure).toString()).toBe('');
  expect(acknowledged.length).toBeGreaterThanOrEqual(count);
  return acknowledged;
}
