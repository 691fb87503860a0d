import { silentLogger } from '@assay/testing';
import type { ConsumedRecord, DeadLetter, EventLog } from '../src/event-log.js';
import { openEmbeddedEventLog } from '../src/embedded/embedded-event-log.js';
import type { SimulatedDisk } from './simulated-disk.js';

/** Small, so that segments are rolled all the time; a group that never reads keeps all of them. */
const RETENTION = { maxBytes: 80_000 };
const HOLDING_GROUP = 'hold';
const GROUP = 'g';
const WAIT_MS = 10_000;
/** How long reading is tried on a disk that fails. */
const FAULTY_WAIT_MS = 30;

/**
 * An embedded log on a disk that fails and crashes, with what it must hold: everything that was acknowledged.
 */
export class CheckedLog {
  private log: EventLog | undefined;
  /** Keys of each append, and whether it was acknowledged. */
  private readonly calls: { readonly keys: readonly string[]; acknowledged: boolean }[] = [];
  private readonly offsets = new Map<string, number>();
  private readonly consumed = new Set<string>();
  /** Position that was reported as committed. */
  private committed = 0;
  private readonly letters = new Set<string>();
  /** Letters whose adding or dropping was not confirmed may be there or not. */
  private readonly uncertainLetters = new Set<string>();
  private nextKey = 0;
  private isRegistered = false;
  readonly violations: string[] = [];

  constructor(
    private readonly dir: string,
    private readonly disk: SimulatedDisk,
    private readonly random: () => number,
  ) {}

  /** Opens the log unless it is open. A disk that fails may refuse, with a retryable error. */
  async open(): Promise<void> {
    if (this.log !== undefined) return;
    const options = { dir: this.dir, logger: silentLogger, fileSystem: this.disk.mount(), readRetryMs: 1 };
    this.log = await this.attempt(openEmbeddedEventLog({ ...options, retention: RETENTION }));
    if (this.log === undefined) return;
    if (((await this.log.position(GROUP)).get(0) ?? 0) < this.committed)
      this.violations.push('position lost');
    await this.register();
  }

  /** One random action. */
  async act(): Promise<void> {
    await this.open();
    const choice = this.random();
    if (choice < 0.35) await this.append(1 + this.integer(5));
    else if (choice < 0.5) await Promise.all([this.append(2), this.append(1), this.append(3)]);
    else if (choice < 0.7) await this.consume(1 + this.integer(20));
    else if (choice < 0.78) await this.addLetter();
    else if (choice < 0.82) await this.dropLetters();
    else if (choice < 0.87) await this.attempt(this.log?.check());
    else if (choice < 0.93) await this.close();
    else await this.crash();
  }

  /**
   * With a disk that works again: the open log takes appends immediately, and after reopening everything is
   * there.
   */
  async finish(): Promise<readonly string[]> {
    this.disk.plan = undefined;
    await this.open();
    const refusals = this.calls.filter(({ acknowledged }) => !acknowledged).length;
    await this.append(1);
    if (this.calls.filter(({ acknowledged }) => !acknowledged).length > refusals)
      this.violations.push('an append on a disk that works again was refused');
    await (this.random() < 0.5 ? this.close() : this.crash());
    await this.open();
    await this.checkRecords();
    await this.checkLetters();
    await this.close();
    return this.violations;
  }

  private async register(): Promise<void> {
    if (this.isRegistered || this.log === undefined) return;
    const options = { group: HOLDING_GROUP, maxRecords: 1, maxBytes: 1, lingerMs: 0 };
    const consumer = await this.attempt(
      this.log.read({ ...options, onBatch: () => Promise.reject(new Error('never reads')) }),
    );
    await consumer?.stop();
    this.isRegistered = consumer !== undefined;
    if (consumer === undefined) await this.close();
  }

  private async append(count: number): Promise<void> {
    if (this.log === undefined) return;
    const keys = Array.from({ length: count }, () => String(this.nextKey++));
    const bytes = this.random() < 0.03 ? 300_000 : this.integer(3_000);
    const call = { keys, acknowledged: false };
    this.calls.push(call);
    const records = keys.map((key) => ({ key, value: Buffer.alloc(bytes, Number(key)), headers: { key } }));
    await this.attempt(this.log.append(records).then(() => (call.acknowledged = true)));
  }

  private async consume(wanted: number): Promise<void> {
    if (this.log === undefined) return;
    const end = (await this.log.end()).get(0) ?? 0;
    const position = (await this.log.position(GROUP)).get(0) ?? 0;
    await this.read(GROUP, Math.min(wanted, end - position));
    const reached = (await this.log.position(GROUP)).get(0) ?? 0;
    // A position that an earlier process wrote and could not sync is read at open, and may be lost in a crash: it was never confirmed.
    if (reached > position) this.committed = reached;
  }

