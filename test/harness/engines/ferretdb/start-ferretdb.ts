// cspell:ignore ldflags
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { own, patience } from '@assay/testing';
import { freePort } from '../../stack/free-port.js';
import { GO_BUILD } from '../go-build.js';

/** Folder of the Go program. */
const SOURCE_FOLDER = __dirname;
const SOURCES = ['go.mod', 'go.sum', 'main.go', 'engine_process.go', 'relay.go'];
/** Several engines start beside each other on a busy machine. */
const START_WITHIN_MS = 120_000 * patience;
const FERRETDB = 'github.com/FerretDB/FerretDB/internal';
/** Changes of FerretDB's sources. */
const PATCHES = [
  {
    // Each update of a command kept a connection until the command ended, so that more than the 100 of the pool waited for ever.
    file: `${FERRETDB}/handler/msg_update.go`,
    before: 'result, err := common.UpdateDocument(ctx, c, "update", iter, &u)\n',
    after: 'result, err := common.UpdateDocument(ctx, c, "update", iter, &u)\n\t\tcloser.Close()\n',
  },
  {
    // An update of one document in one version read the whole collection.
    file: `${FERRETDB}/backends/sqlite/collection.go`,
    before: 'if params.Filter.Len() == 1 {',
    after: 'if params.Filter.Len() > 0 {',
  },
];

/** A running server that speaks MongoDB's protocol on loopback. */
export interface FerretDb {
  readonly url: string;
  readonly pid: number;
  /** Ends the process and removes its data. Idempotent. */
  stop(): Promise<void>;
}

/** The build of this process: servers that start beside each other share it. */
let built: Promise<string> | undefined;

/** Returns the path of the server. The first call on a machine builds it, in about a minute, into a cache in the home folder. */
export function builtFerretDb(): Promise<string> {
  return (built ??= build());
}

/** Starts the server on a free port with no data, and builds it before when it has to be. */
export async function startFerretDb(): Promise<FerretDb> {
  const binary = await builtFerretDb();
  const dir = mkdtempSync(join(tmpdir(), 'assay-ferretdb-'));
  const port = await freePort();
  const child = own(spawn(binary, [`127.0.0.1:${port}`, dir], { stdio: ['ignore', 'ignore', 'pipe'] }));
  const lastOutput: string[] = [];
  let stacks = false;
  child.stderr.on('data', (chunk: Buffer) => {
    const text = chunk.toString();
    lastOutput.splice(0, lastOutput.length - 20, text);
    // An engine that did not answer prints its stacks before it is started again: the cause of what the tests then report.
    stacks ||= text.includes('SIGQUIT');
    if (stacks) process.stderr.write(text);
  });
  const stop = () => stopProcess(child, dir);
  try {
    await waitUntilReady(child, join(dir, 'engine.sock'), port);
  } catch (cause) {
    await stop();
    throw new Error(`FerretDB has not started: ${lastOutput.join('')}`, { cause });
  }
  return { url: `mongodb://127.0.0.1:${port}/`, pid: child.pid ?? 0, stop };
}

async function build(): Promise<string> {
  const hash = createHash('sha256');
  for (const name of SOURCES) hash.update(readFileSync(join(SOURCE_FOLDER, name)));
  hash.update(JSON.stringify(PATCHES));
  const folder = join(homedir(), '.cache', 'assay-engines', `ferretdb-${hash.digest('hex').slice(0, 16)}`);
  const binary = join(folder, 'ferretdb');
  if (existsSync(binary)) return binary;
  mkdirSync(folder, { recursive: true });
  const sources = join(folder, `building-${process.pid}`);
  rmSync(sources, { recursive: true, force: true });
  mkdirSync(sources);
  for (const name of SOURCES) copyFileSync(join(SOURCE_FOLDER, name), join(sources, name));
  await go(sources, 'mod', 'vendor');
  for (const { file, before, after } of PATCHES) replaceIn(join(sources, 'vendor', file), before, after);
  await go(sources, 'build', '-ldflags=-s -w', '-o', 'ferretdb', '.');
  renameSync(join(sources, 'ferretdb'), binary);
  rmSync(sources, { recursive: true });
  return binary;
}

function replaceIn(file: string, before: string, after: string): void {
  const text = readFileSync(file, 'utf8');
  if (!text.includes(before)) throw new Error(`FerretDB has changed: ${file} has no "${before}"`);
  writeFileSync(file, text.replaceAll(before, after));
}

async function go(cwd: string, ...args: string[]): Promise<void> {
  const env = { ...process.env, ...GO_BUILD };
  await promisify(execFile)('go', args, { cwd, env, maxBuffer: 16 * 1024 * 1024 });
}

async function waitUntilReady(child: ChildProcess, socket: string, port: number): Promise<void> {
  const deadline = Date.now() + START_WITHIN_MS;
  while (!(existsSync(socket) && (await accepts(port)))) {
    if (hasEnded(child)) throw new Error('the process has ended');
    if (Date.now() > deadline) throw new Error(`not ready within ${START_WITHIN_MS} ms`);
    await pause(25);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

async function stopProcess(child: ChildProcess, dir: string): Promise<void> {
  if (!hasEnded(child)) {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  rmSync(dir, { recursive: true, force: true });
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
}
