import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type * as hyparquet from 'hyparquet' with { 'resolution-mode': 'import' };
import type { ExportedProject } from '@assay/control-plane-client';
import { acceptEvent, parseExactJson, toWireEvent, type Event, type JsonObject } from '@assay/domain';
import { openEmbeddedEventLog, type EventLog } from '@assay/event-log';
import { encodeEventRow } from '@assay/event-rows';
import type { EventStore } from '@assay/event-store';
import { createChdbEventStore } from '@assay/event-store/chdb';
import { createMetrics } from '@assay/runtime';
import { silentLogger, waitFor } from '@assay/testing';
import { startS3Stub, type S3Stub } from '../../test/s3-stub.js';
import { makeReadParts } from '../events/read-parts.js';
import type { Rounds } from '../shared/run-rounds.js';
import type { ExportManifest } from './export-hour.js';
import { PARQUET_COLUMNS } from './parquet-file.js';
import { startObjectExport, type ObjectExportOptions } from './start-object-export.js';

const HOUR = 3_600_000;
const FOLDER = 'assay/project_id=';

describe('the export to an object store', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-object-export-'));
  let store: EventStore;
  let log: EventLog;
  let s3: S3Stub;
  let project: ExportedProject;
  let version = 1;
  let clock = 0;
  let runs: Rounds[] = [];
  beforeAll(async () => {
    store = createChdbEventStore({ dir: join(dir, 'events') });
    await store.administration.migrate();
    log = await openEmbeddedEventLog({ dir: join(dir, 'log'), logger: silentLogger });
  });
  beforeEach(async () => {
    // Half past: no hour ends within a test.
    const [realNow, shift] = [Date.now.bind(Date), HOUR / 2 - (Date.now() % HOUR)];
    jest.spyOn(Date, 'now').mockImplementation(() => realNow() + shift);
    s3 = await startS3Stub();
    clock = Date.now();
    const from = new Date(hourOf(clock)).toISOString();
    project = { projectId: randomUUID(), projectName: 'bot', format: 'ndjson', from };
  });
  afterEach(async () => {
    for (const run of runs) await run.stop();
    runs = [];
    await s3.stop();
    jest.restoreAllMocks();
  });
  afterAll(async () => {
    await store.administration.close();
    await log.close();
    rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  const hourOf = (time: number) => time - (time % HOUR);

  async function write(events: readonly Event[]): Promise<void> {
    const rows = events.map((event) => ({ bytes: Buffer.from(encodeEventRow(event)), version: version++ }));
    await store.writer.write({ rows, tombstones: [], changes: [], token: randomUUID() });
  }

  async function add(...sent: object[]): Promise<Event[]> {
    const context = { projectId: project.projectId, now: clock, newId: randomUUID };
    const events = sent.map(
      (fields) => acceptEvent({ event_type: 'model', inputs: { q: 1 }, ...fields } as never, context).event,
    );
    await write(events);
    return events;
  }

  function start(options: Partial<ObjectExportOptions> = {}) {
    const metrics = createMetrics({ processMetrics: false });
    const run = startObjectExport({
      objectStore: {
        ...{ endpoint: s3.endpoint, bucket: 'bucket', region: 'r', prefix: 'assay' },
        ...{ accessKeyId: 'a', secretAccessKey: 's' },
      },
      ...{ store, log, logger: silentLogger, metrics, everyMs: 20, flush: () => undefined },
      ...{ isOwner: () => true, now: () => clock },
      controlPlane: { exports: () => Promise.resolve({ projects: [project], next: null }) },
      ...options,
    });
    runs.push(run);
    return metrics;
  }

  /** Key of a file of an hour. */
  const keyIn = (hour: number, name: string) => {
    const [date, time] = new Date(hour).toISOString().split(/[T:]/);
    return `${FOLDER}${project.projectId}/date=${date}/hour=${time}/${name}`;
  };
  const manifestOf = (hour: number) => s3.objects.get(keyIn(hour, 'manifest.json'));
  /** Waits for the manifest of an hour, and checks its files. */
  async function exported(hour: number): Promise<{ manifest: ExportManifest; files: Buffer[] }> {
    await waitFor('the manifest', () => manifestOf(hour) !== undefined, { withinMs: 60_000 });
    const manifest = JSON.parse(manifestOf(hour)!.toString()) as ExportManifest;
    const files = manifest.files.map(({ name, bytes, sha256 }) => {
      const file = s3.objects.get(keyIn(hour, name))!;
      expect([file.length, createHash('sha256').update(file).digest('hex')]).toEqual([bytes, sha256]);
      return file;
    });
    return { manifest, files };
  }
  /** Files of an hour that no manifest names. */
  const strays = (hour: number, { files }: ExportManifest) => {
    const named = new Set([...files.map(({ name }) => name), 'manifest.json']);
    const prefix = keyIn(hour, '');
    return [...s3.objects.keys()].filter(
      (key) => key.startsWith(prefix) && !named.has(key.slice(prefix.length)),
    );
  };
  const lines = (files: readonly Buffer[]) =>
    files.flatMap((file) => gunzipSync(file).toString().trimEnd().split('\n')).filter((line) => line !== '');
  const idsOf = (files: readonly Buffer[]) =>
    lines(files).map((line) => (JSON.parse(line) as Event).event_id);

  /** As the API returns them. */
  async function wireEvents(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    const readParts = makeReadParts({ store });
    const { unread, events, parts } = await store.events.startPage(project.projectId, {
      ...{ filters: [], limit: 7_500, offset: 0, ordered: true },
    });
    expect([unread, events, parts]).not.toEqual([[], [], undefined]);
    const signal = new AbortController().signal;
    const page = await store.events.storedEvents(project.projectId, { from: 0, to: 4e9, limit: 7_500 });
    for await (const part of readParts(project.projectId, page, { signal }))
      for (const event of part)
        found.set(event.event_id, JSON.stringify(toWireEvent(event, { name: project.projectName })));
    expect([...found.keys()].sort()).toEqual([...ids].sort());
    return found;
  }

  const DIGITS = parseExactJson(
    '{"id":12345678901234567890,"half":0.5,"none":null,"text":"ü\\u0001\\n"}',
  ) as JsonObject;

  async function someEvents(): Promise<Event[]> {
    const session = randomUUID();
    return add(
      { event_id: session, session_id: session, event_type: 'session', event_name: 'chat' },
      { session_id: session, parent_id: session, inputs: DIGITS, outputs: { text: 'x'.repeat(200_000) } },
      { error: 'failed', end_time: clock + 0.5, start_time: clock - 0.25, metrics: { score: 1 } },
      ...Array.from({ length: 700 }, (_, index) => ({
        metadata: { index },
        start_time: clock - index * 60_000,
      })),
    );
  }

  it('has lines equal to those of the API, with every digit, and names its files with their sums', async () => {
    const events = await someEvents();
    const wire = await wireEvents(events.map(({ event_id }) => event_id));
    const hour = hourOf(Date.now());
    clock = hour + HOUR + 5 * 60_000;
    const metrics = start();
    const { manifest, files } = await exported(hour);
    expect(new Set(lines(files))).toEqual(new Set(wire.values()));
    expect(manifest).toMatchObject({
      rows: 703,
      format: 'ndjson',
      version: 1,
      project_id: project.projectId,
    });
    expect([manifest.from, manifest.to]).toEqual(
      [hour, hour + HOUR].map((time) => new Date(time).toISOString()),
    );
    await waitFor('the count', async () =>
      (await metrics.text()).includes('assay_object_export_events_total 703\n'),
    );
  });

  it('has Parquet with the values of the API in typed columns', async () => {
    const events = await someEvents();
    const wire = await wireEvents(events.map(({ event_id }) => event_id));
    project = { ...project, format: 'parquet' };
    const hour = hourOf(Date.now());
    clock = hour + HOUR + 5 * 60_000;
    start();
    const { files } = await exported(hour);
    const { parquetReadObjects } = createRequire(__filename)('hyparquet') as typeof hyparquet;
    let rows = 0;
    for (const file of files) {
      const bytes = new Uint8Array(file).buffer;
      for (const row of (await parquetReadObjects({ file: bytes })) as Record<string, unknown>[]) {
        rows++;
        const parsed = parseExactJson(wire.get(row.event_id as string)!) as JsonObject;
        const expected = PARQUET_COLUMNS.map(({ name, isJson }) => [
          name,
          isJson ? JSON.stringify(parsed[name]) : (parsed[name] ?? null),
        ]);
        expect(Object.entries(row).map(([name, value]) => [name, value ?? null])).toEqual(expected);
      }
    }
    expect(rows).toBe(703);
  });

  it('is in several files when an hour has much, which are exported in several turns', async () => {
    const large = Array.from({ length: 80 }, (_, index) => ({
      outputs: { text: 'x'.repeat(200_000) },
      start_time: clock - ((index * 37) % 80) * 600_000,
    }));
    const events = [...(await someEvents()), ...(await add(...large))];
    const hour = hourOf(Date.now());
    clock = hour + HOUR + 5 * 60_000;
    start({ maxFileBytes: 100_000 });
    const { manifest, files } = await exported(hour);
    expect(files.length).toBeGreaterThan(2);
    expect(manifest.files.map(({ rows }) => rows)).toEqual(files.map((file) => idsOf([file]).length));
    expect(idsOf(files).sort()).toEqual(events.map(({ event_id }) => event_id).sort());
  });

  it('has an event that starts in an hour that is exported already in the hour of its arrival, and again when it changes', async () => {
    const hour = hourOf(Date.now());
    clock = hour + HOUR + 5 * 60_000;
    start();
    expect((await exported(hour - 0)).manifest).toMatchObject({ rows: 0, files: [] });
    // The clock of the machine stands for a later hour: what is stored now is of an hour that is exported already.
    jest.spyOn(Date, 'now').mockImplementation(() => clock);
    try {
      const [late] = await add({ start_time: hour - 400 * HOUR });
      clock = hour + 2 * HOUR + 5 * 60_000;
      const first = await exported(hour + HOUR);
      expect(idsOf(first.files)).toEqual([late!.event_id]);
      await write([{ ...late!, metrics: { score: 1 } }]);
      clock = hour + 3 * HOUR + 5 * 60_000;
      const { files } = await exported(hour + 2 * HOUR);
      expect(lines(files).map((line) => JSON.parse(line) as unknown)).toMatchObject([
        { event_id: late!.event_id, metrics: { score: 1 } },
      ]);
    } finally {
      jest.restoreAllMocks();
    }
  });

  it('exports no hour before it is over by five minutes, nor one before its first', async () => {
    await add({});
    const hour = hourOf(Date.now());
    clock = hour + HOUR + 5 * 60_000 - 1;
    start();
    await waitFor('some looks', () => s3.requests.filter((name) => name.endsWith('_next_hour')).length > 0);
    expect(manifestOf(hour)).toBeUndefined();
    clock++;
    await exported(hour);
    expect([...s3.objects.keys()].filter((key) => key.endsWith('manifest.json'))).toHaveLength(1);
  });

  it('is once for an hour where several processes export it at the same time', async () => {
    const events = await someEvents();
    const hour = hourOf(Date.now());
    clock = hour + 4 * HOUR;
    for (let process = 0; process < 3; process++) start();
    for (let at = hour; at < hour + 3 * HOUR; at += HOUR) await exported(at);
    const { manifest, files } = await exported(hour);
    expect(idsOf(files).sort()).toEqual(events.map(({ event_id }) => event_id).sort());
    await waitFor('the others have deleted their files', () => strays(hour, manifest).length === 0);
    expect((await exported(hour)).manifest).toEqual(manifest);
  });

  it('keeps its files when the response to the manifest is lost, and counts them', async () => {
    await add({});
    const hour = hourOf(Date.now());
    clock = hour + HOUR + 5 * 60_000;
    const lost = new Set<string>();
    s3.fault = (request) => {
      if (!request.startsWith('PUT') || !request.endsWith('manifest.json') || lost.has(request))
        return undefined;
      lost.add(request);
      return 'lose-response';
    };
    const metrics = start();
    const { files } = await exported(hour);
    expect(files).toHaveLength(1);
    await waitFor('the count', async () =>
      (await metrics.text()).includes('assay_object_export_events_total 1\n'),
    );
    await exported(hour);
  });

  it('is complete after a process that ended between the files and the manifest, whose files no manifest names', async () => {
    const [event] = await add({});
    const hour = hourOf(Date.now());
    clock = hour + HOUR + 5 * 60_000;
    const isManifest = (request: string) => request.startsWith('PUT') && request.endsWith('manifest.json');
    s3.fault = (request) => (isManifest(request) ? 'drop' : undefined);
    start();
    await waitFor('a request for the manifest', () => s3.requests.some(isManifest));
    await runs.pop()!.stop();
    expect(manifestOf(hour)).toBeUndefined();
    s3.fault = () => undefined;
    start();
    const { manifest, files } = await exported(hour);
    expect(idsOf(files)).toEqual([event!.event_id]);
    expect(strays(hour, manifest)).toHaveLength(1);
  });

  it('retries a store that refuses, counts it, and loses nothing', async () => {
    const events = await someEvents();
    const hour = hourOf(Date.now());
    clock = hour + 3 * HOUR;
    s3.fault = (request) => (request.includes('/part-') ? 'refuse' : undefined);
    const warnings: unknown[] = [];
    const warn = (message: string, fields?: object, error?: unknown) =>
      void warnings.push([message, fields, error]);
    const metrics = start({ logger: { ...silentLogger, warn } });
    await waitFor('two failures', async () =>
      /assay_object_export_failures_total [2-9]/.test(await metrics.text()),
    );
    expect(await metrics.text()).toMatch(/assay_object_export_lag_seconds 0/);
    expect((warnings[0] as unknown[])[2]).toMatchObject({ details: { reason: 'PUT 403 AccessDenied' } });
    expect(JSON.stringify(warnings)).not.toContain('of a customer');
    expect(manifestOf(hour)).toBeUndefined();
    s3.fault = () => undefined;
    const { files } = await exported(hour);
    expect(idsOf(files).sort()).toEqual(events.map(({ event_id }) => event_id).sort());
  });

  it('exports nothing to a store that replaces objects although there is one', async () => {
    await add({});
    const hour = hourOf(Date.now());
    clock = hour + 3 * HOUR;
    const { apply } = { apply: s3.objects.has.bind(s3.objects) };
    s3.objects.has = () => false;
    const metrics = start();
    await waitFor('a failure', async () =>
      /assay_object_export_failures_total [1-9]/.test(await metrics.text()),
    );
    expect([...s3.objects.keys()]).toEqual(['assay/_assay_check']);
    s3.objects.has = apply;
    await exported(hour);
  });

  it('gives another project its turn after each file, and removes the files of one that is not exported any more', async () => {
    const texts = Array.from({ length: 60 }, () => ({ outputs: { text: 'x'.repeat(200_000) } }));
    await add(...texts);
    const loud = project;
    project = { ...project, projectId: randomUUID() };
    await add({});
    const quiet = project;
    clock = hourOf(Date.now()) + HOUR + 5 * 60_000;
    const quietManifest = keyIn(hourOf(Date.now()), 'manifest.json');
    const exports = () =>
      Promise.resolve({ projects: s3.objects.has(quietManifest) ? [quiet] : [loud, quiet], next: null });
    const keysOf = (id: string) => [...s3.objects.keys()].filter((key) => key.includes(id));
    start({ maxFileBytes: 100_000, controlPlane: { exports } });
    await waitFor('the hour of the quiet project', () => s3.objects.has(quietManifest));
    const ofLoud = s3.requests.filter((request) => request.includes(loud.projectId));
    const files = ofLoud.filter((request) => request.startsWith('PUT') && request.includes('/part-'));
    expect(files.length).toBeGreaterThan(0);
    expect(files.length).toBeLessThan(texts.length);
    await waitFor('no file of the loud one is left', () => keysOf(loud.projectId).length === 0);
  });

  it('is done by the owner alone', async () => {
    await add({});
    clock = hourOf(Date.now()) + 3 * HOUR;
    let asked = 0;
    start({ isOwner: () => ++asked < 0 });
    await waitFor('some questions', () => asked > 3);
    expect(s3.requests).toEqual([]);
  });
});
