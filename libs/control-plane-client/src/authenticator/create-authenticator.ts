import { createHmac } from 'node:crypto';
import { AppError, unavailable } from '@assay/errors';
import { readKeyText, type Administrator, type Caller } from '@assay/domain';
import { LRUCache } from 'lru-cache';
import type { Authenticator, ControlPlane, PersonOutcome } from '../control-plane.js';
import { AdministratorCache } from './administrator-cache.js';
import { type Known, readSnapshot, type Warn } from './snapshot-file.js';
import { PersonCache } from './person-cache.js';
import { SnapshotKeeper } from './snapshot-keeper.js';

const KNOWN_FOR_MS = 30_000;
const UNKNOWN_FOR_MS = 5_000;
const SNAPSHOT_FOR_MS = 24 * 60 * 60 * 1000;
const MAX_KEYS = 10_000;
/** Look-ups at the same time. Further ones are refused, so that a flood of invented keys cannot fill the memory. */
const MAX_LOOKUPS = 256;
/** How long no look-up is tried after one has failed, so that not every request waits for a timeout. */
const COOLDOWN_MS = 1_000;
const WRITE_CHANGES_WITHIN_MS = 1_000;
const WRITE_CONFIRMATIONS_WITHIN_MS = 60_000;

export interface AuthenticatorOptions {
  readonly controlPlane: Pick<
    ControlPlane,
    'authenticate' | 'authenticateAdministrator' | 'authenticatePerson'
  >;
  /** Folder of the snapshot; created when it does not exist. */
  readonly snapshotDir: string;
  /** Whether the disk has room for the snapshot; always when absent. Until then the write is put off. */
  readonly mayWriteSnapshot?: () => boolean;
  /** Milliseconds for which a key that was found is not looked up again; 30 seconds when absent. */
  readonly cacheMs?: number;
  readonly now: () => Date;
  /** Called when the snapshot cannot be read or written. */
  readonly warn?: Warn;
}

/**
 * Caches look-ups under an HMAC of the key with a local salt: the text of a key is neither kept in memory nor written to disk.
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  return new CachingAuthenticator(options);
}

class CachingAuthenticator implements Authenticator {
  private readonly salt: Buffer;
  private readonly known = new LRUCache<string, Known>({ max: MAX_KEYS });
  /** Separate from the known keys, so that invented ones never evict those. Value: when the entry expires. */
  private readonly unknown = new LRUCache<string, number>({ max: MAX_KEYS });
  private readonly lookups = new Map<string, Promise<Caller | undefined>>();
  private readonly keeper: SnapshotKeeper;
  private readonly administrators: AdministratorCache;
  private readonly people: PersonCache;
  private coolingDownUntil = 0;

  constructor(private readonly options: AuthenticatorOptions) {
    const warn = options.warn ?? (() => undefined);
    const snapshot = readSnapshot(options.snapshotDir, warn);
    this.salt = snapshot.salt;
    for (const [digest, entry] of [...snapshot.known].reverse()) this.known.set(digest, entry);
    const inMemory = { controlPlane: options.controlPlane, knownForMs: options.cacheMs ?? KNOWN_FOR_MS };
    this.administrators = new AdministratorCache({ ...inMemory, now: () => this.now() });
    this.people = new PersonCache({ ...inMemory, now: () => this.now() });
    this.keeper = new SnapshotKeeper({
      dir: options.snapshotDir,
      current: () => ({ salt: this.salt, known: this.stillUsable() }),
      warn,
      mayWrite: options.mayWriteSnapshot,
    });
  }

  async authenticate(key: string): Promise<Caller | undefined> {
    if (readKeyText(key).kind === 'refused') return undefined;
    const digest = createHmac('sha256', this.salt).update(key).digest('base64url');
    const entry = this.known.get(digest);
    if (entry && this.ageOf(entry) < (this.options.cacheMs ?? KNOWN_FOR_MS)) return entry.caller;
    if ((this.unknown.get(digest) ?? 0) > this.now()) return undefined;
    return this.lookups.get(digest) ?? this.startLookup(digest, key);
  }

  authenticateAdministrator(token: string): Promise<Administrator | undefined> {
    return this.administrators.authenticate(token);
  }

  authenticatePerson(token: string, projectId: string | null): Promise<PersonOutcome> {
    return this.people.authenticate(token, projectId);
  }

  close(): Promise<void> {
    return this.keeper.flush();
  }

  private startLookup(digest: string, key: string): Promise<Caller | undefined> {
    const lookup = this.lookUp(digest, key).finally(() => this.lookups.delete(digest));
    this.lookups.set(digest, lookup);
    return lookup;
  }

  private async lookUp(digest: string, key: string): Promise<Caller | undefined> {
    const startedAt = this.now();
    if (startedAt < this.coolingDownUntil)
      return this.fromSnapshot(digest, unavailable('control plane unreachable'));
    if (this.lookups.size >= MAX_LOOKUPS)
      return this.fromSnapshot(
        digest,
        new AppError('OVERLOADED', 'too many keys are being checked, send the request again later'),
      );
    try {
      const caller = await this.options.controlPlane.authenticate(key);
      this.remember(digest, caller, startedAt);
      return caller;
    } catch (cause) {
      this.coolingDownUntil = this.now() + COOLDOWN_MS;
      return this.fromSnapshot(digest, unavailable('control plane unreachable', cause));
    }
  }

  /** An entry ages from the start of the look-up: a key that is revoked before the response arrives still expires in time. */
  private remember(digest: string, caller: Caller | undefined, startedAt: number): void {
    const before = this.known.peek(digest);
    if (caller) {
      this.unknown.delete(digest);
      this.known.set(digest, { caller, confirmedAt: startedAt });
      this.keeper.changed(before ? WRITE_CONFIRMATIONS_WITHIN_MS : WRITE_CHANGES_WITHIN_MS);
      return;
    }
    this.unknown.set(digest, startedAt + UNKNOWN_FOR_MS);
    if (this.known.delete(digest)) this.keeper.changed(WRITE_CHANGES_WITHIN_MS);
  }

  private fromSnapshot(digest: string, failure: AppError): Caller {
    const entry = this.known.get(digest);
    if (entry && this.ageOf(entry) < SNAPSHOT_FOR_MS) return entry.caller;
    throw failure;
  }

  private stillUsable(): Map<string, Known> {
    return new Map([...this.known.entries()].filter(([, entry]) => this.ageOf(entry) < SNAPSHOT_FOR_MS));
  }

  /** Infinite for an entry from the future: setting the clock back must not extend the life of an entry. */
  private ageOf(entry: Known): number {
    const age = this.now() - entry.confirmedAt;
    return age < 0 ? Infinity : age;
  }

  private now(): number {
    return this.options.now().getTime();
  }
}
