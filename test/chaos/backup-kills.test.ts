import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seeded } from '../bench/prose.js';
import { Client } from '../harness/stack/client.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import type { Stack } from '../harness/stack/stack.js';

const seed = Date.now() % 2 ** 31;
const KILLS = 50;
const EVENTS_BETWEEN = 5;
/** The process is killed as soon as one of these is in the folder of the unfinished backup, or the backup is there. */
const STAGES = [
  '.',
  'documents',
  'documents/documents.sqlite',
  'log/records',
  'log/positions',
  'events',
  'events/store',
];
const LAST_STAGES = ['key-pepper', 'backup.json', 'never'];

describe(`kills during backups (seed ${seed})`, () => {
  const root = mkdtempSync(join(tmpdir(), 'assay-backup-kills-'));
  let stack: Stack;
  let client: Client;
  beforeAll(async () => {
    stack = await startStandalone();
    client = new Client(stack);
  }, 120_000);
  afterAll(async () => {
    expect(await stack?.stop()).toBe(true);
    rmSync(root, { recursive: true, force: true });
  }, 60_000);

  const acknowledged: string[] = [];
  const send = async () => {
    const response = await client.post('/v1/events', { event_type: 'tool', inputs: { a: 1 } });
    expect(response.status).toBe(200);
    acknowledged.push(response.json<{ event_id: string }>().event_id);
  };
  const write = (directory: string) =>
    client.post('/v1/backups', { directory }, { key: stack.adminToken }).then(
      ({ status }) => status,
      () => undefined,
    );
  const idsIn = async (at: Client) => {
    const found = await at.post(
      '/v1/events/search',
      { filters: [], limit: 1_000 },
      { key: stack.apiKey, headers: { prefer: 'wait=30' } },
    );
    expect([found.status, found.headers.get('assay-freshness')]).toEqual([200, 'current']);
    return found
      .json<{ events: { event_id: string; event_type: string }[] }>()
      .events.filter(({ event_type }) => event_type === 'tool')
      .map(({ event_id }) => event_id);
  };

  it('lose nothing, leave nothing in the data folder, and each folder that exists is whole', async () => {
    const random = seeded(seed);
    for (let sent = 0; sent < EVENTS_BETWEEN; sent++) await send();
    const whole: { dir: string; events: readonly string[] }[] = [];
    let cut = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      for (let sent = 0; sent < EVENTS_BETWEEN; sent++) await send();
      const events = [...acknowledged];
      const dir = join(root, `backup-${kill}`);
      let isEnded = false;
      const writing = write(dir).finally(() => (isEnded = true));
      const stages = [...STAGES, ...LAST_STAGES];
      const stage = join(`${dir}.partial`, stages[Math.floor(random() * stages.length)]!);
      while (!existsSync(stage) && !existsSync(dir) && !isEnded)
        await new Promise((resolve) => setImmediate(resolve));
      await stack.kill('standalone');
      const status = await writing;
      if (existsSync(dir)) whole.push({ dir, events });
      else {
        expect(status).not.toBe(200);
        cut += 1;
        rmSync(`${dir}.partial`, { recursive: true, force: true });
      }
      await stack.start('standalone');
      expect(existsSync(join(stack.dir, 'data', 'events', 'shadow'))).toBe(false);
    }
    process.stderr.write(`${cut} backups were cut, ${whole.length} were whole\n`);
    expect(cut).toBeGreaterThan(0);
    expect((await idsIn(client)).sort()).toEqual([...acknowledged].sort());
    for (const { dir, events } of whole) {
      const copy = `${dir}-restored`;
      execFileSync('cp', ['-a', dir, copy]);
      const restored = await startStandalone({
        ASSAY_DATA_DIR: copy,
        ASSAY_API_KEY: 'a-key-that-nobody-uses',
      });
      expect((await idsIn(new Client(restored))).sort()).toEqual([...events].sort());
      expect(await restored.stop()).toBe(true);
    }
  }, 1_200_000);
});
