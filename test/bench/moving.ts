import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngines } from '../harness/engines/start-engines.js';
import { runCommand } from '../harness/processes/run-command.js';
import { Client } from '../harness/stack/client.js';
import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import type { Stack } from '../harness/stack/stack.js';
import { loadEvents } from './loading.js';
import type { Part } from './part.js';
import { stored } from './stored.js';

const EVENTS = Number(process.env.ASSAY_BENCH_MOVED ?? 1_000_000);
const ON_ENGINES = 'separate services';
const IN_PROCESS = 'single process';

/** A project moves from the single process to separate services on real engines, and from these to another single process. */
export const MOVING: Part = {
  title: `moving: a project of ${EVENTS} JSON events`,
  columns: [
    'from',
    'to',
    'MB in the folder',
    's to export',
    's to import',
    's to compare',
    'compared',
    'differences',
  ],
  async *rows() {
    const root = mkdtempSync(join(tmpdir(), 'assay-bench-moving-'));
    const stopEngines = await startEngines();
    const stacks: Stack[] = [];
    const started = async (stack: Promise<Stack>) => {
      stacks.push(await stack);
      return stacks.at(-1)!;
    };
    try {
      const source = await started(startStandalone({ LOG_LEVEL: 'warn' }));
      await loadEvents(source, EVENTS);
      await stored(source);
      const cluster = await started(startSplit(enginesFromEnvironment()));
      yield [IN_PROCESS, ON_ENGINES, ...(await move(source, cluster, join(root, 'there')))];
      await source.stop();
      const target = await started(startStandalone({ LOG_LEVEL: 'warn' }));
      yield [ON_ENGINES, IN_PROCESS, ...(await move(cluster, target, join(root, 'back')))];
    } finally {
      for (const stack of stacks) await stack.stop();
      await stopEngines();
      rmSync(root, { recursive: true, force: true });
    }
  },
};

/** Returns the cells of a row behind the names. */
async function move(from: Stack, to: Stack, folder: string): Promise<readonly (string | number)[]> {
  const [project] = (await new Client(from).call('GET', '/v1/projects')).json<{ name: string }[]>();
  const exported = await timed(from, 'export', project!.name, folder);
  const imported = await timed(to, 'import', folder);
  const compared = await timed(to, 'verify', folder);
  const { compared: count, differences } = JSON.parse(compared.stdout) as {
    readonly compared: number;
    readonly differences: number;
  };
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  const seconds = [exported, imported, compared].map((one) => one.seconds.toFixed(0));
  return [Math.round(bytes / 1e6), ...seconds, count, differences];
}

/** Runs a command of the command line that must succeed. */
async function timed(stack: Stack, ...args: string[]) {
  const startedAt = performance.now();
  const environment = { ASSAY_URL: stack.baseUrl, ASSAY_API_KEY: stack.apiKey };
  const { code, stdout, stderr } = await runCommand([...args, '--json'], environment);
  if (code !== 0) throw new Error(`assay ${args[0]} ended with ${code}: ${stderr}`);
  return { stdout, seconds: (performance.now() - startedAt) / 1_000 };
}
