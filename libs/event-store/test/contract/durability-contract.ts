import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { EngineUnderTest } from '../engine-fixture.js';
import { newProject, queryOf, sampleEvent, writeEvents } from '../event-fixture.js';

const CHILD = join(__dirname, '..', 'write-until-killed.cjs');
const EVENTS_PER_BATCH = 20;

/** What outlives a store: restarts, kills, and two processes that start at once. */
export function durabilityContract(engine: EngineUnderTest, database: string): void {
  it('brings new tables up to date from two stores at once, and again', async () => {
    const stores = [engine.open(`${database}_twice`), engine.open(`${database}_twice`)];
    try {
      await Promise.all(stores.flatMap((store) => [store.migrate(), store.migrate()]));
      const [first, second] = stores;
      const event = sampleEvent({ project_id: newProject() });
      await writeEvents(first ?? fail(), [event]);
      await first?.migrate();
      expect(await second?.find(event.project_id, event.event_id)).toStrictEqual(event);
    } finally {
      await Promise.all(stores.map((store) => store.close()));
    }
  });

  it('has everything after it was closed and opened again', async () => {
    const event = sampleEvent({ project_id: newProject() });
    const before = engine.open(database);
    await writeEvents(before, [event]);
    await before.close();
    const after = engine.open(database);
    expect(await after.find(event.project_id, event.event_id)).toStrictEqual(event);
    await after.close();
  });

  it('waits for what is under way when it is closed, and refuses what comes later', async () => {
    const project_id = newProject();
    const store = engine.open(database);
    const events = Array.from({ length: 500 }, () => sampleEvent({ project_id }));
    const writing = writeEvents(store, events);
    const closing = Promise.all([store.close(), store.close()]);
    await writing;
    await closing;
    await expect(store.check()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(writeEvents(store, events)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const after = engine.open(database);
    expect((await after.search(project_id, queryOf())).total).toBe(500);
    await after.close();
  });

  it('loses nothing that it acknowledged when its process is killed, and doubles nothing that is delivered again', async () => {
    const acknowledged = { upTo: 0 };
    for (const kills of [3, 5, 2]) {
      // The batch that was acknowledged last is delivered again with the one that was under way.
      for await (const batch of written(acknowledged.upTo, kills)) acknowledged.upTo = batch;
    }
    const last = await lastLine(['count']);
    const { total, known, highest, incomplete } = JSON.parse(last) as Record<
      'total' | 'known' | 'highest' | 'incomplete',
      number
    >;
    expect(acknowledged.upTo).toBeGreaterThan(0);
    expect(highest).toBeGreaterThanOrEqual(acknowledged.upTo);
    // A batch under way may be there as well, as a whole or in part of its tables; none before it is missing.
    expect(total).toBeGreaterThanOrEqual((acknowledged.upTo + 1) * EVENTS_PER_BATCH);
    expect(total).toBeLessThanOrEqual((highest + 1) * EVENTS_PER_BATCH);
    expect(known).toBe(total);
    expect(incomplete).toBe(0);
  });

  function child(args: readonly (string | number)[]) {
    const options = { ...engine.forChild.options, database: `${database}_kill` };
    const place = JSON.stringify({ create: engine.forChild.create, options });
    return spawn(process.execPath, [CHILD, place, ...args.map(String)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }

  /** Numbers of batches as they are acknowledged by a process that is killed at once after `kill` of them. */
  async function* written(from: number, kill: number): AsyncGenerator<number> {
    const process = child(['write', from]);
    const lines: number[] = [];
    for await (const line of createInterface({ input: process.stdout })) {
      yield Number(line);
      if (lines.push(Number(line)) === kill) process.kill('SIGKILL');
    }
    if (process.exitCode === null && process.signalCode === null) await once(process, 'exit');
  }

  async function lastLine(args: readonly string[]): Promise<string> {
    const lines: string[] = [];
    for await (const line of createInterface({ input: child(args).stdout })) lines.push(line);
    return lines.at(-1) ?? '';
  }
}
