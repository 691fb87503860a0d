import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isAuthenticated } from '../request/authenticated-connections.js';

/** `unauthenticated`: no request has authenticated yet. `idle`: authenticated, without a pending request. */
export type ConnectionState = 'active' | 'idle' | 'unauthenticated';
export const CONNECTION_STATES: readonly ConnectionState[] = ['active', 'idle', 'unauthenticated'];

export interface ConnectionLimits {
  readonly maxConnections: number;
  /** Maximum of one client address; no limit when absent. */
  readonly maxPerAddress?: number;
  /** Addresses without a limit of their own, such as proxies. */
  readonly isExempt?: (address: string) => boolean;
}

/** Why the server closed or refused a connection. */
export type ClosedReason = 'address' | 'evicted' | 'full' | 'unauthenticated';

/** Whether a connection has a pending request. */
export interface PendingResponse {
  readonly writableFinished: boolean;
  readonly destroyed: boolean;
}

interface Connection<Response> {
  /** Response to the latest request; undefined before the first request. */
  readonly response: Response | undefined;
  readonly quietSince: number;
}

/**
 * The open connections of a server, least recently used first. When they reach the maximum, a new one replaces an idle one,
 * and those that have not authenticated go first: neither idle nor anonymous clients can lock out others.
 */
export class Connections<Response extends PendingResponse = ServerResponse> {
  readonly #open = new Map<Duplex, Connection<Response>>();
  readonly #byAddress = new Map<string, number>();
  /** Connections in a TLS handshake by the address and port of the client. */
  readonly #handshakes = new Map<string, Socket>();

  constructor(
    private readonly limits: ConnectionLimits,
    private readonly onClosed: (reason: ClosedReason) => void = () => undefined,
  ) {}

  /** Registers a new connection. Closes it, or another one, when there are too many. */
  add(socket: Socket): void {
    const { remoteAddress: address = '' } = socket;
    if (this.#isAddressFull(address)) return this.#close(socket, 'address');
    if (this.#open.size >= this.limits.maxConnections && !this.#evictOne())
      return this.#close(socket, 'full');
    this.#open.set(socket, { response: undefined, quietSince: performance.now() });
    this.#count(address, 1);
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#count(address, -1);
    });
  }

  /** Registers a new connection that begins with a TLS handshake. It counts as unauthenticated until {@link addSecure}. */
  addHandshake(socket: Socket): void {
    this.add(socket);
    if (!this.#open.has(socket)) return;
    const peer = peerOf(socket);
    this.#handshakes.set(peer, socket);
    socket.once('close', () => this.#handshakes.delete(peer));
  }

  /** Replaces a connection by the encrypted one on it, once the handshake has ended. */
  addSecure(socket: Socket): void {
    const peer = peerOf(socket);
    const handshake = this.#handshakes.get(peer);
    const connection = handshake && this.#open.get(handshake);
    // The handshake has been evicted meanwhile.
    if (handshake === undefined || connection === undefined) return void socket.destroy();
    this.#handshakes.delete(peer);
    this.#open.delete(handshake);
    this.#open.set(socket, connection);
    socket.once('close', () => this.#open.delete(socket));
  }

  /** Records the response to a new request. */
  begin(socket: Duplex, response: Response): void {
    // Inserting it again moves it to the end of the order.
    if (this.#open.delete(socket)) this.#open.set(socket, { response, quietSince: performance.now() });
  }

  responseOf(socket: Duplex): Response | undefined {
    return this.#open.get(socket)?.response;
  }

  *entries(): Generator<[Duplex, Response | undefined]> {
    for (const [socket, { response }] of this.#open) yield [socket, response];
  }

  counts(): Record<ConnectionState, number> {
    const counts = { active: 0, idle: 0, unauthenticated: 0 };
    for (const [socket, { response }] of this.#open) counts[stateOf(socket, response)]++;
    return counts;
  }

  /** Closes connections that have neither authenticated nor begun a request for `maxMs`. */
  closeUnauthenticated(maxMs: number): void {
    const before = performance.now() - maxMs;
    for (const [socket, { response, quietSince }] of this.#open)
      if (quietSince <= before && stateOf(socket, response) === 'unauthenticated')
        this.#close(socket, 'unauthenticated');
  }

  #evictOne(): boolean {
    const found = this.#oldest('unauthenticated') ?? this.#oldest('idle');
    if (found === undefined) return false;
    this.#close(found, 'evicted');
    return true;
  }

  #oldest(state: ConnectionState): Duplex | undefined {
    for (const [socket, { response }] of this.#open) if (stateOf(socket, response) === state) return socket;
    return undefined;
  }

  #close(socket: Duplex, reason: ClosedReason): void {
    this.#open.delete(socket);
    socket.destroy();
    this.onClosed(reason);
  }

  #isAddressFull(address: string): boolean {
    const { maxPerAddress, isExempt } = this.limits;
    if (maxPerAddress === undefined || isExempt?.(address) === true) return false;
    return (this.#byAddress.get(address) ?? 0) >= maxPerAddress;
  }

  #count(address: string, change: 1 | -1): void {
    const count = (this.#byAddress.get(address) ?? 0) + change;
    if (count === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, count);
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

function stateOf(socket: Duplex, response: PendingResponse | undefined): ConnectionState {
  if (response !== undefined && !response.writableFinished && !response.destroyed) return 'active';
  return isAuthenticated(socket) ? 'idle' : 'unauthenticated';
}
