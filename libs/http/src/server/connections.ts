import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { accountOf, onAuthenticated } from '../request/authenticated-connections.js';
import { ConnectionGroups, type ConnectionGroup } from '../connections/connection-groups.js';
import { IncompleteRequests, type IncompleteRequest } from '../connections/incomplete-requests.js';
import { unsentBytes } from '../connections/unsent-bytes.js';

/** `unauthenticated`: no request has authenticated yet. `idle`: authenticated, without a pending request. */
export type ConnectionState = 'active' | 'idle' | 'unauthenticated';
export const CONNECTION_STATES: readonly ConnectionState[] = ['active', 'idle', 'unauthenticated'];

export interface ConnectionLimits {
  readonly maxConnections: number;
  /** Maximum of one client address; no limit when absent. */
  readonly maxPerAddress?: number;
  /** Addresses without a limit of their own, such as proxies. */
  readonly isExempt?: (address: string) => boolean;
  /** How long a body may lag behind the minimum rate, in milliseconds. See {@link IncompleteRequests}. */
  readonly maxLagMs?: number;
}

/**
 * Why the server closed or refused a connection. `slow`: its request arrived too slowly, or was the slowest of too many incomplete ones.
 * `stalled`: its client took nothing of a response.
 */
export type ClosedReason = 'address' | 'evicted' | 'full' | 'slow' | 'stalled' | 'unauthenticated';

/** Whether a connection has a pending request. */
export interface PendingResponse {
  readonly writableFinished: boolean;
  readonly destroyed: boolean;
}

interface Connection<Response> {
  readonly address: string;
  /** Response to the latest request; undefined before the first request. */
  response: Response | undefined;
  quietSince: number;
  /** Number of the check before which it became quiet. */
  quietCheck: number;
}

/** A body may be late by this time in addition to what it takes at the minimum rate. */
const MAX_LAG_MS = 20_000;
/** Shares of the maximum of connections that may have an incomplete request: of all callers, and of one. */
const INCOMPLETE_SHARE = 1 / 2;
const SHARE_OF_ONE = 1 / 4;
/** More connections without authentication than one client opens in a moment. */
const MANY_OF_ADDRESS = 16;
/** Share of connections beyond the maximum, for addresses with few connections while the others are busy. */
const BEYOND_SHARE = 1 / 16;
/**
 * Checks, once a second, after which a new connection that has sent no request is replaced. A time would pass while the event loop is busy and reads
 * nothing.
 */
const SILENT_CHECKS = 2;
/** Time for a client to take the response to a request that was rejected. */
const REJECTED_MS = 1_000;

/**
 * The open connections of a server. When they reach the maximum, a new one replaces another: the least recently used one without
 * authentication and a request, of the address that has most of these, and not within a second after it was opened
 * as long as a project has more than a quarter of all;
 * else one of the project with the most connections: an idle one, else the one whose request arrives most slowly, else one whose client has
 * not taken the whole response. While all of these are busy, addresses with few connections open some beyond the maximum. So neither idle nor
 * anonymous nor slow clients, nor bursts of new connections, lock out others, and a project loses no connection to a larger one.
 */
export class Connections<Response extends PendingResponse = ServerResponse> {
  readonly #open = new Map<Duplex, Connection<Response>>();
  readonly #groups = new ConnectionGroups();
  /** Connections in a TLS handshake by the address and port of the client. */
  readonly #handshakes = new Map<string, Socket>();
  readonly #incomplete: IncompleteRequests;
  #checks = 0;

