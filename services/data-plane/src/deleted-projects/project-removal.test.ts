import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeRecord } from '@assay/contracts';
import { acceptEvent, type Event } from '@assay/domain';
import { unavailable } from '@assay/errors';
import { openEmbeddedEventLog, type EventLog } from '@assay/event-log';
import type { EventStore } from '@assay/event-store';
import { createChdbEventStore } from '@assay/event-store/chdb';
import { encodeEventRow } from '@assay/event-rows';
import { createMetrics, type Logger, type LogFields } from '@assay/runtime';
import { startStoreReader } from '../ingest/start-store-reader.js';
import { FIRST_EPOCH } from '../../test/store-batch-fixture.js';
import { DeletedProjects } from './deleted-projects.js';
import { startProjectRemoval } from './start-project-removal.js';

const NOW = 1_790_000_000_000;
const dir = mkdtempSync(join(tmpdir(), 'assay-project-removal-'));
const logged: { phrase: string; fields: LogFields }[] = [];
const note = (phrase: string, fields: LogFields = {}) => void logged.push({ phrase, fields });
const logger: Logger = { error: note, warn: note, info: note, debug: note };
let store: EventStore;
let log: EventLog;
let stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  store = createChdbEventStore({ dir: join(dir, 'events') });
  await store.administration.migrate();
});
beforeEach(async () => {
  log = await openEmbeddedEventLog({ dir: join(dir, randomUUID()), logger });
});
afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  stops = [];
  await log.close();
});
afterAll(async () => {
  await store.administration.close();
  rmSync(dir, { recursive: true, force: true });
});

/** A control plane with deleted projects. */
class Deletions {
  readonly deleted = new Set<string>();
  isReachable = true;
  calls = 0;
  /** Resolves when a control plane that hangs responds again. */
  hanging: Promise<unknown> = Promise.resolve();
  readonly deletedProjects = async (ids: readonly string[]): Promise<readonly string[]> => {
    this.calls++;
    await this.hanging;
    if (!this.isReachable) return Promise.reject(unavailable('unreachable'));
    return ids.filter((id) => this.deleted.has(id));
  };
}

/** One data-plane process on the log and the store. */
async function aDataPlane(controlPlane: Deletions, everyMs = 20) {
  const metrics = createMetrics({ processMetrics: false });
  const deletedProjects = new DeletedProjects({ controlPlane, now: Date.now });
  const progress = {
    startAt: () => Promise.resolve(new Map()),
    stored: () => {},
    stop: () => Promise.resolve(),
  };
  const reader = await startStoreReader({
    ...{ log, store, logger, metrics },
    versions: FIRST_EPOCH,
    progress,
    deletedProjects,
  });
  stops.push(() => reader.stop());
  const forget = (projectId: string) => reader.forget(projectId);
  const removal = startProjectRemoval({ store, deletedProjects, forget, logger, metrics, everyMs });
  stops.push(() => removal.stop());
  return { metrics, reader, removal };
}

function eventOf(projectId: string): Event {
  const context = { projectId, now: NOW, newId: randomUUID };
  return acceptEvent({ event_type: 'model', inputs: { q: 1 } }, context).event;
}

async function append(projectId: string, count: number): Promise<void> {
  const events = Array.from({ length: count }, () => eventOf(projectId));
  await log.append(
    events.flatMap(({ event_id: eventId, ...event }) => [
      encodeRecord({
        kind: 'event',
        projectId,
        eventId,
        fresh: false,
        value: Buffer.from(encodeEventRow({ ...event, event_id: eventId })),
      }),
      encodeRecord({
        kind: 'patch',
        projectId,
        eventId,
        fresh: false,
        value: Buffer.from('{"metrics":{"a":1}}'),
      }),
    ]),
  );
}

async function waitFor(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('not in time');
    await new Promise((resume) => setTimeout(resume, 10));
  }
}

async function stored(): Promise<void> {
  const end = await log.end();
  await waitFor(async () => {
    const position = await log.position('store');
    return [...end].every(([partition, offset]) => (position.get(partition) ?? 0) >= offset);
  });
}

const isRemoved = async (projectId: string) => !(await store.administration.projectIds()).includes(projectId);
const count = async (projectId: string) =>
  (await store.events.search(projectId, { filters: [], limit: 1, offset: 0, ordered: false })).total;

describe('the data of a deleted project', () => {
  let [removed, other] = ['', ''];
  beforeEach(() => ([removed, other] = [randomUUID(), randomUUID()]));

  it('is removed from the event store, and that of another project is kept', async () => {
    const controlPlane = new Deletions();
    const { metrics } = await aDataPlane(controlPlane);
    await append(removed, 30);
    await append(other, 30);
    await stored();
    controlPlane.deleted.add(removed);
    await waitFor(() => isRemoved(removed));
    expect(await count(other)).toBe(30);
    const line = () => logged.find(({ fields }) => fields['projectId'] === removed);
    await waitFor(() => Promise.resolve(line() !== undefined));
    expect(line()).toEqual({
      phrase: 'removed the events of a deleted project',
      fields: { projectId: removed, rows: expect.any(Number) as number },
    });
    expect(Number(line()?.fields['rows'])).toBeGreaterThanOrEqual(90);
    expect(await metrics.text()).toContain('assay_deleted_projects_pending 0');
  });

  it('is not stored from records that arrive later or are read again by another process', async () => {
    const controlPlane = new Deletions();
    controlPlane.deleted.add(removed);
    const { metrics } = await aDataPlane(controlPlane, 60_000);
    await append(removed, 5);
    await append(other, 5);
    await stored();
    expect(await isRemoved(removed)).toBe(true);
    expect(await count(other)).toBe(5);
    expect(await metrics.text()).toContain('assay_deleted_project_records_total 10');
  });

  it('is removed later when the control plane is unreachable, which delays no event', async () => {
    const controlPlane = new Deletions();
    controlPlane.deleted.add(removed);
    controlPlane.isReachable = false;
    await aDataPlane(controlPlane);
    await append(removed, 5);
    await stored();
    expect(await count(removed)).toBe(5);
    controlPlane.isReachable = true;
    await waitFor(() => isRemoved(removed));
  });

  it('is removed later when the control plane hangs, which delays no event', async () => {
    const controlPlane = new Deletions();
    controlPlane.deleted.add(removed);
    let respond = () => undefined as void;
    controlPlane.hanging = new Promise<void>((resolve) => (respond = resolve));
    await aDataPlane(controlPlane);
    for (const project of [removed, other]) {
      await append(project, 5);
      await stored();
      expect(await count(project)).toBe(5);
    }
    respond();
    await waitFor(() => isRemoved(removed));
    expect(await count(other)).toBe(5);
  });

  it('is removed by two processes of which one stops in between', async () => {
    const controlPlane = new Deletions();
    const [one] = [await aDataPlane(controlPlane), await aDataPlane(controlPlane)];
    await append(removed, 100);
    await stored();
    controlPlane.deleted.add(removed);
    await one.removal.stop();
    await waitFor(() => isRemoved(removed));
  });

  it('is looked up once for each new project, not for each batch', async () => {
    const controlPlane = new Deletions();
    await aDataPlane(controlPlane, 60_000);
    await append(other, 1);
    await stored();
    const { calls } = controlPlane;
    for (let batch = 0; batch < 3; batch++) {
      await append(other, 1);
      await stored();
    }
    expect(controlPlane.calls).toBe(calls);
  });
});
