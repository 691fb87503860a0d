import { connect, type Socket } from 'node:net';
import type { Stack } from '../harness/stack/stack.js';

/** Not the addresses of the other clients of the tests. */
const ADDRESSES = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];
/** From the end of a burst to the next one. */
const PAUSE_MS = 500;
const BURST_WITHIN_MS = 20_000;

/**
 * Opens this many connections in one turn, sends a text on each, closes them, and opens them again, until it is ended.
 * The text is a request, or nothing.
 */
export function burstConnections(stack: Stack, count: number, text: string) {
  const { hostname: host, port } = new URL(stack.baseUrl);
  let [opened, isEnded] = [0, false];
  const burst = async () => {
    const sockets: Socket[] = [];
    const settled = Array.from({ length: count }, (_, n) => {
      const socket = connect({ host, port: Number(port), localAddress: ADDRESSES[n % ADDRESSES.length]! });
      sockets.push(socket.on('error', () => undefined).resume());
      return new Promise<void>((resolve) => {
        socket.once('connect', () => {
          opened++;
          if (text !== '') socket.write(text);
          resolve();
        });
        socket.once('close', resolve);
      });
    });
    const late = new Promise<void>((resolve) => setTimeout(resolve, BURST_WITHIN_MS).unref());
    await Promise.race([Promise.all(settled), late]);
    await new Promise((resume) => setTimeout(resume, PAUSE_MS));
    for (const socket of sockets) socket.destroy();
  };
  const bursts = (async () => {
    while (!isEnded) await burst();
  })();
  return {
    /** Ends it. Resolves with the number of connections that were opened. */
    end: async () => {
      isEnded = true;
      await bursts;
      return opened;
    },
  };
}
