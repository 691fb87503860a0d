import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, type Dirent } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeRecord, type DeletionReceipt } from '@assay/contracts';
import type { BegunDeletion, ForwardedEvent } from '@assay/control-plane-client';
import { acceptEvent, NO_REDACTION, pendingEvaluation, type Event } from '@assay/domain';
import { AppError } from '@assay/errors';
import { openEmbeddedEventLog, type EventLog } from '@assay/event-log';
import { createChdbEventStore, type EmbeddedEventStore } from '@assay/event-store/chdb';
import { storeValuesPlainly } from '@assay/event-store/test/purge-fixture';
import { encodeEventRow } from '@assay/event-rows';
import { ByteBudget, serve } from '@assay/http';
import { createMetrics } from '@assay/runtime';
import { silentLogger, waitFor } from '@assay/testing';
import { composeDataPlane, type DataPlane } from '../compose.js';

const DAY = 86_400_000;
const PATIENT = { withinMs: 60_000, pollIntervalMs: 400 };
/** A look at all files reads tens of megabytes. */
const PATIENT_ON_FILES = { withinMs: 60_000, pollIntervalMs: 500 };
const LOG_MS = 3_600_000;

/** Deletions by filters, on the embedded log and store; a key is the id of its project. */
describe('a deletion', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-deletions-'));
  let log: EventLog;
  let store: EmbeddedEventStore;
  let dataPlane: DataPlane;
  let serving: Awaited<ReturnType<typeof serve>>;
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const begun: BegunDeletion[] = [];
  const forwarded: ForwardedEvent[] = [];
  const refused = () => Promise.reject(new AppError('UNAVAILABLE', 'not asked here'));

  async function openStores() {
    const retention = { maxAgeMs: LOG_MS };
    log = await openEmbeddedEventLog({ dir: join(dir, 'log'), logger: silentLogger, retention, now });
    store = createChdbEventStore({ dir: join(dir, 'events'), database: 'assay' });
    await store.administration.migrate();
  }
  async function start() {
    const metrics = createMetrics({ processMetrics: false });
    const controlPlane = {
      forwardEvents: (batch: readonly ForwardedEvent[]) => Promise.resolve(void forwarded.push(...batch)),
      recordDeletion: (deletion: BegunDeletion) => Promise.resolve(void begun.push(deletion)),
      recordAdministration: () => Promise.resolve(),
      deletedProjects: () => Promise.resolve([]),
      exports: () => Promise.resolve({ projects: [], next: null }),
      retentions: () => Promise.resolve({ projects: [], next: null }),
      routingFilters: () => Promise.resolve([]),
      claimBackfill: () => Promise.resolve(undefined),
      claimAlert: () => Promise.resolve(undefined),
      saveAlert: refused,
      ...{ removeExpired: refused, createDatapoints: refused, queueEntries: refused, startBackfill: refused },
      ...{ saveJob: refused, addToQueue: refused, annotationMetrics: refused, runs: refused, chart: refused },
      ...{ runLinks: refused, markQueueEvent: refused, leaseQueueEvent: refused, deployedMetrics: refused },
    };
    dataPlane = await composeDataPlane({
      ...{ log, store, controlPlane, redaction: NO_REDACTION, logger: silentLogger, metrics, now },
      ...{ logRetentionMs: LOG_MS, readAfterWriteTimeoutMs: 2_000, epochs: { isExclusive: true } },
      forward: { retryMaxMs: 1_000, summaries: true },
      onReplaced: (error) => {
        throw error;
      },
      deletedProjectsEveryMs: 60_000,
      purge: { withinMs: 24 * 500, maxBytesPerHour: 1024 ** 4, pollMs: 20, rest: 0 },
      deletionTimes: { everyMs: 200, waitingEveryMs: 1_000 },
    });
    serving = await serve({
      ...{ host: '127.0.0.1', port: 0, adminPort: 0, bindings: dataPlane.routes },
      authenticator: {
        authenticate: (key) =>
          Promise.resolve({ projectId: key, projectName: key, keyId: 'k1', scope: 'project' as const }),
      },
      budget: new ByteBudget({ maxBytes: 100_000_000 }),
      ...{ openApi: { version: 'test' }, logger: silentLogger, metrics, checks: {} },
    });
  }
  async function stop() {
    await serving.close(1_000);
    await dataPlane.stop();
  }
  beforeAll(async () => {
    await openStores();
    await storeValuesPlainly(join(dir, 'events'), 'assay');
    await start();
  }, 120_000);
  afterAll(async () => {
    await stop();
    await store.administration.close();
    await log.close();
    rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  async function call(project: string, method: string, path: string, body?: object) {
    const response = await fetch(serving.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${project}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, body: JSON.parse(text) as Record<string, unknown> };
  }
  const newProject = () => `project-${randomUUID()}`;
  const newCanary = () => `canary${randomBytes(24).toString('hex')}`;
  function eventOf(projectId: string, fields: object = {}): Event {
    const context = { projectId, now: now(), newId: randomUUID };
    return acceptEvent({ event_type: 'tool', inputs: { q: 1 }, ...fields } as never, context).event;
  }
  async function send(...events: readonly Event[]) {
    const records = events.map((event) => {
      const value = Buffer.from(encodeEventRow(event));
      const { project_id: projectId, event_id: eventId } = event;
      return encodeRecord({ kind: 'event', projectId, eventId, fresh: false, value });
    });
    await log.append(records);
    const end = await log.end();
    await waitFor('the events are stored', async () => isAt(await log.position('store'), end), PATIENT);
  }
  const isAt = (position: ReadonlyMap<number, number>, end: ReadonlyMap<number, number>) =>
    [...end].every(([partition, offset]) => (position.get(partition) ?? 0) >= offset);
  const remaining = async (project: string) => {
    const page = await store.events.search(project, { filters: [], limit: 1_000, offset: 0, ordered: true });
    return page.events.map(({ event_id }) => event_id);
  };
  const ofUser = (user: string) => [{ field: 'user_properties.user_id', operator: 'is', value: user }];
  async function begin(project: string, body: object): Promise<string> {
    const made = await call(project, 'POST', '/v1/deletions', body);
    expect([made.status, made.text]).toEqual([200, expect.any(String)]);
    return made.body.id as string;
  }
  const receipt = async (project: string, id: string) => {
    const read = await call(project, 'GET', `/v1/deletions/${id}`);
    return { ...read, receipt: read.body.deletion as DeletionReceipt };
  };
  const reaches = (project: string, id: string, ...states: readonly string[]) =>
    waitFor(
      `the deletion is ${states.join(' or ')}`,
      async () => states.includes((await receipt(project, id)).receipt.state),
      PATIENT,
    );
  const filesWith = (text: string) => filesBelow(dir).filter((path) => contains(path, text));

  it('counts first, then deletes the events of a user with the sessions that match, and says what it did', async () => {
    const project = newProject();
    const user = { user_properties: { user_id: 'u1' } };
    const session = eventOf(project, { event_type: 'session', ...user });
    session.session_id = session.event_id;
    const member = eventOf(project, { session_id: session.event_id });
    const single = eventOf(project, user);
    const kept = eventOf(project, { user_properties: { user_id: 'u2' } });
    const foreign = eventOf(newProject(), user);
    await send(session, member, single, kept, foreign);
    const evaluation = pendingEvaluation(
      { id: 'metric', version: 'v1', name: 'accuracy' },
      { fingerprint: 'f', trigger: 1, decidedAt: now() },
    );
    const eventName = { projectId: project, eventId: single.event_id, logPartition: 0 };
    await store.writer.writeEvaluations([{ ...evaluation, ...eventName }], randomUUID());

    const dry = await call(project, 'POST', '/v1/deletions', { filters: ofUser('u1'), dry_run: true });
    expect(dry.body).toEqual({ id: null, count: 2, sessions: 1, matches_all: false });
    expect((await remaining(project)).length).toBe(4);
    const id = await begin(project, { filters: ofUser('u1') });
    await reaches(project, id, 'deleted', 'erased', 'verified');
    expect(await remaining(project)).toEqual([kept.event_id]);
    expect(await remaining(foreign.project_id)).toEqual([foreign.event_id]);
    const { receipt: found, text } = await receipt(project, id);
    expect(found).toMatchObject({
      matched: 2,
      rows: { events: 3, event_payloads: 3, event_changes: 0, evaluations: 1 },
      control_plane: true,
    });
    const end = [...(await log.end()).values()];
    expect(found.log.positions).toEqual([{ partition: 0, position: end[0] }]);
    expect(Date.parse(found.log.gone_after ?? '')).toBe(
      Date.parse(found.deleted_at ?? '') + (LOG_MS * 9) / 8,
    );
    expect(text).not.toContain('u1');
    expect(begun.find(({ deletionId }) => deletionId === id)).toMatchObject({
      projectId: project,
      by: { keyId: 'k1' },
    });
    const deletes = forwarded.filter((one) => one.kind === 'delete' && one.projectId === project);
    expect(deletes.length).toBe(2);
  });

  it('is of a range of starts, and leaves others with the same filters', async () => {
    const project = newProject();
    const old = eventOf(project, { start_time: now() - 9 * DAY });
    const young = eventOf(project, { start_time: now() - DAY });
    await send(old, young);
    const lastStart = new Date(now() - 5 * DAY).toISOString();
    const id = await begin(project, { dateRange: { $lte: lastStart } });
    await reaches(project, id, 'deleted', 'erased', 'verified');
    expect(await remaining(project)).toEqual([young.event_id]);
  });

  it('leaves no value in any file, deletes what arrives late, and forgets its filters after 30 days', async () => {
    const project = newProject();
    const [user, kept] = [newCanary(), newCanary()];
    const values = { inputs: { q: `${user}-1` }, metadata: { m: `${user}-2` } };
    const events = Array.from({ length: 3 }, () =>
      eventOf(project, { ...values, user_properties: { user_id: user } }),
    );
    await send(...events, eventOf(project, { inputs: { q: kept } }));
    const id = await begin(project, { filters: ofUser(user) });
    await reaches(project, id, 'verified');
    expect((await remaining(project)).length).toBe(1);
    expect(filesWith(`${user}-1`).filter((path) => path.includes('/events/'))).toEqual([]);

    const late = eventOf(project, {
      ...values,
      start_time: now() - DAY,
      user_properties: { user_id: user },
    });
    await send(late);
    await waitFor('the late event is gone', async () => (await remaining(project)).length === 1, PATIENT);
    // The same record again, an update, and one that starts after the request.
    await send(late);
    const young = eventOf(project, { start_time: now(), user_properties: { user_id: 'other' } });
    await send(young);
    await reaches(project, id, 'verified');
    expect((await receipt(project, id)).receipt).toMatchObject({ matched: 4, rows: { events: 4 } });
    expect((await remaining(project)).length).toBe(2);

    ahead = 31 * DAY;
    const isOpen = async () => (await store.deletions.open(project)).length > 0;
    await waitFor('the deletion is closed', async () => !(await isOpen()), PATIENT);
    // A record of another segment, so that the log removes those before it.
    await send(eventOf(newProject()));
    ahead += DAY;
    await send(eventOf(newProject()));
    await waitFor(
      'the log has removed it',
      async () => (await receipt(project, id)).receipt.log.gone,
      PATIENT,
    );
    const hasNoValue = () => filesWith(user).length === 0;
    await waitFor('no file has a value', hasNoValue, PATIENT_ON_FILES).catch(() => undefined);
    expect(filesWith(user)).toEqual([]);
    expect(filesWith(kept)).not.toEqual([]);
    const after = await receipt(project, id);
    expect(after.receipt.state).toBe('verified');
    expect(after.text).not.toContain('canary');
    ahead = 0;
  }, 300_000);

  it('is continued after the process has stopped in the middle', async () => {
    const project = newProject();
    await send(
      ...Array.from({ length: 1_700 }, () => eventOf(project, { event_name: 'mine' })),
      eventOf(project),
    );
    const filters = [{ field: 'event_name', operator: 'is', value: 'mine' }];
    const id = await begin(project, { filters });
    const started = async () => (await receipt(project, id)).receipt.matched > 0;
    await waitFor('it has begun', started, { ...PATIENT, pollIntervalMs: 5 });
    await stop();
    await start();
    await reaches(project, id, 'deleted', 'erased', 'verified');
    expect((await remaining(project)).length).toBe(1);
  });

  it('of everything needs the count of a dry run', async () => {
    const project = newProject();
    await send(eventOf(project), eventOf(project));
    const post = (body: object) => call(project, 'POST', '/v1/deletions', body);
    for (const matching of [{}, { filters: [{ field: 'event_type', operator: 'is', value: 'tool' }] }]) {
      const dry = await post({ ...matching, dry_run: true });
      expect(dry.body).toEqual({ id: null, count: 2, sessions: 0, matches_all: true });
      for (const confirm of [undefined, 1, 3]) {
        const one = await post({ ...matching, confirm });
        expect([one.status, one.body.message]).toEqual([
          400,
          expect.stringMatching(/^confirm must be the count/),
        ]);
      }
    }
    expect((await remaining(project)).length).toBe(2);
    expect(await store.deletions.open(project)).toEqual([]);
    const id = await begin(project, { confirm: 2 });
    await reaches(project, id, 'deleted', 'erased', 'verified');
    expect(await remaining(project)).toEqual([]);
  });

  it.each([
    [{ filter: [] }, /filter\b/],
    [{ filters: [{ field: 'metadata.a', operator: 'resembles', value: 'secret' }] }, /filters\[0\]|operator/],
    [{ filters: [{ fields: 'a' }] }, /filters\[0\]/],
    [{ filters: 'all' }, /filters/],
    [{ dateRange: { $gte: 'secret' } }, /dateRange/],
    [{ dry_run: 'secret' }, /dry_run/],
    [{ confirm: -1 }, /confirm/],
  ])('%j is refused with the name of the field', async (body, message) => {
    const response = await call(newProject(), 'POST', '/v1/deletions', body);
    expect([response.status, response.body.message]).toEqual([400, expect.stringMatching(message)]);
    expect(response.body.message).not.toContain('secret');
  });

  it('cannot be sent twice while it runs, nor be read by another project', async () => {
    const project = newProject();
    const body = { filters: [{ field: 'metadata.a', operator: 'is', value: 'secret' }] };
    // Nothing reads the log any more, so that the deletion waits.
    await dataPlane.stop();
    const post = () => call(project, 'POST', '/v1/deletions', body);
    const sent = await Promise.all(Array.from({ length: 8 }, post));
    const id = sent.find(({ status }) => status === 200)?.body.id as string;
    expect(sent.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(409)]);
    expect((await post()).body.message).toBe(`the deletion ${id} has these filters`);
    expect((await store.deletions.open(project)).map((one) => one.id)).toEqual([id]);
    expect((await receipt(project, id)).receipt).toMatchObject({
      state: 'running',
      matched: 0,
      control_plane: false,
    });
    const foreign = await call(newProject(), 'GET', `/v1/deletions/${id}`);
    expect([foreign.status, foreign.body.message]).toEqual([404, 'deletion not found']);
    await begin(newProject(), body);
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
