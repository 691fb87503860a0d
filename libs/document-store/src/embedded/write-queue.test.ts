import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validationError } from '@assay/errors';
import { Connection, type PreparedStatement } from './connection.js';
import { WriteQueue } from './write-queue.js';

describe('the write queue', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-writes-'));
  let connection: Connection;
  let insert: PreparedStatement;
  let queue: WriteQueue;
  let groups = 0;
  beforeAll(async () => {
    connection = await Connection.open(join(dir, 'rows.sqlite'));
    await connection.first('PRAGMA journal_mode = WAL');
    await connection.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY)');
    insert = await connection.prepare('INSERT INTO rows (id) VALUES (?)');
    queue = await WriteQueue.create(connection, () => {
      groups += 1;
      return Promise.resolve();
    });
  });
  beforeEach(async () => {
    await connection.exec('DELETE FROM rows');
    groups = 0;
  });
  afterAll(() => {
    connection.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const add = (id: number, bytes = 1) => queue.add(bytes, () => insert.run([id]).changes);
  const stored = async () =>
    [...(await (await connection.prepare('SELECT id FROM rows ORDER BY id')).iterate([]))].map(([id]) => id);

  it('commits waiting writes in one transaction', async () => {
    const outcomes = await Promise.all(Array.from({ length: 100 }, (_, id) => add(id)));
    expect(new Set(outcomes)).toEqual(new Set([1]));
    expect(await stored()).toHaveLength(100);
    await queue.idle();
    expect(groups).toBe(1);
  });

  it('commits large writes in several transactions', async () => {
    await Promise.all([add(1, 3_000_000), add(2, 3_000_000), add(3, 9_000_000)]);
    await queue.idle();
    expect(groups).toBe(3);
  });

  it('rolls back only the write that fails', async () => {
    const failing = queue.add(1, () => {
      insert.run([2]);
      throw validationError('refused');
    });
    const outcomes = await Promise.allSettled([add(1), failing, add(1), add(3)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(await stored()).toEqual([1, 3]);
    await queue.idle();
    expect(groups).toBe(1);
  });

  it('commits the other writes of a group whose transaction SQLite rolled back', async () => {
    const ending = await connection.prepare('ROLLBACK');
    const failing = queue.add(1, () => {
      ending.run([]);
      throw new Error('disk I/O error');
    });
    const outcomes = await Promise.allSettled([add(1), failing, add(3)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await stored()).toEqual([1, 3]);
  });

  it('waits while another connection holds the lock', async () => {
    const other = await Connection.open(join(dir, 'rows.sqlite'));
    await other.exec('BEGIN IMMEDIATE');
    const waiting = add(1);
    await other.exec('INSERT INTO rows (id) VALUES (2)');
    await other.exec('COMMIT');
    other.close();
    expect(await waiting).toBe(1);
    expect(await stored()).toEqual([1, 2]);
  });

  it('rejects writes when the queue is full', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 10_001 }, (_, id) => add(id)));
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toEqual([
      { status: 'rejected', reason: expect.objectContaining({ code: 'OVERLOADED' }) as unknown },
    ]);
    expect(await stored()).toHaveLength(10_000);
  });
});
