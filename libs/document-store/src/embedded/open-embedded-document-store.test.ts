import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeDocumentStore } from '../document-store-contract.js';
import { openEmbeddedDocumentStore } from './open-embedded-document-store.js';

const dir = mkdtempSync(join(tmpdir(), 'assay-documents-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describeDocumentStore('embedded', () => ({
  opener: 'openEmbeddedDocumentStore',
  options: { dir, url: '', database: '' },
}));

describe('openEmbeddedDocumentStore', () => {
  it('makes the folder', async () => {
    const store = await openEmbeddedDocumentStore({ dir: join(dir, 'a/b') });
    await expect(store.check()).resolves.toBeUndefined();
    await store.close();
  });

  it('says so when the folder cannot be used', async () => {
    const file = join(dir, 'file');
    writeFileSync(file, '');
    await expect(openEmbeddedDocumentStore({ dir: file })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});
