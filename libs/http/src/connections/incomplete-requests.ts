import type { Duplex } from 'node:stream';

/** A request whose body may be still to come. */
export interface IncompleteRequest {
  readonly socket: Duplex;
  /** Whether the body has arrived, or will not arrive any more. */
  isComplete(): boolean;
  /** Bytes that have arrived since the request was registered. */
  receivedBytes(): number;
  /** Whether the client could send more, and the server does not read it. */
  isHeldBack(): boolean;
  /** Ends the request, with a response if possible. */
  reject(): void;
}

export interface IncompleteRequestOptions {
  /** Maximum of all callers together. */
  readonly max: number;
  /** Maximum of one caller. */
  readonly maxOfOne: number;
  /** How long a request may lag behind the minimum rate, in milliseconds. */
  readonly maxLagMs: number;
  /** Returns the project that a connection counts for, or the address of the client while the project is not known. */
  readonly callerOf: (socket: Duplex) => string;
  /** Called for each request that is rejected. */
  readonly onRejected?: () => void;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

interface Arriving {
  readonly request: IncompleteRequest;
  /** When it began, later by the time that it was held back. */
  startedAt: number;
}

/** Minimum rate of a body, in bytes per millisecond. */
const MIN_BYTES_PER_MS = 1;

/**
 * The requests of a server whose bodies have not arrived. Each occupies a connection for as long as its client likes, so that they are
 * limited in total and for one caller: beyond it the slowest one of the caller with the most is rejected. So is a request that lags too
 * far behind the minimum rate. The lag is the time since the beginning less the time that the received bytes take at that rate.
 */
export class IncompleteRequests {
  /** Also those that have become complete since the last look. */
  readonly #arriving = new Set<Arriving>();
  readonly #now: () => number;
  #lookedAt: number;

  constructor(private readonly options: IncompleteRequestOptions) {
    this.#now = options.now ?? (() => performance.now());
    this.#lookedAt = this.#now();
  }

  /** Registers a request. Rejects one, this or another, when there are too many. */
  add(request: IncompleteRequest): void {
    this.#arriving.add({ request, startedAt: this.#now() });
    this.enforceLimits();
  }

  /** Rejects a request when there are too many. Call it when a connection counts for another caller than before. */
  enforceLimits(): void {
    const { max, maxOfOne, callerOf } = this.options;
    // Up to this number no limit is exceeded, complete requests included.
    if (this.#arriving.size <= maxOfOne) return;
    this.#removeComplete();
    if (this.#arriving.size <= maxOfOne) return;
    const counts = new Map<string, number>();
    for (const { request } of this.#arriving) {
      const caller = callerOf(request.socket);
      counts.set(caller, (counts.get(caller) ?? 0) + 1);
    }
    const [largest, count] = [...counts].reduce((most, other) => (other[1] > most[1] ? other : most));
    if (count <= maxOfOne && this.#arriving.size <= max) return;
    const slowest = this.#slowest((socket) => callerOf(socket) === largest);
    if (slowest !== undefined) this.#reject(slowest);
  }

  /** Rejects the requests that arrive too slowly. Call it regularly. */
  rejectSlow(): void {
    const now = this.#now();
    const elapsedMs = now - this.#lookedAt;
    this.#lookedAt = now;
    this.#removeComplete();
    for (const one of [...this.#arriving]) {
      if (one.request.isHeldBack()) one.startedAt = Math.min(now, one.startedAt + elapsedMs);
      if (lagOf(one, now) > this.options.maxLagMs) this.#reject(one);
    }
  }

  /** Rejects the slowest request of these connections. Returns its connection; undefined when they have none. */
  rejectSlowestOf(connections: ReadonlySet<Duplex>): Duplex | undefined {
    this.#removeComplete();
    const slowest = this.#slowest((socket) => connections.has(socket));
    if (slowest !== undefined) this.#reject(slowest);
    return slowest?.request.socket;
  }

  /** The oldest come first, so that those behind one that received nothing need no look: none of them lags more. */
  #slowest(isAmong: (socket: Duplex) => boolean): Arriving | undefined {
    const now = this.#now();
    let [slowest, most]: [Arriving | undefined, number] = [undefined, -Infinity];
    for (const one of this.#arriving) {
      if (!isAmong(one.request.socket)) continue;
      if (now - one.startedAt <= most) break;
      const lagMs = lagOf(one, now);
      if (lagMs > most) [slowest, most] = [one, lagMs];
    }
    return slowest;
  }

  #removeComplete(): void {
    for (const one of this.#arriving) if (one.request.isComplete()) this.#arriving.delete(one);
  }

  #reject(one: Arriving): void {
    this.#arriving.delete(one);
    one.request.reject();
    this.options.onRejected?.();
  }
}

function lagOf({ request, startedAt }: Arriving, now: number): number {
  return now - startedAt - request.receivedBytes() / MIN_BYTES_PER_MS;
}
