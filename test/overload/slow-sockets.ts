import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Stack } from '../harness/stack/stack.js';

const BYTE_INTERVAL_MS = 500;

/** Opens connections that each send a request body of 100 kB byte by byte. Returns a function that closes them. */
export async function openSlowSockets(stack: Stack, count: number): Promise<() => void> {
  const sockets = await Promise.all(Array.from({ length: count }, () => openBody(stack)));
  const timer = setInterval(() => sockets.forEach((socket) => socket.write('x')), BYTE_INTERVAL_MS);
  return () => {
    clearInterval(timer);
    for (const socket of sockets) socket.destroy();
  };
}

/** A connection that has sent the head of a request and the first byte of its body. */
async function openBody(stack: Stack): Promise<Socket> {
  const { hostname, port } = new URL(stack.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const head = [
    'POST /v1/events HTTP/1.1',
    'Host: assay',
    `Authorization: Bearer ${stack.apiKey}`,
    'Content-Type: application/json',
  ];
  socket.write(`${head.join('\r\n')}\r\nContent-Length: 100000\r\n\r\n{`);
  return socket;
}
