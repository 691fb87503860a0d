import { createHmac } from 'node:crypto';
import { AppError, unavailable } from '@assay/errors';
import { readKeyText, type Caller } from '@assay/domain';
import { LRUCache } from 'lru-cache';
import type { Authenticator, ControlPlane } from '../control-plane.js';
import { type Known, readSnapshot, type Warn } from './snapshot-file.js';
import { SnapshotKeeper } from './snapshot-keeper.js';

const KNOWN_FOR_MS = 30_000;
const UNKNOWN_FOR_MS = 5_000;
const SNAPSHOT_FOR_MS = 24 * 60 * 60 * 1000;
const MAX_KEYS = 10_000;
/** Keys that are asked for at the same time; a flood of invented keys waits for nobody else's memory. */
const MAX_QUESTIONS = 256;
/** How long nobody asks again after the control plane could not be asked, so that a request does not wait for a time-out each time. */
const AWAY_FOR_MS = 1_000;
const WRITE_NEWS_WITHIN_MS = 1_000;
const WRITE_CONFIRMATIONS_WITHIN_MS = 60_000;

export interface AuthenticatorOptions {
  readonly controlPlane: Pick<ControlPlane, 'authenticate'>;
  /** Folder of the snapshot; made when it is not there. */
  readonly snapshotDir: string;
  readonly now: () => Date;
  /** Hears of a snapshot that cannot be read or written. */
  readonly warn?: Warn;
}

/** Remembers answers by an HMAC of the key under a local salt: the text of a key is neither kept in memory nor written. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  return new CachingAuthenticator(options);
}

class CachingAuthenticator implements Authenticator {
  private readonly salt: Buffer;
  private readonly known = new LRUCache<string, Known>({ max: MAX_KEYS });
  /** Apart from the known keys, so that invented ones never push those out. Value: when the entry ends. */
  private readonly unknown = new LRUCache<string, number>({ max: MAX_KEYS });
  private readonly questions = new Map<string, Promise<Caller | undefined>>();
  private readonly keeper: SnapshotKeeper;
  private awayUntil = 0;

  constructor(private readonly options: AuthenticatorOptions) {
    const warn = options.warn ?? (() => undefined);
    const snapshot = readSnapshot(options.snapshotDir, warn);
    this.salt = snapshot.salt;
    for (const [digest, entry] of [...snapshot.known].reverse()) this.known.set(digest, entry);
    this.keeper = new SnapshotKeeper(
      options.snapshotDir,
      () => ({ salt: this.salt, known: this.stillUsable() }),
      warn,
    );
  }

  async authenticate(key: string): Promise<Caller | undefined> {
    if (readKeyText(key).kind === 'refused') return undefined;
    const digest = createHmac('sha256', this.salt).update(key).digest('base64url');
    const entry = this.known.get(digest);
    if (entry && this.ageOf(entry) < KNOWN_FOR_MS) return entry.caller;
    if ((this.unknown.get(digest) ?? 0) > this.now()) return undefined;
    return this.questions.get(digest) ?? this.question(digest, key);
  }

  close(): Promise<void> {
    return this.keeper.flush();
  }

  private question(digest: string, key: string): Promise<Caller | undefined> {
    const answer = this.ask(digest, key).finally(() => this.questions.delete(digest));
    this.questions.set(digest, answer);
    return answer;
  }

  private async ask(digest: string, key: string): Promise<Caller | undefined> {
    const askedAt = this.now();
    if (askedAt < this.awayUntil)
      return this.fromSnapshot(digest, unavailable('the control plane cannot be asked'));
    if (this.questions.size >= MAX_QUESTIONS)
      return this.fromSnapshot(digest, new AppError('OVERLOADED', 'too many keys are being checked'));
    try {
      const caller = await this.options.controlPlane.authenticate(key);
      this.remember(digest, caller, askedAt);
      return caller;
    } catch (cause) {
      this.awayUntil = this.now() + AWAY_FOR_MS;
      return this.fromSnapshot(digest, unavailable('the control plane cannot be asked', cause));
    }
  }

  /** Counted from the moment of asking: a key that is revoked while the answer is on its way still ends in time. */
  private remember(digest: string, caller: Caller | undefined, askedAt: number): void {
    const before = this.known.peek(digest);
    if (caller) {
      this.unknown.delete(digest);
      this.known.set(digest, { caller, confirmedAt: askedAt });
      this.keeper.changed(before ? WRITE_CONFIRMATIONS_WITHIN_MS : WRITE_NEWS_WITHIN_MS);
      return;
    }
    this.unknown.set(digest, askedAt + UNKNOWN_FOR_MS);
    if (this.known.delete(digest)) this.keeper.changed(WRITE_NEWS_WITHIN_MS);
  }

  private fromSnapshot(digest: string, failure: AppError): Caller {
    const entry = this.known.get(digest);
    if (entry && this.ageOf(entry) < SNAPSHOT_FOR_MS) return entry.caller;
    throw failure;
  }

  private stillUsable(): Map<string, Known> {
    return new Map([...this.known.entries()].filter(([, entry]) => this.ageOf(entry) < SNAPSHOT_FOR_MS));
  }

  /** Infinite for an entry from the future: a clock that was set back must not make an answer last longer. */
  private ageOf(entry: Known): number {
    const age = this.now() - entry.confirmedAt;
    return age < 0 ? Infinity : age;
  }

  private now(): number {
    return this.options.now().getTime();
  }
}
