import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { own } from '@assay/testing';
import { fillProject } from '../e2e/moved-project.js';
import { startRefusingProxy } from '../e2e/refusing-proxy.js';
import { runCommand } from '../harness/processes/run-command.js';
import { onStack } from '../harness/stack/on-stack.js';
import { repository } from '../harness/stack/repository.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import type { Stack } from '../harness/stack/stack.js';

const seed = Date.now() % 2 ** 31;
const EVENTS = 1_000;
const MAX_ATTEMPTS = 60;

describe(`kills of an export and an import (seed ${seed})`, () => {
  const source = onStack(startStandalone);
  const target = onStack(startStandalone);
  const root = mkdtempSync(join(tmpdir(), 'assay-moving-kills-'));
  const dir = join(root, 'export');
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  /** Kills the command when it sends its n-th request. Returns its exit code, null when it was killed. */
  async function killedAt(request: number, stack: Stack, args: readonly string[]): Promise<number | null> {
    const kill = { now: (): void => undefined };
    let requests = 0;
    const proxy = await startRefusingProxy(stack.baseUrl, () => {
      requests += 1;
      if (requests === request) kill.now();
      return false;
    });
    const command = [join(repository, 'services/cli/bin/assay.cjs'), ...args];
    const child = own(
      spawn(process.execPath, command, {
        env: { ASSAY_URL: proxy.url, ASSAY_API_KEY: stack.apiKey },
        stdio: 'ignore',
      }),
    );
    kill.now = () => void child.kill('SIGKILL');
    const [code] = (await once(child, 'close')) as [number | null];
    await proxy.close();
    return code;
  }

  /** Kills the command at requests further and further from its start until it ends. Returns how often it was killed. */
  async function killUntilDone(stack: Stack, args: readonly string[], onKill: () => void): Promise<number> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const code = await killedAt(3 + 4 * attempt, stack, args);
      if (code === 0) return attempt;
      expect(code).toBeNull();
      onKill();
    }
    throw new Error('the command has not ended');
  }

  interface Files {
    readonly files: readonly { readonly name: string; readonly lines: number }[];
  }
  const completeFiles = () => {
    const { files } = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as Files;
    return files.map(({ name, lines }) => ({ name, lines, written: statSync(join(dir, name)).mtimeMs }));
  };

  it('continue where they were, and end with 0 differences', async () => {
    const { name } = await fillProject(source.client, { seed, events: EVENTS });
    const seen = new Map<string, object>();
    const look = () => {
      try {
        for (const file of completeFiles()) seen.set(file.name, file);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    };
    const exporting = ['export', name, dir, '--file-bytes', '100000'];
    expect(await killUntilDone(source.stack, exporting, look)).toBeGreaterThan(1);
    const files = new Map(completeFiles().map((file) => [file.name, file]));
    expect(seen.size).toBeGreaterThan(0);
    for (const [file, before] of seen) expect(files.get(file)).toEqual(before);
    expect(await killUntilDone(target.stack, ['import', dir], () => undefined)).toBeGreaterThan(1);
    for (const { stack } of [source, target]) {
      const verified = await runCommand(['verify', dir], {
        ASSAY_URL: stack.baseUrl,
        ASSAY_API_KEY: stack.apiKey,
      });
      expect(verified).toMatchObject({ code: 0, stderr: '' });
      expect(verified.stdout).toMatch(/ 0 differences\n$/);
    }
  }, 600_000);
});
