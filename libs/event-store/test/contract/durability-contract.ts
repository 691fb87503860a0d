import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { EngineUnderTest } from '../engine-fixture.js';
import { newProject, queryOf, sampleEvent, writeEvents } from '../event-fixture.js';

const CHILD = join(__dirname, '..', 'write-until-killed.cjs');
const EVENTS_PER_BATCH = 20;

/** Durability: restarts, kills, and two processes that start concurrently. */
export function durabilityContract(engine: EngineUnderTest, database: string): void {
  it('migrates new tables from two stores concurrently, and repeatedly', async () => {
    const stores = [engine.open(`${database}_twice`), engine.open(`${database}_twice`)];
    try {
      await Promise.all(
        stores.flatMap((store) => [store.administration.migrate(), store.administration.migrate()]),
      );
      const [first, second] = stores;
      const event = sampleEvent({ project_id: newProject() });
      await writeEvents(first ?? fail(), [event]);
      await first?.administration.migrate();
      expect(await second?.events.find(event.project_id, event.event_id)).toStrictEqual(event);
    } finally {
      await Promise.all(stores.map((store) => store.administration.close()));
    }
  });

  it('names the missing migrations without changing anything', async () => {
    const store = engine.open(`${database}_unmigrated`);
    try {
      const missing = await store.administration.missingMigrations();
      expect(missing).toContain(1);
      expect(missing).toEqual([...missing].sort((a, b) => a - b));
      expect(await store.administration.missingMigrations()).toEqual(missing);
      await store.administration.migrate();
      expect(await store.administration.missingMigrations()).toEqual([]);
    } finally {
      await store.administration.close();
    }
  });

  it('keeps all events after it is closed and reopened', async () => {
    const event = sampleEvent({ project_id: newProject() });
    const before = engine.open(database);
    await writeEvents(before, [event]);
    await before.administration.close();
    const after = engine.open(database);
    expect(await after.events.find(event.project_id, event.event_id)).toStrictEqual(event);
    await after.administration.close();
  });

  it('waits for operations in progress when it is closed, and rejects later ones', async () => {
    const project_id = newProject();
    const store = engine.open(database);
    const events = Array.from({ length: 500 }, () => sampleEvent({ project_id }));
    const writing = writeEvents(store, events);
    const closing = Promise.all([store.administration.close(), store.administration.close()]);
    await writing;
    await closing;
    await expect(store.administration.check()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(writeEvents(store, events)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const after = engine.open(database);
    expect((await after.events.search(project_id, queryOf())).total).toBe(500);
    await after.administration.close();
  });

  it('loses no acknowledged batch when its process is killed, and duplicates none that is delivered again', async () => {
    const acknowledged = { upTo: 0 };
    for (const kills of [3, 5, 2]) {
      // The last acknowledged batch is delivered again, with the one that was in progress.
      for await (const batch of written(acknowledged.upTo, kills)) acknowledged.upTo = batch;
    }
    const last = await lastLine(['count']);
    const { total, known, highest, incomplete } = JSON.parse(last) as Record<
      'total' | 'known' | 'highest' | 'incomplete',
      number
    >;
    expect(acknowledged.upTo).toBeGreaterThan(0);
    expect(highest).toBeGreaterThanOrEqual(acknowledged.upTo);
    // The batch in progress may be stored too, in all or some of its tables; no earlier batch is missing.
    expect(total).toBeGreaterThanOrEqual((acknowledged.upTo + 1) * EVENTS_PER_BATCH);
    expect(total).toBeLessThanOrEqual((highest + 1) * EVENTS_PER_BATCH);
    expect(known).toBe(total);
    expect(incomplete).toBe(0);
  });

  function child(args: readonly (string | number)[]) {
    const options = { ...engine.forChild.options, database: `${database}_kill` };
    const location = JSON.stringify({ create: engine.forChild.create, options });
    return spawn(process.execPath, [CHILD, location, ...args.map(String)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }

  /**
   * Yields the numbers of batches as a process acknowledges them; the process is killed immediately after
   * `kill` of them.
   */
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
