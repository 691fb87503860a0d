import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { query } from 'chdb';
import { waitFor } from '@assay/testing';
import {
  ACCESS_KEY_ID,
  builtVersityGateway,
  SECRET_ACCESS_KEY,
  startVersityGateway,
  type VersityGateway,
} from '../harness/engines/versitygw/start-versitygw.js';
import { Client } from '../harness/stack/client.js';
import { readMetrics } from '../harness/stack/read-metrics.js';
import type { Stack } from '../harness/stack/stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';

const HOUR = 3_600_000;
const WITHIN = { withinMs: 60_000 };
const CLOCK = join(__dirname, '../harness/processes/clock-ahead.cjs');

interface Manifest {
  readonly rows: number;
  readonly from: string;
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
}

interface ExportedProject {
  readonly id: string;
  readonly client: Client;
}

// On a fresh machine, beside other builds.
beforeAll(async () => void (await builtVersityGateway()), 1_200_000);

const settings = ({ endpoint, bucket }: Pick<VersityGateway, 'endpoint' | 'bucket'>) => ({
  EXPORT_S3_ENDPOINT: endpoint,
  EXPORT_S3_BUCKET: bucket,
  EXPORT_S3_PREFIX: 'assay/tests',
  EXPORT_S3_ACCESS_KEY_ID: ACCESS_KEY_ID,
  EXPORT_S3_SECRET_ACCESS_KEY: SECRET_ACCESS_KEY,
});

async function projectWith(stack: Stack, format: string): Promise<ExportedProject> {
  const body = { name: randomUUID(), export: { format } };
  const made = await new Client(stack).post('/v1/projects', body, { key: stack.adminToken });
  expect(made.status).toBe(200);
  const { id, api_key } = made.json<{ id: string; api_key: string }>();
  return { id, client: new Client(stack, api_key) };
}

async function send({ client }: ExportedProject, events: readonly object[]): Promise<void> {
  for (let from = 0; from < events.length; from += 500) {
    const { status, text } = await client.post('/v1/events/batch', {
      events: events.slice(from, from + 500),
    });
    expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  }
}

const event = (fields: object = {}) => ({
  ...{ event_id: randomUUID(), session_id: randomUUID(), event_type: 'tool', inputs: { q: 'ü' } },
  ...{ start_time: Date.now(), metrics: { score: 0.25 }, metadata: { large: '12345678901234567890' } },
  ...fields,
});

