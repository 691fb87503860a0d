import type { Duplex } from 'node:stream';

/**
 * Returns the bytes of a connection that were written and not handed to the kernel. A session of HTTP/2 writes past the stream of its
 * socket, so that only the queue of the handle has its bytes. That of a write in progress has less and less as the kernel takes parts of it.
 */
export function unsentBytes(socket: Duplex): number {
  if (socket.destroyed) return 0;
  const handle: unknown = Reflect.get(socket, '_handle');
  const queued: unknown =
    typeof handle === 'object' && handle !== null && Reflect.get(handle, 'writeQueueSize');
  return socket.writableLength + (typeof queued === 'number' ? queued : 0);
}
