import { connect, type Socket } from 'node:net';
import { waitFor } from '@assay/testing';
import type { Stack } from '../harness/stack/stack.js';

/** A client that holds a connection. */
export interface HeldSocket {
  /** Sent when the connection is open. */
  readonly head: string;
  /** Sent each second afterwards. */
  readonly drip?: string;
  /** Whether it reads what it receives: nothing, a byte each second, or the first byte alone. */
  readonly reads?: 'slowly' | 'once';
}

/** Not the address of the other clients of the tests. */
const ADDRESSES = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];
const SECOND_MS = 1_000;
/** New connections in a hundredth of a second: at first, and in place of closed ones. */
const OPENED_AT_A_TIME = 5;
const REOPENED_AT_A_TIME = 1;
const TICK_MS = 10;
const OPENED_WITHIN_MS = 60_000;

/** Holds this many connections, and opens one again when it is closed. Resolves when all have been opened, with a function that ends it. */
export async function holdSockets(stack: Stack, count: number, kinds: readonly HeldSocket[]) {
  const { hostname, port } = new URL(stack.baseUrl);
  const open = new Set<Socket>();
  let [opened, second] = [0, performance.now()];
  const kindOf = new WeakMap<Socket, HeldSocket>();
  const openOne = () => {
    const kind = kinds[opened % kinds.length]!;
    const localAddress = ADDRESSES[opened++ % ADDRESSES.length]!;
    const socket = connect({ host: hostname, port: Number(port), localAddress }).pause();
    kindOf.set(socket, kind);
    open.add(socket);
    socket.on('error', () => undefined).once('close', () => open.delete(socket));
    socket.once('connect', () => socket.write(kind.head));
    if (kind.reads === 'once') socket.once('readable', () => void socket.read(1));
  };
  const timer = setInterval(() => {
    const most = opened < count ? OPENED_AT_A_TIME : REOPENED_AT_A_TIME;
    for (let n = 0; n < most && open.size < count; n++) openOne();
    if (performance.now() - second < SECOND_MS) return;
    second = performance.now();
    for (const socket of open) {
      const { drip, reads } = kindOf.get(socket) ?? {};
      if (drip !== undefined && socket.writable) socket.write(drip);
      if (reads === 'slowly') socket.read(1);
    }
  }, TICK_MS);
  await waitFor('all are opened', () => opened >= count, { withinMs: OPENED_WITHIN_MS });
  return () => {
    clearInterval(timer);
    for (const socket of open) socket.destroy();
    return Promise.resolve();
  };
}
