import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { readKernelQueues, type KernelQueues } from './kernel-queues.js';
import { unsentBytes } from './unsent-bytes.js';

export interface StalledOptions {
  readonly connections: {
    entries(): Iterable<readonly [Duplex, unknown]>;
    /** Closes a connection whose client takes nothing of its response. */
    closeStalled(socket: Duplex): void;
  };
  /** Port of the server. */
  readonly port: () => number;
  /** How long a client may take nothing of what waits for it, in milliseconds. */
  readonly maxMs: number;
}

/** What waits for a client, and since when it is the same. */
interface Waiting {
  readonly inProcess: number;
  readonly inKernel: number | undefined;
  readonly since: number;
}

/** Where the kernel does not say what it holds, a slow client may seem to take nothing while it empties the buffers of the kernel. */
const UNKNOWN_FACTOR = 3;

/**
 * Finds connections whose clients take no byte of what waits for them. What the process has not handed to the kernel stays the same for long
 * while a slow client empties the buffers of the kernel, several megabytes, so that these count too.
 */
export class StalledResponses {
  #waiting = new Map<Duplex, Waiting>();
  #isLooking = false;

  constructor(private readonly options: StalledOptions) {}

  /** Closes connections that have stalled. Call it several times in the maximum time. */
  async closeAll(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      await this.#look();
    } finally {
      this.#isLooking = false;
    }
  }

  async #look(): Promise<void> {
    const { connections, port, maxMs } = this.options;
    const held = [...connections.entries()].map(([socket]) => [socket, unsentBytes(socket)] as const);
    const waiting = held.filter(([, bytes]) => bytes > 0);
    // Reads the kernel's tables only while something stalls.
    const isStalling = waiting.some(([socket, bytes]) => this.#waiting.get(socket)?.inProcess === bytes);
    const queues = isStalling ? await readKernelQueues(port()) : undefined;
    const now = performance.now();
    const before = this.#waiting;
    this.#waiting = new Map();
    for (const [socket, inProcess] of waiting) {
      const next = compared(before.get(socket), {
        inProcess,
        inKernel: inKernel(socket, queues),
        since: now,
      });
      const limitMs = next.inKernel === undefined ? UNKNOWN_FACTOR * maxMs : maxMs;
      if (now - next.since >= limitMs) connections.closeStalled(socket);
      else this.#waiting.set(socket, next);
    }
  }
}

/** Keeps the time of what has not changed. The first look at the kernel is compared with the second one. */
function compared(before: Waiting | undefined, now: Waiting): Waiting {
  if (before === undefined || before.inProcess !== now.inProcess) return now;
  const isSame =
    before.inKernel === undefined || now.inKernel === undefined || before.inKernel === now.inKernel;
  return isSame ? { ...now, since: before.since } : now;
}

function inKernel(socket: Duplex, queues: KernelQueues | undefined): number | undefined {
  return socket instanceof Socket ? queues?.bytesOf(socket.localPort, socket.remotePort) : undefined;
}
