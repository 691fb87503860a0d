import { Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { createExtendedTlsAgent, type TlsFiles } from '@assay/runtime';
import { isBlockedAddress } from './blocked-address.js';
import { OutboundError } from './outbound-error.js';
import { guardedLookup, type ResolveHost } from './resolve-host.js';

/** Calls that may run at a time. */
export const MAX_CALLS = 64;
/** Calls beyond them, each of a project that has no other one. */
export const RESERVED_CALLS = 64;

/**
 * Connections are reused; 4 idle ones to a host stay open for 30 s. Every call that runs may have one: calls that waited here for a connection to
 * their host would wait behind those of other projects that hang.
 */
const POOL: AgentOptions = {
  keepAlive: true,
  maxSockets: MAX_CALLS + RESERVED_CALLS,
  maxFreeSockets: 4,
  timeout: 30_000,
};

export interface Agents {
  /** For hosts that the operator listed. */
  readonly allowed: { readonly http: HttpAgent; readonly https: HttpsAgent };
  /** For every other host: addresses are checked when they are resolved, and again when the connection is open. */
  readonly guarded: HttpsAgent;
  destroy(): void;
}

/** @param tls authorities of allowed hosts, besides those of Node */
export function createAgents(resolve: ResolveHost, tls?: TlsFiles): Agents {
  const https = tls === undefined ? new HttpsAgent(POOL) : createExtendedTlsAgent(tls, POOL);
  const allowed = { http: new HttpAgent(POOL), https };
  const guarded = new HttpsAgent({ ...POOL, lookup: guardedLookup(resolve) });
  return {
    allowed,
    guarded,
    destroy: () => [allowed.http, allowed.https, guarded].forEach((agent) => agent.destroy()),
  };
}

/** Closes a connection to a private address before a byte of the request is sent: TLS starts after this event. */
export function checkPeer(socket: Socket): void {
  const check = () => {
    if (isBlockedAddress(socket.remoteAddress ?? ''))
      socket.destroy(new OutboundError('refused', 'the connection of the provider has a private address'));
  };
  if (socket.connecting) socket.prependOnceListener('connect', check);
  else check();
}
