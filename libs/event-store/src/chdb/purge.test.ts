import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, type Dirent } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { newProject, queryOf, sampleEvent, writeEvents } from '../../test/event-fixture.js';
import {
  deleteById,
  deleteWithSession,
  newCanary,
  purgeAll,
  storeValuesPlainly,
  storeWithCanary,
  tablesWith,
} from '../../test/purge-fixture.js';
import { DEFAULT_QUERY_LIMITS } from '../sql/engine/engine.js';
import { ChdbEngine } from './chdb-engine.js';
import { createChdbEventStore, type EmbeddedEventStore } from './create-chdb-event-store.js';

const PURGE = join(__dirname, '../../test/purge-until-killed.cjs');
const MAX_WAIT_MS = 120_000;

describe('purging deleted events from a folder', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-purge-'));
  const database = 'assay';
  let store: EmbeddedEventStore;
  let engine: ChdbEngine;
  const open = () => {
    store = createChdbEventStore({ dir, database, storeMediaOnce: true, unusedMediaSeconds: 0 });
    engine = new ChdbEngine({ dir, readers: 1, limits: DEFAULT_QUERY_LIMITS });
  };
  const close = () => Promise.all([store.administration.close(), engine.close()]);
  beforeAll(async () => {
    open();
    await store.administration.migrate();
    await storeValuesPlainly(dir, database);
  });
  afterAll(async () => {
    await close();
    rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  const filesWith = (text: string) => filesBelow(dir).filter((path) => contains(path, text));
  const anEvent = () => sampleEvent({ project_id: newProject(), session_id: randomUUID() });

  it('leaves no value in any file of the folder once the engine has removed replaced parts', async () => {
    const [one, other, kept] = [anEvent(), anEvent(), anEvent()];
    const [canary, keptCanary] = [newCanary(), newCanary()];
    await storeWithCanary(store, one, canary);
    await storeWithCanary(store, other, canary);
    await storeWithCanary(store, kept, keptCanary);
    await deleteWithSession(store, [one]);
    await deleteById(store, other);
    for (const copy of [1, 2, 3, 4, 5]) expect(filesWith(`${canary}-${copy}`)).not.toStrictEqual([]);
    await purgeAll(store);
    for (const deadline = Date.now() + MAX_WAIT_MS; filesWith(canary).length > 0; await delay(100))
      if (Date.now() > deadline) break;
    expect(filesWith(canary)).toStrictEqual([]);
    for (const copy of [1, 2, 3, 4, 5]) expect(filesWith(`${keptCanary}-${copy}`)).not.toStrictEqual([]);
  });

  it('leaves no media in any file of the folder once no event has them', async () => {
    const [canary, keptCanary] = [newCanary(), newCanary()];
    const withMedia = (text: string, fields: object = {}) => {
      const url = `data:text/plain;base64,${Buffer.from(text.repeat(2_000)).toString('base64')}`;
      return { ...anEvent(), inputs: { url }, ...fields };
    };
    const one = withMedia(canary);
    const other = withMedia(canary, { project_id: one.project_id });
    const kept = withMedia(keptCanary);
    await writeEvents(store, [one, other, kept]);
    await deleteWithSession(store, [one]);
    await purgeAll(store);
    expect(filesWith(canary)).not.toStrictEqual([]);
    await deleteById(store, other);
    await purgeAll(store);
    for (const deadline = Date.now() + MAX_WAIT_MS; filesWith(canary).length > 0; await delay(100))
      if (Date.now() > deadline) break;
    expect(filesWith(canary)).toStrictEqual([]);
    expect(filesWith(keptCanary)).not.toStrictEqual([]);
    expect((await store.events.find(kept.project_id, kept.event_id))?.inputs).toStrictEqual(kept.inputs);
  });

  it('continues after the process was killed while parts were rewritten', async () => {
    const [deleted, kept] = [anEvent(), anEvent()];
    const canary = newCanary();
    await storeWithCanary(store, deleted, canary);
    await storeWithCanary(store, kept, newCanary());
    await deleteWithSession(store, [deleted]);
    const before = await store.events.search(kept.project_id, queryOf());
    await close();
    const child = spawn(process.execPath, [PURGE, JSON.stringify({ dir, database })], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    expect(line.toString()).toBe('started\n');
    child.kill('SIGKILL');
    await ended;
    open();
    await purgeAll(store);
    expect(await tablesWith(engine, database, canary)).toStrictEqual([]);
    expect(await store.events.search(kept.project_id, queryOf())).toStrictEqual(before);
    expect((await store.events.search(deleted.project_id, queryOf())).total).toBe(0);
  });
});

/** The files of a folder and of those in it. The engine removes folders while they are listed. */
function filesBelow(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
  });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** The engine removes files meanwhile. */
function contains(path: string, text: string): boolean {
  try {
    return readFileSync(path).includes(text);
  } catch {
    return false;
  }
}
