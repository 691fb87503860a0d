import { readFileSync } from 'node:fs';
import { cp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '../harness/stack/client.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import type { Stack } from '../harness/stack/stack.js';
import { StoredHistory } from './stored-history.js';

describe('the single process after a restore', () => {
  let stack: Stack;
  let history: StoredHistory;
  const folder = (name: string) => join(stack.dir, 'data', name);
  const copyOf = (name: string) => join(stack.dir, `copy-${name}`);

  beforeEach(async () => {
    stack = await startStandalone();
    history = new StoredHistory(new Client(stack));
  });
  afterEach(async () => {
    expect(await stack.stop()).toBe(true);
  });

  /** Kills the process, runs the action on its folders, and starts it again. */
  const whileStopped = async (action: () => Promise<void>) => {
    await stack.kill('standalone');
    await action();
    await stack.start('standalone');
  };
  const copy = (name: string) => cp(folder(name), copyOf(name), { recursive: true, verbatimSymlinks: true });
  const restore = async (name: string) => {
    await rm(folder(name), { recursive: true });
    await rename(copyOf(name), folder(name));
  };
  const logged = (phrase: string) =>
    readFileSync(join(stack.dir, 'standalone.log'), 'utf8').split(phrase).length - 1;

  it('finds all events of the log again when the event store was removed', async () => {
    await history.add(30);
    await history.expectVisible();
    await history.add(5);
    await whileStopped(() => rm(folder('events'), { recursive: true }));
    await history.expectVisible();
    expect(logged('storing records of the log again')).toBe(1);
    expect(logged('new epoch')).toBe(0);
    await history.add(3);
    await history.update(history.ids[1] ?? '', 77);
    await history.expectVisible();
  });

  it('adds what an older copy of the event store lacks', async () => {
    await history.add(10);
    await history.expectVisible();
    await whileStopped(() => copy('events'));
    await history.update(history.ids[0] ?? '', 50);
    await history.add(10);
    await history.expectVisible();
    await whileStopped(() => restore('events'));
    await history.expectVisible();
  });

  it('applies updates to stored events after the log was removed, also a second time', async () => {
    await history.add(10);
    await history.update(history.ids[0] ?? '', 10);
    await history.expectVisible();
    for (const score of [20, 30]) {
      await whileStopped(() => rm(folder('log'), { recursive: true }));
      await history.expectVisible();
      await history.update(history.ids[0] ?? '', score);
      await history.add(3);
      await history.expectVisible();
    }
    expect(logged('new epoch of the event log')).toBe(2);
  });

  it('applies updates, and none of the copy again, after an older copy of the log was restored', async () => {
    await history.add(10);
    await history.update(history.ids[0] ?? '', 10);
    await history.expectVisible();
    await whileStopped(() => copy('log'));
    await history.add(10);
    await history.update(history.ids[0] ?? '', 20);
    await history.expectVisible();
    await whileStopped(() => restore('log'));
    await history.expectVisible();
    await history.update(history.ids[1] ?? '', 30);
    await history.expectVisible();
  });
});
