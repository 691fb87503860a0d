import { AppError } from '@assay/errors';

export interface ByteBudgetOptions {
  /** Maximum bytes of inflated request bodies in memory at any time. */
  readonly maxBytes?: number;
  /** Share of them that one project may hold, 0 to 1. */
  readonly projectShare?: number;
}

const DEFAULT_MAX_BYTES = 256 * 1024 * 1024;
const DEFAULT_PROJECT_SHARE = 0.25;

/**
 * Bounds the bytes of request bodies in memory, per process and per project, so that neither one project nor all of them
 * together can exhaust it. Counts inflated bytes, because those occupy the memory.
 */
export class ByteBudget {
  readonly #maxBytes: number;
  readonly #maxProjectBytes: number;
  readonly #byProject = new Map<string, number>();
  #used = 0;

  constructor(options: ByteBudgetOptions = {}) {
    this.#maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
    this.#maxProjectBytes = this.#maxBytes * (options.projectShare ?? DEFAULT_PROJECT_SHARE);
  }

  /** Bytes reserved at present. */
  get used(): number {
    return this.#used;
  }

  /** Opens the grant of one request. Release it when the request is done. */
  open(projectId: string): BodyGrant {
    return new BodyGrant(
      (bytes) => this.#fits(projectId, bytes),
      (bytes) => this.#add(projectId, bytes),
    );
  }

  #fits(projectId: string, bytes: number): boolean {
    return (
      this.#used + bytes <= this.#maxBytes &&
      (this.#byProject.get(projectId) ?? 0) + bytes <= this.#maxProjectBytes
    );
  }

  #add(projectId: string, bytes: number): void {
    this.#used += bytes;
    const held = (this.#byProject.get(projectId) ?? 0) + bytes;
    if (held === 0) this.#byProject.delete(projectId);
    else this.#byProject.set(projectId, held);
  }
}

/** Bytes of the budget that one request has reserved. */
export class BodyGrant {
  #held = 0;

  constructor(
    private readonly fits: (bytes: number) => boolean,
    private readonly add: (bytes: number) => void,
  ) {}

  /** Checks that a body of this size fits, without reserving anything. @throws AppError `OVERLOADED` when it does not */
  assertAvailable(bytes: number): void {
    if (!this.fits(bytes))
      throw new AppError(
        'OVERLOADED',
        'too many bytes are being received at the moment, send the request again later',
      );
  }

  /** @throws AppError `OVERLOADED` when the budget is exhausted; then none of `bytes` is reserved */
  reserve(bytes: number): void {
    this.assertAvailable(bytes);
    this.#held += bytes;
    this.add(bytes);
  }

  /** Releases a part of the bytes, or all of them. Idempotent. */
  release(bytes = this.#held): void {
    const released = Math.min(bytes, this.#held);
    this.#held -= released;
    if (released > 0) this.add(-released);
  }
}
