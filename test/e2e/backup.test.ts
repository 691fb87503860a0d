import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@assay/testing';
import { runCommand } from '../harness/processes/run-command.js';
import { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import type { Stack } from '../harness/stack/stack.js';
import { fillProject } from './moved-project.js';

const seed = Date.now() % 2 ** 31;
const EVENTS = 300;
/** Events that are acknowledged before the backup, and while it is written. */
const STREAMED = 150;
const PATIENT = { withinMs: 120_000 };

interface Project {
  readonly id: string;
  readonly api_key: string;
}

describe(`a backup of the running process (seed ${seed})`, () => {
  const source = onStack(startStandalone);
  const root = mkdtempSync(join(tmpdir(), 'assay-backup-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const backup = (dir: string) =>
    runCommand(['backup', dir], {
      ASSAY_URL: source.stack.baseUrl,
      ASSAY_ADMIN_TOKEN: source.stack.adminToken,
    });
  const dataFolder = () => join(source.stack.dir, 'data');

  /** Starts a process on `cp -a` of a backup. Its first key is not that of the backup. */
  async function restore(dir: string): Promise<Stack> {
    const copy = `${dir}-restored`;
    execFileSync('cp', ['-a', dir, copy]);
    return startStandalone({ ASSAY_DATA_DIR: copy, ASSAY_API_KEY: 'a-key-that-nobody-uses-here' });
  }
  async function queueOf(key: string, marker: string): Promise<string> {
    const filterArray = [{ field: 'metadata.marker', operator: 'is', value: marker, type: 'string' }];
    const created = await source.client.post('/v1/queues', { name: 'q', filters: { filterArray } }, { key });
    return created.json<{ queue: { id: string } }>().queue.id;
  }
  async function send(key: string, marker: string): Promise<string> {
    const event = { event_type: 'tool', inputs: { marker }, metadata: { marker } };
    const response = await source.client.post('/v1/events', event, { key });
    expect(response.status).toBe(200);
    return response.json<{ event_id: string }>().event_id;
  }
  async function idsOf(client: Client, key: string): Promise<string[]> {
    const found = await client.post(
      '/v1/events/search',
      { filters: [], limit: 1_000 },
      { key, headers: { prefer: 'wait=30' } },
    );
    expect([found.status, found.headers.get('assay-freshness')]).toEqual([200, 'current']);
    return found
      .json<{ events: { event_id: string; event_type: string }[] }>()
      .events.filter(({ event_type }) => event_type === 'tool')
      .map(({ event_id }) => event_id)
      .sort();
  }
  async function idsInQueue(client: Client, key: string, queue: string): Promise<string[]> {
    const listed = await client.call('GET', `/v1/queues/${queue}/events?limit=1000`, { key });
    expect(listed.status).toBe(200);
    const ids = listed.json<{ events: { event_id: string }[] }>().events.map(({ event_id }) => event_id);
    return ids.sort();
  }

  it('has everything that was acknowledged before it, once, and works after cp -a', async () => {
    const { name } = await fillProject(source.client, { seed, events: EVENTS });
    const exported = join(root, 'exported');
    const project = { ASSAY_URL: source.stack.baseUrl, ASSAY_API_KEY: source.stack.apiKey };
    expect(await runCommand(['export', name, exported], project)).toMatchObject({ code: 0 });
    const created = await source.client.post(
      '/v1/projects',
      { name: randomUUID() },
      { key: source.stack.adminToken },
    );
    const { api_key: key } = created.json<Project>();
    const marker = randomUUID();
    const queue = await queueOf(key, marker);
    const before: string[] = [];
    while (before.length < STREAMED) before.push(await send(key, marker));
    const during: string[] = [];
    const dir = join(root, 'first');
    let isWritten = false;
    const writing = backup(dir).finally(() => (isWritten = true));
    while (!isWritten || during.length < STREAMED) during.push(await send(key, marker));
    expect(await writing).toMatchObject({ code: 0 });
    expect(existsSync(`${dir}.partial`)).toBe(false);
    expect(existsSync(join(dataFolder(), 'events', 'shadow'))).toBe(false);

    const restored = await restore(dir);
    const client = new Client(restored);
    const there = { ASSAY_URL: restored.baseUrl, ASSAY_API_KEY: source.stack.apiKey };
    const verified = await runCommand(['verify', exported], there);
    expect(verified).toMatchObject({ code: 0, stderr: '' });
    expect(verified.stdout).toMatch(/ 0 differences\n$/);
    const found = await idsOf(client, key);
    expect(found).toEqual([...new Set(found)]);
    expect(found).toEqual(expect.arrayContaining(before));
    expect([...before, ...during]).toEqual(expect.arrayContaining(found));
    await waitFor(
      'every event is in the queue, once',
      async () => JSON.stringify(await idsInQueue(client, key, queue)) === JSON.stringify(found),
      PATIENT,
    );
    const more = await client.post('/v1/events', { event_type: 'tool', inputs: {} }, { key });
    expect(more.status).toBe(200);
    expect(await idsOf(client, key)).toHaveLength(found.length + 1);
    expect(await restored.stop()).toBe(true);
  }, 300_000);

  it('keeps symbolic links and modes', () => {
    const dir = join(root, 'first');
    const modeOf = (path: string) => statSync(path).mode & 0o777;
    expect([modeOf(dir), modeOf(join(dir, 'key-pepper')), modeOf(join(dir, 'documents'))]).toEqual([
      0o700, 0o600, 0o700,
    ]);
    expect(modeOf(join(dir, 'documents', 'documents.sqlite'))).toBe(0o600);
    expect(lstatSync(join(dir, 'events/metadata/assay')).isSymbolicLink()).toBe(true);
  });

  it('is refused where it cannot be written, and changes nothing there', async () => {
    const taken = join(root, 'taken');
    mkdirSync(`${taken}.partial`, { recursive: true });
    writeFileSync(join(`${taken}.partial`, 'mine'), 'kept');
    const file = join(root, 'file');
    writeFileSync(file, 'kept');
    for (const [dir, reason] of [
      [join(root, 'first'), 'exists and is not empty'],
      [file, 'exists and is not empty'],
      [taken, 'is of something else'],
      [join(root, 'missing', 'dir'), 'in a folder that exists'],
      [dataFolder(), 'outside of the data folder'],
      [join(dataFolder(), 'copy'), 'outside of the data folder'],
    ] as const) {
      const { code, stdout, stderr } = await backup(dir);
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(reason)]);
    }
    expect(readdirSync(`${taken}.partial`)).toEqual(['mine']);
    const post = (directory: unknown) =>
      source.client.post('/v1/backups', { directory }, { key: source.stack.adminToken });
    for (const directory of ['relative/path', '', 7, `${root}/a\0b`])
      expect((await post(directory)).status).toBe(400);
    const asProject = await source.client.post('/v1/backups', { directory: join(root, 'other') });
    expect([401, 403]).toContain(asProject.status);
  });

  it('is written one at a time, also into an empty folder', async () => {
    const empty = join(root, 'empty');
    mkdirSync(empty);
    const post = (directory: string) =>
      source.client.post('/v1/backups', { directory }, { key: source.stack.adminToken });
    const made = await Promise.all([post(empty), post(join(root, 'beside'))]);
    const statuses = made.map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409]);
    expect([empty, join(root, 'beside')].filter((dir) => existsSync(join(dir, 'backup.json')))).toHaveLength(
      1,
    );
  });
});
