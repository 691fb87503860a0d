import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Below the ephemeral ports of Linux: no outgoing connection can take the port while its owner is down. */
const LOWEST = 10_000;
const HIGHEST = 32_767;
const TRIES = 100;
/** A file for each port, with the process that has chosen it. */
const CHOSEN = join(tmpdir(), 'assay-test-ports');

/** Returns a free port of 127.0.0.1 that stays free across restarts of its owner: no other test process chooses it meanwhile. */
export async function freePort(): Promise<number> {
  mkdirSync(CHOSEN, { recursive: true });
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    if (choose(port) && (await isFree(port))) return port;
  }
  throw new Error(`${TRIES} ports between ${LOWEST} and ${HIGHEST} are taken`);
}

/** Whether no running process has chosen the port; then this one has. */
function choose(port: number): boolean {
  const file = join(CHOSEN, String(port));
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  if (isRunning(Number(readFileSync(file, 'utf8')))) return false;
  writeFileSync(file, String(process.pid));
  return true;
}

/** An owner that has not written its id yet is running. */
function isRunning(pid: number): boolean {
  if (pid === 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((found) => {
    const server = createServer();
    server.once('error', () => found(false));
    server.listen(port, '127.0.0.1', () => server.close(() => found(true)));
  });
}
