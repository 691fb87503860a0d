import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mountSmallDisk } from '../harness/disk/small-disk.js';
import { runCommand } from '../harness/processes/run-command.js';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';

const MIB = 1024 ** 2;
const EVENTS = 40;
const EVENT_BYTES = 200_000;

describe('a backup onto a full disk', () => {
  const disk = mountSmallDisk(64);
  const on = onStack(startStandalone);
  const root = mkdtempSync(join(tmpdir(), 'assay-backup-full-'));
  afterAll(() => {
    disk.remove();
    rmSync(root, { recursive: true, force: true });
  });
  if (!disk.isMounted) process.stderr.write('no small file system: this process may not mount one\n');
  const onSmallDisk = disk.isMounted ? it : it.skip;

  const dir = join(disk.dir, 'backup');
  const backup = () =>
    runCommand(['backup', dir], { ASSAY_URL: on.stack.baseUrl, ASSAY_ADMIN_TOKEN: on.stack.adminToken });
  const send = () => {
    const inputs = { text: randomBytes(EVENT_BYTES / 2).toString('hex') };
    return on.client.post('/v1/events', { event_type: 'tool', inputs });
  };
  const expectUnharmed = async () => {
    expect(existsSync(dir)).toBe(false);
    expect(readdirSync(disk.dir).filter((name) => name.startsWith('backup'))).toEqual([]);
    expect(existsSync(join(on.stack.dir, 'data', 'events', 'shadow'))).toBe(false);
    const response = await send();
    const path = `/v1/events/${response.json<{ event_id: string }>().event_id}`;
    const found = await on.client.call('GET', path, { headers: { prefer: 'wait=30' } });
    expect([response.status, found.status]).toEqual([200, 200]);
  };

  onSmallDisk(
    'is refused ahead, ends when the disk fills meanwhile, and succeeds once there is room',
    async () => {
      for (let sent = 0; sent < EVENTS; sent++) expect((await send()).status).toBe(200);
      disk.fill(MIB);
      const refused = await backup();
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toMatch(/too full for the backup: \d+ bytes are needed, \d+ are free/);
      await expectUnharmed();
      disk.free();

      let isEnded = false;
      const writing = backup().finally(() => (isEnded = true));
      while (!existsSync(`${dir}.partial`) && !isEnded) await new Promise((resolve) => setImmediate(resolve));
      disk.fill();
      const cut = await writing;
      expect(cut).toMatchObject({ code: 1, stdout: '' });
      expect(cut.stderr).toContain('the disk of directory has become full');
      await expectUnharmed();
      disk.free();

      expect(await backup()).toMatchObject({ code: 0 });
      expect(existsSync(join(dir, 'backup.json'))).toBe(true);
    },
  );
});