describe('the export of a running process to an object store', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-clock-'));
  const clock = join(dir, 'ahead');
  let gateway: VersityGateway;
  let stack: Stack;
  beforeAll(async () => {
    gateway = await startVersityGateway();
    const NODE_OPTIONS = `--require=${CLOCK}`;
    stack = await startStandalone({ ...settings(gateway), NODE_OPTIONS, CLOCK_AHEAD_FILE: clock });
  });
  afterAll(async () => {
    await stack?.stop();
    await gateway?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  const folderOf = ({ id }: ExportedProject) => join(gateway.folder, 'assay/tests', `project_id=${id}`);
  const filesOf = (project: ExportedProject): string[] =>
    existsSync(folderOf(project))
      ? readdirSync(folderOf(project), { recursive: true, encoding: 'utf8' }).map((name) =>
          join(folderOf(project), name),
        )
      : [];
  const manifestsOf = (project: ExportedProject) =>
    filesOf(project)
      .filter((file) => file.endsWith('manifest.json'))
      .sort()
      .map((file) => ({ folder: dirname(file), ...(JSON.parse(readFileSync(file, 'utf8')) as Manifest) }));

  /** Kills the process, and starts it when so many hours have passed. Returns the manifests of all hours that are over. */
  async function after(hours: number, projects: readonly ExportedProject[]): Promise<void> {
    await stack.kill('standalone');
    writeFileSync(clock, String(hours * HOUR));
    await stack.start('standalone');
    const last = new Date(Date.now() + (hours - 1) * HOUR - 300_000).toISOString().slice(0, 13);
    for (const project of projects)
      await waitFor(
        'the hours that are over',
        () => (manifestsOf(project).at(-1)?.from.slice(0, 13) ?? '') >= last,
        WITHIN,
      );
  }

  /** Paths of the files of all manifests, whose sums are compared. */
  const exportedFiles = (project: ExportedProject) =>
    manifestsOf(project).flatMap(({ folder, files }) =>
      files.map(({ name, bytes, sha256 }) => {
        const file = readFileSync(join(folder, name));
        expect([file.length, createHash('sha256').update(file).digest('hex')]).toEqual([bytes, sha256]);
        return join(folder, name);
      }),
    );
  const lines = (project: ExportedProject) =>
    exportedFiles(project).flatMap((file) => gunzipSync(readFileSync(file)).toString().trimEnd().split('\n'));
  async function apiLines({ client }: ExportedProject): Promise<string[]> {
    const headers = { accept: 'application/x-ndjson', prefer: 'wait=30' };
    const { status, text } = await client.call('POST', '/v1/events/export', {
      body: { filters: [] },
      headers,
    });
    expect(status).toBe(200);
    return text.trimEnd().split('\n');
  }
  /** Lines without those that are known: a process that was killed may have stored some events again. */
  const newIn = (project: ExportedProject, known: readonly string[]) => {
    const before = new Set(known);
    return [...new Set(lines(project))].filter((line) => !before.has(line));
  };
  const sorted = (texts: readonly string[]) => [...texts].sort();

  it('has what the API returns, in both formats, with late events in the hour of their arrival, through kills', async () => {
    const [asLines, asParquet] = [await projectWith(stack, 'ndjson'), await projectWith(stack, 'parquet')];
    const projects = [asLines, asParquet];
    const events = Array.from({ length: 1_200 }, (_, index) =>
      event({ start_time: Date.now() - index * 60_000 }),
    );
    for (const project of projects) await send(project, events);
    const wire = new Map<ExportedProject, string[]>();
    for (const project of projects) wire.set(project, await apiLines(project));
    expect(manifestsOf(asLines)).toEqual([]);
    expect((await asLines.client.call('GET', '/v1/status')).json()).toMatchObject({ object_export: true });
    await after(2, projects);

    expect(sorted(lines(asLines))).toEqual(sorted(wire.get(asLines)!));
    const rows = exportedFiles(asParquet).flatMap((file) =>
      query(`SELECT * FROM file('${file}', Parquet)`, 'JSONEachRow').toString().trimEnd().split('\n'),
    );
    const parsed = rows.map((row) => JSON.parse(row) as Record<string, string | number | null>);
    const ofApi = wire.get(asParquet)!.map((line) => JSON.parse(line) as Record<string, unknown>);
    const byId = new Map(parsed.map((row) => [row.event_id, row]));
    expect([byId.size, parsed.length]).toEqual([ofApi.length, ofApi.length]);
    for (const one of ofApi)
      for (const [name, value] of Object.entries(one))
        expect([name, byId.get(one.event_id as string)?.[name]]).toEqual([
          name,
          typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
        ]);

    const late = event({ start_time: Date.now() - 30 * 24 * HOUR });
    await send(asLines, [late]);
    await apiLines(asLines);
    await after(4, projects);
    const arrived = newIn(asLines, wire.get(asLines)!).map(
      (line) => (JSON.parse(line) as typeof late).event_id,
    );
    expect(sorted(arrived)).toEqual(sorted([late.event_id, late.session_id]));

    const many = Array.from({ length: 4_000 }, () => event());
    await send(asLines, many);
    await apiLines(asLines);
    const before = filesOf(asLines).length;
    await stack.kill('standalone');
    writeFileSync(clock, String(6 * HOUR));
    await stack.start('standalone');
    // Between the first file of the hours and their manifests, or after one of them.
    await waitFor('a file', () => filesOf(asLines).length > before, { ...WITHIN, pollIntervalMs: 1 });
    await after(6, projects);
    expect(sorted(newIn(asLines, []))).toEqual(sorted(await apiLines(asLines)));
    const froms = manifestsOf(asLines).map(({ from }) => Date.parse(from));
    expect(froms).toEqual(froms.map((_, index) => froms[0]! + index * HOUR));
    expect(await readMetrics(stack.adminUrl('standalone'))).toMatch(/assay_object_export_lag_seconds \d/);
  });
});

describe('the export to an object store that does not accept it', () => {
  let gateway: VersityGateway;
  let stack: Stack | undefined;
  afterEach(async () => {
    await stack?.stop();
    await gateway.stop();
  });

  it.each([
    ['a wrong key', {}, { EXPORT_S3_SECRET_ACCESS_KEY: 'not-the-key' }, 'PUT 403 SignatureDoesNotMatch'],
    ['no such bucket', {}, { EXPORT_S3_BUCKET: 'another' }, 'PUT 404 NoSuchBucket'],
    ['a server that replaces objects', { knowsConditions: false }, {}, 'If-None-Match is ignored'],
  ])('reports %s in the log and as a metric, without the key', async (_, options, environment, message) => {
    gateway = await startVersityGateway(options);
    stack = await startStandalone({ ...settings(gateway), ...environment });
    await projectWith(stack, 'ndjson');
    // It looks at its start.
    await stack.terminate('standalone');
    await stack.start('standalone');
    const log = join(stack.dir, 'standalone.log');
    await waitFor('the message', () => readFileSync(log, 'utf8').includes(message), WITHIN);
    const text = readFileSync(log, 'utf8');
    for (const secret of [SECRET_ACCESS_KEY, ACCESS_KEY_ID, 'not-the-key'])
      expect(text).not.toContain(secret);
    expect(await readMetrics(stack.adminUrl('standalone'))).toMatch(
      /assay_object_export_failures_total [1-9]/,
    );
  });
});
