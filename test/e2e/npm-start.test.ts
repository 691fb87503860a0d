import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { own, waitFor } from '@assay/testing';
import { freePort } from '../harness/stack/free-port.js';
import { repository } from '../harness/stack/repository.js';

const LISTENS = /Assay listens on (http:\S+) \(admin (http:\S+)\)/;
const PATIENT = { withinMs: 120_000 } as const;
const TEST_WITHIN_MS = 240_000;

/**
 * Makes a folder from which `npm start` runs the compiled code of the repository. It is installed for this version of Node and
 * compiled already, so that the start changes nothing that other tests use.
 */
function makeInstalledFolder(folder: string): void {
  for (const name of ['package.json', 'pnpm-lock.yaml', 'tsconfig.json'])
    cpSync(join(repository, name), join(folder, name));
  const link = (path: string) => symlinkSync(join(repository, path), join(folder, path));
  for (const path of ['services', 'deploy']) link(path);
  mkdirSync(join(folder, 'libs/tooling'), { recursive: true });
  for (const name of readdirSync(join(repository, 'libs'))) if (name !== 'tooling') link(`libs/${name}`);
  cpSync(join(repository, 'libs/tooling/run'), join(folder, 'libs/tooling/run'), { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  const lock = readFileSync(join(repository, 'pnpm-lock.yaml'));
  const installed = createHash('sha256').update(lock).update(process.version).digest('hex');
  writeFileSync(join(folder, 'node_modules/.assay-installed'), installed);
  writeFileSync(join(folder, 'node_modules/.assay-built'), '');
}

describe('npm start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-npm-start-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it(
    `starts the product on Node ${process.version}, and stops it with exit code 0`,
    async () => {
      makeInstalledFolder(folder);
      const [port, adminPort] = [await freePort(), await freePort()];
      const settings = {
        ASSAY_PORT: String(port),
        ASSAY_ADMIN_PORT: String(adminPort),
        ASSAY_OTLP_GRPC_PORT: '0',
      };
      const env = { PATH: process.env.PATH, HOME: folder, ...settings, ASSAY_DATA_DIR: join(folder, 'data') };
      const npm = own(spawn('npm', ['start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }));
      let output = '';
      for (const stream of [npm.stdout, npm.stderr])
        stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
      const url = await waitFor(
        'the product listens',
        () => {
          if (npm.exitCode !== null) throw new Error(`npm start ended with ${npm.exitCode}: ${output}`);
          return Promise.resolve(LISTENS.exec(output)?.[1]);
        },
        PATIENT,
      );
      const [, key = ''] = /^ {2}(\S{20,})$/m.exec(output) ?? [];
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ event_type: 'tool', inputs: { question: 'Hello?' } });
      const written = await fetch(`${url}/v1/events`, { method: 'POST', headers, body });
      const { event_id } = (await written.json()) as { event_id: string };
      const read = await fetch(`${url}/v1/events/${event_id}`, {
        headers: { ...headers, prefer: 'wait=30' },
      });
      expect([read.status, await read.json()]).toMatchObject([200, { event: { event_id } }]);
      // The output is closed when the product has ended as well: the shell of npm passes no signal on.
      const closed = once(npm, 'close');
      npm.kill('SIGTERM');
      expect(await closed).toEqual([0, null]);
      await expect(fetch(url)).rejects.toThrow('fetch failed');
    },
    TEST_WITHIN_MS,
  );
});
