import { randomUUID } from 'node:crypto';
import { describeDocumentStore } from '../../test/document-store-contract.js';
import { startRelay } from '../../test/relay-fixture.js';
import { openMongoDocumentStore } from './open-mongo-document-store.js';

const url = process.env.MONGODB_URL ?? '';
const newDatabase = () => `assay_test_${randomUUID().replaceAll('-', '')}`;
const database = newDatabase();

describeDocumentStore('MongoDB', () => ({
  opener: 'openMongoDocumentStore',
  options: { url, database, dir: '' },
}));

describe('openMongoDocumentStore', () => {
  it('inspects the version and the clock of the server', async () => {
    const store = await openMongoDocumentStore({ url, database: newDatabase() });
    const findings = await store.inspect();
    expect(findings.map(({ name, ok }) => [name, ok])).toEqual([
      ['MongoDB version', true],
      ['MongoDB clock', true],
    ]);
    await store.close();
  });

  it('fails with UNAVAILABLE when the server disconnects during a call, and recovers afterwards', async () => {
    const relay = await startRelay(new URL(url));
    const store = await openMongoDocumentStore({ url: relay.url, database: newDatabase() });
    const books = await store.collection<{ name: string }>({
      name: 'books',
      unique: [],
      indexes: [['name']],
    });
    await books.insert('b1', { name: 'a' });
    relay.cutOnNextRequest();
    await expect(books.insert('b2', { name: 'b' })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(store.check()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await relay.restore();
    await expect(store.check()).resolves.toBeUndefined();
    expect(await books.get('b1')).toMatchObject({ name: 'a' });
    await expect(books.insert('b3', { name: 'c' })).resolves.toMatchObject({ version: 1 });
    await store.close();
    await relay.stop();
  });

  it('fails within bounded time when no server responds', async () => {
    const store = await openMongoDocumentStore({ url: 'mongodb://127.0.0.1:1', database: 'none' });
    const startedAt = Date.now();
    await expect(store.check()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(Date.now() - startedAt).toBeLessThan(8_000);
    await store.close();
  });

  it('rejects a malformed connection string without quoting it', async () => {
    const opened = openMongoDocumentStore({ url: 'mongo://user:hunter2@host', database: 'none' });
    await expect(opened).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'the URL of MongoDB is malformed',
    });
  });
});
