import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeDocumentStore } from '../../test/document-store-contract.js';
import { Connection } from './connection.js';
import { openEmbeddedDocumentStore } from './open-embedded-document-store.js';

const dir = mkdtempSync(join(tmpdir(), 'assay-documents-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describeDocumentStore('embedded', () => ({
  opener: 'openEmbeddedDocumentStore',
  options: { dir, url: '', database: '' },
}));

describe('openEmbeddedDocumentStore', () => {
  const newFolder = (name: string) => {
    const folder = join(dir, name);
    mkdirSync(folder);
    return folder;
  };

  it('creates the folder', async () => {
    const store = await openEmbeddedDocumentStore({ dir: join(dir, 'a/b') });
    await expect(store.check()).resolves.toBeUndefined();
    await store.close();
  });

  it('leaves no byte of what was deleted or replaced in its files once it is closed', async () => {
    const folder = newFolder('erased');
    const store = await openEmbeddedDocumentStore({ dir: folder });
    const books = await store.collection<{ text: string }>({ name: 'books', unique: [], indexes: [] });
    const long = (word: string) => word.repeat(20_000);
    for (const id of ['b1', 'b2', 'b3']) await books.insert(id, { text: long('canary') });
    await books.delete('b1');
    const b2 = await books.get('b2');
    if (b2) await books.replace({ ...b2, text: 'short' });
    await books.delete('b3');
    await books.insert('b4', { text: 'kept' });
    await store.close();
    const bytes = Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));
    expect([bytes.includes('canary'), bytes.includes('kept')]).toEqual([false, true]);
  });

  it('reads the newest state of hundreds of documents while others read and write', async () => {
    const store = await openEmbeddedDocumentStore({ dir: newFolder('bulk') });
    const books = await store.collection<{ pages: number }>({ name: 'books', unique: [], indexes: [] });
    const ids = Array.from({ length: 600 }, (_, index) => `b${index}`);
    await books.insertMissing(ids.map((id) => ({ id, fields: { pages: 1 } })));
    for (let pages = 2; pages < 5; pages++) {
      const [read] = await Promise.all([books.getAll(ids), books.getAll(ids), books.get('b0')]);
      expect(await books.replaceAll(read.map((one) => ({ ...one, pages })))).toBe(true);
      expect(await books.get('b599')).toMatchObject({ pages });
      expect(new Set((await books.getAll(ids)).map((one) => one.pages))).toEqual(new Set([pages]));
    }
    await store.close();
  });

  it('lists by a sparse field before and after it was declared as one, with fewer bytes', async () => {
    const spec = { name: 'books', unique: [], indexes: [['shelf', 'loan', 'year']] };
    const sizes: number[] = [];
    for (const specs of [
      [spec, { ...spec, sparse: ['loan'] }, spec],
      [{ ...spec, sparse: ['loan'] }, spec],
    ]) {
      const folder = newFolder(`sparse-${specs.length}`);
      for (const [index, one] of specs.entries()) {
        const store = await openEmbeddedDocumentStore({ dir: folder });
        const books = await store.collection<{ shelf: string; loan?: true; year: number }>(one);
        const added = Array.from({ length: 500 }, (_, year) => ({
          id: `${index}-${year}`,
          fields: { shelf: 'a'.repeat(50), year, ...(year === 7 && { loan: true as const }) },
        }));
        await books.insertMissing(added);
        const query = { equals: { shelf: 'a'.repeat(50), loan: true }, orderBy: 'year', limit: 10 };
        const found = (await books.list(query)).map(({ id }) => id);
        expect(found).toEqual(specs.slice(0, index + 1).map((_, earlier) => `${earlier}-7`));
        await store.close();
        if (index === 0) sizes.push(statSync(join(folder, 'documents.sqlite')).size);
      }
    }
    const [all = 0, sparse = 0] = sizes;
    expect(sparse).toBeLessThan(all - 500 * 60);
  });

  it('reports a folder that cannot be used', async () => {
    const file = join(dir, 'file');
    writeFileSync(file, '');
    await expect(openEmbeddedDocumentStore({ dir: file })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it.each(['documents.mdb', 'data.mdb'])('rejects a folder with %s and does not change it', async (name) => {
    const folder = newFolder(`with-${name}`);
    writeFileSync(join(folder, name), 'lmdb');
    await expect(openEmbeddedDocumentStore({ dir: folder })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: `${join(folder, name)} was written by an earlier release, use an empty data folder`,
    });
    expect(readdirSync(folder)).toEqual([name]);
  });

  it('rejects a file that is not a database', async () => {
    const folder = newFolder('no-database');
    writeFileSync(join(folder, 'documents.sqlite'), 'not a database'.repeat(1_000));
    await expect(openEmbeddedDocumentStore({ dir: folder })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: `${join(folder, 'documents.sqlite')} is damaged or is not an Assay database`,
    });
  });

  it.each([
    ['another program', 'CREATE TABLE other (id)', 'is damaged or is not an Assay database'],
    [
      'another release',
      'PRAGMA application_id = 0x41736179; PRAGMA user_version = 2',
      'was written by another release of Assay',
    ],
  ])('rejects a database of %s', async (name, sql, reason) => {
    const folder = newFolder(name);
    const path = join(folder, 'documents.sqlite');
    const other = await Connection.open(path);
    await other.exec(sql);
    other.close();
    await expect(openEmbeddedDocumentStore({ dir: folder })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: `${path} ${reason}`,
    });
  });

  it('reports a damaged page as a specific error, and serves intact documents', async () => {
    const folder = newFolder('damaged');
    const spec = { name: 'books', unique: [], indexes: [['pages']] };
    const store = await openEmbeddedDocumentStore({ dir: folder });
    const books = await store.collection<object>(spec);
    for (let n = 0; n < 50; n++) await books.insert(`b${n}`, { pages: n, extra: 'x'.repeat(3_000) });
    await store.close();
    damage(join(folder, 'documents.sqlite'));

    const again = await openEmbeddedDocumentStore({ dir: folder });
    const damaged = await again.collection<object>(spec);
    const reads = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => damaged.get(`b${n}`)));
    const refusals = reads.flatMap((read) => (read.status === 'rejected' ? [read.reason as unknown] : []));
    expect(refusals.length).toBeGreaterThan(0);
    expect(refusals.length).toBeLessThan(50);
    for (const refusal of refusals)
      expect(refusal).toMatchObject({
        code: 'INTERNAL_ERROR',
        message: 'the file of the document store is damaged, restore it from a backup',
      });
    await again.close();
  });

  it('does not delay the end of its process, also if objects have no __proto__', () => {
    const script = `
      const { openEmbeddedDocumentStore } = require(${JSON.stringify(join(__dirname, '../../dist/index.js'))});
      openEmbeddedDocumentStore({ dir: process.argv[1] }).then(async (store) => {
        const books = await store.collection({ name: 'books', unique: [['name']], indexes: [['pages']] });
        await books.insert('b1', { name: 'a', pages: 1 });
        console.log((await books.list({ equals: { pages: 1 }, limit: 1 }))[0].name);
        await store.close();
      });`;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--disable-proto=delete', '-e', script, newFolder('no-proto')],
      { encoding: 'utf8', timeout: 20_000 },
    );
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'a\n', stderr: '' });
  });

  it('rejects a collection whose documents break a new unique set', async () => {
    const store = await openEmbeddedDocumentStore({ dir: newFolder('duplicates') });
    const before = await store.collection<object>({ name: 'books', unique: [], indexes: [['pages']] });
    await before.insert('b1', { name: 'a', pages: 1 });
    await before.insert('b2', { name: 'a', pages: 2 });
    const spec = { name: 'books', unique: [['name']], indexes: [['name'], ['pages']] };
    await expect(store.collection(spec)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await before.count({ pages: 1 })).toBe(1);
    await before.delete('b2');
    const after = await store.collection<object>(spec);
    expect((await after.findUnique({ name: 'a' }))?.id).toBe('b1');
    await store.close();
  });
});

/** Overwrites half of the pages after the first few. */
function damage(path: string): void {
  const file = openSync(path, 'r+');
  for (let page = 30; page < 50; page += 2)
    writeSync(file, Buffer.alloc(4_096, 0xff), 0, 4_096, page * 4_096);
  closeSync(file);
}
