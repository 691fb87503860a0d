import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { own } from '@assay/testing';
import { copySources } from '../harness/stack/installed-clone.js';
import { freePort } from '../harness/stack/free-port.js';

/** A line of a step, such as `Compiling … 0.8 s`, or `Assay started in 1.1 s`. */
const STEP = /^(.+?)(?: …| in) (\d+\.\d) s$/gm;
const LISTENS = /listens on http:\S+ \(admin http:\S+\)\n(?:Open the console, [^:]+: \S+\n)?$/;
const ROUNDS = 3;

export interface StartFigures {
  readonly name: string;
  /** Seconds of each step, in order. */
  readonly steps: string;
  /** Seconds from the command to the line with the address. */
  readonly seconds: number;
  /** Size on disk of the packages, and of the sources with the compiled code. */
  readonly packagesMegabytes: number;
  readonly compiledMegabytes: number;
}

/**
 * `npm start` on a fresh clone without caches of its user, then once more. The first round fills the caches of the registry in between, if there
 * are any.
 */
export async function* measureStart(): AsyncGenerator<StartFigures> {
  for (let round = 1; round <= ROUNDS; round++) {
    const folder = mkdtempSync(join(tmpdir(), 'assay-bench-start-'));
    try {
      const clone = join(folder, 'clone');
      mkdirSync(clone);
      copySources(clone, ['.']);
      yield { name: `first, round ${round}`, ...(await start(folder, clone)) };
      yield { name: `second, round ${round}`, ...(await start(folder, clone)) };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** Seconds of the first `npm start` of a fresh clone without caches of its user, with the console or without it. */
export async function firstStart({ withConsole }: { readonly withConsole: boolean }): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-start-'));
  try {
    const clone = join(folder, 'clone');
    mkdirSync(clone);
    copySources(clone, ['.']);
    if (!withConsole) leaveOutConsole(clone);
    return (await start(folder, clone)).seconds;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Its packages are not installed, and it is not built. */
function leaveOutConsole(clone: string): void {
  for (const [name, text, other] of [
    ['install.mjs', "  '@assay/console...',\n", ''],
    [
      'console.mjs',
      'export function isConsoleBuilt() {',
      'export function isConsoleBuilt() {\n  return true;',
    ],
  ] as const) {
    const path = join(clone, 'libs/tooling/run', name);
    const before = readFileSync(path, 'utf8');
    if (!before.includes(text)) throw new Error(`${name} has no line ${text}`);
    writeFileSync(path, before.replace(text, other));
  }
}

async function start(folder: string, clone: string): Promise<Omit<StartFigures, 'name'>> {
  const settings = {
    ...{ ASSAY_PORT: String(await freePort()), ASSAY_ADMIN_PORT: String(await freePort()) },
    ...{ ASSAY_OTLP_GRPC_PORT: '0', HOME: folder, PATH: process.env.PATH ?? '' },
  };
  const startedAt = performance.now();
  const npm = own(spawn('npm', ['start'], { cwd: clone, env: settings, stdio: ['ignore', 'pipe', 'pipe'] }));
  let [stdout, stderr] = ['', ''];
  npm.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const closed = once(npm, 'close');
  await new Promise<void>((ready, fail) => {
    npm.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      if (LISTENS.test(stdout)) ready();
    });
    npm.once('close', (code) => fail(new Error(`npm start ended with ${code}: ${stdout}${stderr}`)));
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  npm.kill('SIGTERM');
  await closed;
  const steps = [...`${stderr}\n${stdout}`.matchAll(STEP)].map(([, title, taken]) => `${title} ${taken}`);
  const compiled = ['libs', 'services', 'deploy'].map((name) => join(clone, name));
  return {
    steps: steps.join(', '),
    seconds,
    packagesMegabytes: megabytesOf([join(clone, 'node_modules')]),
    compiledMegabytes: megabytesOf(compiled),
  };
}

/** Size on disk. Files that have several names in these folders count once. */
function megabytesOf(folders: readonly string[]): number {
  const total = execFileSync('du', ['-sck', ...folders], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .at(-1);
  return Number(total?.split('\t')[0]) / 1_024;
}
