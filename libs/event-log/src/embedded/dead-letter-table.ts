import { unavailable } from '@assay/errors';
import type { DeadLetter, DeadLetterReason, ConsumedRecord } from '../event-log.js';
import { decodeBlock, encodeBlock } from './block.js';
import { keyOf, numberOf, type Tables } from './tables.js';

/** More dead letters than this are not taken: their reader waits, and says so, until somebody has looked at them. */
const MAX_DEAD_LETTERS = 100_000;

/** One answer holds about this many bytes. */
const ANSWER_BYTES = 64 * 1024 * 1024;

/** What is kept beside the record, as its first header's text. */
interface Origin extends DeadLetterReason {
  readonly partition: number;
  readonly offset: number;
}
const ORIGIN = 'assay.dead-letter';

/** Records that were set aside, each as a block of one. */
export class DeadLetterTable {
  private nextId = 1;
  private count = 0;

  constructor(private readonly tables: Tables) {
    for (const { key } of tables.deadLetters.getRange({ limit: 1, reverse: true }))
      this.nextId = numberOf(key) + 1;
    this.count = tables.deadLetters.getKeysCount({});
  }

  /** To be called inside a transaction. Ids are taken even when it fails: a gap means nothing. */
  write(record: ConsumedRecord, reason: DeadLetterReason, now: number): void {
    const origin: Origin = { ...reason, partition: record.partition, offset: record.offset };
    const headers = { ...record.headers, [ORIGIN]: JSON.stringify(origin) };
    const block = encodeBlock([{ ...record, headers }], { appendedAt: now, bytesBefore: 0 });
    void this.tables.deadLetters.put(keyOf(this.nextId++), block);
  }

  /** @throws AppError `UNAVAILABLE` when no more are taken */
  assertRoom(): void {
    if (this.count >= MAX_DEAD_LETTERS) throw unavailable('too many dead letters are waiting to be replayed');
  }

  /** To be called once the transaction is on disk. */
  wrote(): void {
    this.count += 1;
  }

  oldest(limit: number): DeadLetter[] {
    const letters: DeadLetter[] = [];
    let bytes = 0;
    for (const { key, value } of this.tables.deadLetters.getRange({ limit })) {
      bytes += value.length;
      if (letters.length > 0 && bytes > ANSWER_BYTES) break;
      letters.push(...decodeBlock(value, 0).map((record) => toDeadLetter(numberOf(key), record)));
    }
    return letters;
  }

  /** To be called inside a transaction. */
  removeThrough(id: number): void {
    for (const key of this.tables.deadLetters.getKeys({ end: keyOf(id + 1) }))
      void this.tables.deadLetters.remove(Buffer.from(key));
  }

  /** To be called once the transaction is on disk. */
  removed(): void {
    this.count = this.tables.deadLetters.getKeysCount({});
  }
}

function toDeadLetter(id: number, { key, value, headers }: ConsumedRecord): DeadLetter {
  const { [ORIGIN]: text = '{}', ...original } = headers;
  const { partition, offset, group, errorClass } = JSON.parse(text) as Origin;
  return { id, key, value, headers: original, partition, offset, reason: { group, errorClass } };
}