  constructor(
    private readonly limits: ConnectionLimits,
    private readonly onClosed: (reason: ClosedReason) => void = () => undefined,
  ) {
    this.#incomplete = new IncompleteRequests({
      max: Math.max(1, limits.maxConnections * INCOMPLETE_SHARE),
      maxOfOne: this.#shareOfOne,
      maxLagMs: limits.maxLagMs ?? MAX_LAG_MS,
      callerOf: (socket) => this.#callerOf(socket),
      onRejected: () => onClosed('slow'),
    });
  }

  /** Registers a new connection. Closes it, or another one, when there are too many. */
  add(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    if (this.#isAddressFull(address) && !this.#evictOfAddress(address)) return this.#close(socket, 'address');
    if (this.#open.size >= this.limits.maxConnections && !this.#makeRoomFor(address))
      return this.#close(socket, 'full');
    this.#register(socket, { address, response: undefined, ...this.#quietNow() });
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
    this.#forget(handshake);
    this.#register(socket, connection);
  }

  /** Records the response to a new request. */
  begin(socket: Duplex, response: Response): void {
    const connection = this.#open.get(socket);
    if (connection === undefined) return;
    connection.response = response;
    Object.assign(connection, this.#quietNow());
    this.#groups.use(socket, connection.address);
  }

  /** Records that the body of a request is to come. Rejects a request, this one or another, when too many are incomplete. */
  receive(request: IncompleteRequest): void {
    if (this.#open.has(request.socket)) this.#incomplete.add(request);
  }

  responseOf(socket: Duplex): Response | undefined {
    return this.#open.get(socket)?.response;
  }

  *entries(): Generator<[Duplex, Response | undefined]> {
    for (const [socket, { response }] of this.#open) yield [socket, response];
  }

  counts(): Record<ConnectionState, number> {
    const counts = { active: 0, idle: 0, unauthenticated: 0 };
    for (const socket of this.#open.keys()) counts[this.#stateOf(socket)]++;
    return counts;
  }

  /** Closes connections that have neither authenticated nor begun a request for `maxMs`. Call it regularly, about once a second. */
  closeUnauthenticated(maxMs: number): void {
    this.#checks++;
    const before = performance.now() - maxMs;
    for (const [socket, { quietSince }] of this.#open)
      if (quietSince <= before && this.#stateOf(socket) === 'unauthenticated')
        this.#close(socket, 'unauthenticated');
  }

  /** Rejects requests that arrive too slowly. */
  rejectSlow(): void {
    this.#incomplete.rejectSlow();
  }

  /** Closes a connection whose client takes nothing of its response. */
  closeStalled(socket: Duplex): void {
    this.#close(socket, 'stalled');
  }

  #register(socket: Duplex, connection: Connection<Response>): void {
    const use = () => this.#groups.use(socket, connection.address);
    this.#open.set(socket, connection);
    use();
    onAuthenticated(socket, () => {
      if (!this.#open.has(socket)) return;
      use();
      this.#incomplete.enforceLimits();
    });
    socket.once('close', () => this.#forget(socket));
  }

  #makeRoomFor(address: string): boolean {
    const { unauthenticated } = this.#groups;
    const evictOf = (group: ConnectionGroup) =>
      this.#evictIdle('evicted', group) || this.#evictSlowest(group) || this.#evictUntaken(group);
    // A burst of connections does not replace those that others have just opened.
    const isOfBurst = this.#isClient(address) && this.#groups.ofAddress(address).size >= MANY_OF_ADDRESS;
    const mayLose = (group: ConnectionGroup) => !isOfBurst || group !== unauthenticated;
    return (
      this.#evictOfLargestAddress() ||
      this.#evictSilent(unauthenticated) ||
      this.#groups.withMoreThan(this.#shareOfOne).some(evictOf) ||
      (!isOfBurst && this.#hasRoomBeyond) ||
      (!isOfBurst && this.#evictIdle('evicted', unauthenticated)) ||
      this.#groups.largestFirst().filter(mayLose).some(evictOf)
    );
  }

  get #hasRoomBeyond(): boolean {
    const { maxConnections } = this.limits;
    return this.#open.size < maxConnections + Math.floor(maxConnections * BEYOND_SHARE);
  }

  #quietNow() {
    return { quietSince: performance.now(), quietCheck: this.#checks };
  }

  /** One connection is within the share, however few there may be. */
  get #shareOfOne(): number {
    return Math.max(1, this.limits.maxConnections * SHARE_OF_ONE);
  }

  /** The clients behind exempt addresses are unknown. */
  #isClient(address: string): boolean {
    return this.limits.isExempt?.(address) !== true;
  }

  #evictOfLargestAddress(): boolean {
    const group = this.#groups.largestUnauthenticated((address) => this.#isClient(address));
    return group.size > MANY_OF_ADDRESS && this.#evictIdle('evicted', group);
  }

  /** Closes the least recently used connection that has had time for a request. */
  #evictSilent(group: ConnectionGroup): boolean {
    for (const socket of group) {
      if (this.#stateOf(socket) === 'active') continue;
      // The others were opened later.
      if (this.#checks - (this.#open.get(socket)?.quietCheck ?? 0) < SILENT_CHECKS) return false;
      this.#close(socket, 'evicted');
      return true;
    }
    return false;
  }

  #evictOfAddress(address: string): boolean {
    const group = this.#groups.ofAddress(address);
    return (
      this.#evictIdle('address', group, (socket) => this.#stateOf(socket) === 'unauthenticated') ||
      this.#evictIdle('address', group) ||
      this.#evictSlowest(group)
    );
  }

  #evictSlowest(group: ConnectionGroup): boolean {
    const slowest = this.#incomplete.rejectSlowestOf(group);
    if (slowest === undefined) return false;
    this.#forget(slowest);
    setTimeout(() => slowest.destroy(), REJECTED_MS).unref();
    return true;
  }

  /** Closes the oldest connection of a group with more than its share whose client has not taken the whole response. */
  #evictUntaken(group: ConnectionGroup): boolean {
    if (group.size <= this.#shareOfOne) return false;
    const untaken = [...group].find((socket) => unsentBytes(socket) > 0);
    if (untaken !== undefined) this.#close(untaken, 'evicted');
    return untaken !== undefined;
  }

  /** Closes the least recently used connection of a group that has no pending request, of those that `mayBe` accepts. */
  #evictIdle(
    reason: ClosedReason,
    group: ConnectionGroup,
    mayBe: (socket: Duplex) => boolean = () => true,
  ): boolean {
    for (const socket of group) {
      if (this.#stateOf(socket) === 'active' || !mayBe(socket)) continue;
      this.#close(socket, reason);
      return true;
    }
    return false;
  }

  #stateOf(socket: Duplex): ConnectionState {
    const response = this.responseOf(socket);
    if (response !== undefined && !response.writableFinished && !response.destroyed) return 'active';
    return accountOf(socket) === undefined ? 'unauthenticated' : 'idle';
  }

  /** Until its project is known, a request counts for the address. The clients behind exempt ones are unknown. */
  #callerOf(socket: Duplex): string {
    const account = accountOf(socket);
    if (account !== undefined) return account;
    const { address = '' } = this.#open.get(socket) ?? {};
    return this.limits.isExempt?.(address) === true ? 'proxies' : address;
  }

  #close(socket: Duplex, reason: ClosedReason): void {
    this.#forget(socket);
    socket.destroy();
    this.onClosed(reason);
  }

  #forget(socket: Duplex): void {
    this.#open.delete(socket);
    this.#groups.remove(socket);
  }

  #isAddressFull(address: string): boolean {
    const { maxPerAddress, isExempt } = this.limits;
    if (maxPerAddress === undefined || isExempt?.(address) === true) return false;
    return this.#groups.ofAddress(address).size >= maxPerAddress;
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
