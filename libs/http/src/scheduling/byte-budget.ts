import { AppError } from '@assay/errors';

export interface ByteBudgetOptions {
  /** Bytes of request bodies, inflated, that the process holds at any moment. */
  readonly maxBytes?: number;
  /** Part of them that one project may hold, 0 to 1. */
  readonly projectShare?: number;
}

const DEFAULT_MAX_BYTES = 256 * 1024 * 1024;
const DEFAULT_PROJECT_SHARE = 0.25;

/**
 * Counts the bytes of request bodies in memory, per process and per project, so that no sender and no sum of senders
 * can fill it. Bytes count after inflating, because those are what is held.
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

  /** Bytes held now. */
  get used(): number {
    return this.#used;
  }

  /** Opens the account of one request; {@link BodyGrant.release} closes it. */
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

/** What one request holds of the budget. */
export class BodyGrant {
  #held = 0;

  constructor(
    private readonly fits: (bytes: number) => boolean,
    private readonly add: (bytes: number) => void,
  ) {}

  /** @throws AppError `OVERLOADED` when a body of this size would not fit now; nothing is taken */
  admit(bytes: number): void {
    if (!this.fits(bytes))
      throw new AppError(
        'OVERLOADED',
        'too many bytes are being received at the moment, send the request again later',
      );
  }

  /** @throws AppError `OVERLOADED` when the budget is used up; then nothing of `bytes` is taken */
  take(bytes: number): void {
    this.admit(bytes);
    this.#held += bytes;
    this.add(bytes);
  }

  /** Gives a part back. */
  give(bytes: number): void {
    const back = Math.min(bytes, this.#held);
    this.#held -= back;
    if (back > 0) this.add(-back);
  }

  /** Gives everything back. Idempotent. */
  release(): void {
    this.give(this.#held);
  }
}
