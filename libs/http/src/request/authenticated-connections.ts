import type { Duplex } from 'node:stream';

const accounts = new WeakMap<Duplex, string>();
const listeners = new WeakMap<Duplex, () => void>();

/** Records that a request of this connection has authenticated, and for which project or other caller. */
export function markAuthenticated(socket: Duplex, account: string): void {
  if (accounts.get(socket) === account) return;
  accounts.set(socket, account);
  listeners.get(socket)?.();
}

/** Calls a listener whenever requests of this connection authenticate for another caller than before. */
export function onAuthenticated(socket: Duplex, listener: () => void): void {
  listeners.set(socket, listener);
}

/** Returns who the latest authenticated request of this connection was for; undefined when none has authenticated. */
export function accountOf(socket: Duplex): string | undefined {
  return accounts.get(socket);
}
