import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DocumentCollection, DocumentStore } from '../document-store.js';
import { Connection } from './connection.js';
import { openEmbeddedDocumentStore } from './open-embedded-document-store.js';

const MEGABYTE = 1024 * 1024;

describe('the write-ahead log', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-wal-'));
  const path = join(dir, 'documents.sqlite');
  let store: DocumentStore;
  let books: DocumentCollection<{ pages: number; extra: string }>;
  let written = 0;
  beforeAll(async () => {
    store = await openEmbeddedDocumentStore({ dir });
    books = await store.collection({ name: 'books', unique: [], indexes: [['pages']], filtered: ['extra'] });
  });
  afterAll(async () => {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const megabytesOfLog = () => statSync(`${path}-wal`).size / MEGABYTE;
  const write = async (megabytes: number) => {
    for (let n = 0; n < megabytes; n++)
      await books.insert(`b${written++}`, { pages: n, extra: 'x'.repeat(MEGABYTE / 2) });
  };

  it('stays small while queries overlap continuously', async () => {
    let writing = true;
    const query = async () => {
      while (writing) await books.count({}, [{ field: 'extra', containsAny: ['absent'] }]);
    };
    const queries = [query(), query(), query()];
    let largest = 0;
    for (let n = 0; n < 13; n++) {
      await write(10);
      largest = Math.max(largest, megabytesOfLog());
    }
    writing = false;
    await Promise.all(queries);
    expect(largest).toBeLessThan(90);
  });

  it('grows while another process reads an old snapshot, and then shrinks', async () => {
    const other = await Connection.open(path);
    await other.exec('BEGIN');
    const [before] = (await other.first('SELECT count(*) FROM books')) ?? [];
    await write(100);
    expect(megabytesOfLog()).toBeGreaterThan(90);
    expect((await other.first('SELECT count(*) FROM books'))?.[0]).toBe(before);
    await other.exec('COMMIT');
    other.close();
    await write(40);
    expect(megabytesOfLog()).toBeLessThan(70);
    expect(await books.count({})).toBe(written);
  });

  it('is empty after the store is closed', async () => {
    await store.close();
    expect(megabytesOfLog()).toBe(0);
  });
});
