import type { Duplex } from 'node:stream';

const authenticated = new WeakSet<Duplex>();

/** Records that a request of this connection has authenticated. */
export function markAuthenticated(socket: Duplex): void {
  authenticated.add(socket);
}

/** Whether a request of this connection has authenticated. */
export function isAuthenticated(socket: Duplex): boolean {
  return authenticated.has(socket);
}
