import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below what Linux hands to outgoing connections: none of those can sit on the port while its owner is down. */
const LOWEST = 10_000;
const HIGHEST = 32_767;
const TRIES = 100;

/** A port of 127.0.0.1 that is free now, and that stays its owner's over restarts. */
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
