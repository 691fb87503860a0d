import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ephemeral ports of Linux: no outgoing connection can take the port while its owner is down. */
const LOWEST = 10_000;
const HIGHEST = 32_767;
const TRIES = 100;

/** Returns a free port of 127.0.0.1 that is likely to stay free across restarts of its owner. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`${TRIES} ports between ${LOWEST} and ${HIGHEST} are taken`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((found) => {
    const server = createServer();
    server.once('error', () => found(false));
    server.listen(port, '127.0.0.1', () => server.close(() => found(true)));
  });
}