  /** Reads until there are this many records, or reading takes too many tries. */
  private async read(group: string, wanted: number): Promise<ConsumedRecord[]> {
    const seen: ConsumedRecord[] = [];
    if (wanted === 0 || this.log === undefined) return seen;
    let enough = (): void => undefined;
    const done = new Promise<void>((resolve) => (enough = resolve));
    const timer = setTimeout(enough, this.disk.plan === undefined ? WAIT_MS : FAULTY_WAIT_MS);
    const onBatch = (batch: readonly ConsumedRecord[]) => {
      for (const record of batch) this.noteOffset(record);
      if (group === GROUP) for (const { key } of batch) this.consumed.add(key);
      seen.push(...batch);
      if (seen.length >= wanted) enough();
      return Promise.resolve();
    };
    const options = { group, maxRecords: 7, maxBytes: 1_000_000, lingerMs: 0, onBatch };
    const consumer = await this.attempt(this.log.read(options));
    if (consumer !== undefined) await done;
    clearTimeout(timer);
    await consumer?.stop();
    if (seen.length < wanted && this.disk.plan === undefined)
      this.violations.push(`${group} got ${seen.length} of ${wanted} records`);
    return seen;
  }

  private noteOffset({ key, offset, value }: ConsumedRecord): void {
    const known = this.offsets.get(key);
    if (known !== undefined && known !== offset) this.violations.push(`${key} has two offsets`);
    if (!value.equals(Buffer.alloc(value.length, Number(key))))
      this.violations.push(`${key} has other bytes`);
    this.offsets.set(key, offset);
  }

  private async addLetter(): Promise<void> {
    if (this.log === undefined) return;
    const key = `letter-${this.nextKey++}`;
    const record = {
      key,
      value: Buffer.alloc(this.integer(2_000)),
      headers: {},
      partition: 0,
      offset: 1,
      appendedAt: 1,
    };
    this.uncertainLetters.add(key);
    await this.attempt(
      this.log.deadLetter(record, { group: GROUP, errorClass: 'X' }).then(() => {
        this.uncertainLetters.delete(key);
        this.letters.add(key);
      }),
    );
  }

  private async dropLetters(): Promise<void> {
    if (this.log === undefined) return;
    const letters = (await this.attempt(this.log.deadLetters(5))) ?? [];
    const last: DeadLetter | undefined = letters.at(-1);
    if (last === undefined) return;
    for (const { key } of letters) this.uncertainLetters.add(key);
    for (const { key } of letters) this.letters.delete(key);
    await this.attempt(
      this.log
        .dropDeadLetters(last.id)
        .then(() => letters.forEach(({ key }) => this.uncertainLetters.delete(key))),
    );
  }

  private async close(): Promise<void> {
    await this.log?.close();
    this.log = undefined;
  }

  private async crash(): Promise<void> {
    this.disk.crash();
    // Releases the lock on the directory; the disk no longer takes anything from it.
    await this.close();
  }

  private async checkRecords(): Promise<void> {
    const end = (await this.log?.end())?.get(0) ?? 0;
    const all = await this.read('all', end);
    const stored = all.map(({ key }) => key);
    if (new Set(stored).size !== stored.length) this.violations.push('a record is there twice');
    if (!all.every(({ offset }, index) => offset === index)) this.violations.push('offsets have gaps');
    this.checkCalls(stored);
    await this.read(GROUP, end - ((await this.log?.position(GROUP))?.get(0) ?? 0));
    for (const key of stored) if (!this.consumed.has(key)) this.violations.push(`${key} was never delivered`);
  }

  /** Each append is there as a whole and in order, or not at all if it was not acknowledged. */
  private checkCalls(stored: readonly string[]): void {
    const positions = new Map(stored.map((key, index) => [key, index]));
    for (const { keys, acknowledged } of this.calls) {
      const found = keys.map((key) => positions.get(key)).filter((position) => position !== undefined);
      if (acknowledged && found.length < keys.length)
        this.violations.push(`acknowledged ${keys.join()} is missing`);
      if (found.length > 0 && found.length < keys.length)
        this.violations.push(`${keys.join()} is there in part`);
      if (found.some((position, index) => position !== (found[0] ?? 0) + index))
        this.violations.push('order changed');
    }
  }

  private async checkLetters(): Promise<void> {
    const stored = new Set(((await this.log?.deadLetters(1_000)) ?? []).map(({ key }) => key));
    for (const key of this.letters) if (!stored.has(key)) this.violations.push(`${key} is missing`);
    for (const key of stored)
      if (!this.letters.has(key) && !this.uncertainLetters.has(key)) this.violations.push(`${key} came back`);
  }

  /** The result; undefined when the call failed, which must be a failure that may pass. */
  private async attempt<T>(call: Promise<T> | undefined): Promise<T | undefined> {
    try {
      return await call;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code !== 'UNAVAILABLE') this.violations.push(`failed with ${String(code)}: ${String(error)}`);
      return undefined;
    }
  }

  private integer(below: number): number {
    return Math.floor(this.random() * below);
  }
}
