import type { ConsumedRecord } from './event-log.js';

/** Records that a process was handling when it ended, and how often that has happened. */
interface Interruption {
  /** Offsets of the first record, and behind the last one. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Records that are handled together, because processes have ended equally often while they handled them. */
export interface RecordGroup {
  readonly records: readonly ConsumedRecord[];
  readonly interruptions: number;
}

/** A record that has ended the process this often is not handled again. */
const MAX_INTERRUPTIONS = 2;
/** Groups in which records are handled that may have ended the process: one record each when there are no more records. */
const MAX_GROUPS = 64;
/** Interruptions that a note keeps; it has a maximum length. */
const MAX_NOTED = 8;

/**
 * Finds the record that ends the process, by notes that are written before records are handled. A batch in which a process
 * has ended is handled in small groups by the next one, and a record that ends that one too is fatal. In a batch of more
 * than 64 records it may take one more end to find it.
 */
export class HandledRecords {
  #interruptions: readonly Interruption[];

  /** @param note what the process before has noted last; '' without a note */
  constructor(note = '') {
    const [last, ...earlier] = read(note);
    this.#interruptions = last === undefined ? [] : [{ ...last, count: last.count + 1 }, ...earlier];
  }

  /** Divides a batch into the groups in which to handle it. */
  groupsOf(batch: readonly ConsumedRecord[]): readonly RecordGroup[] {
    const suspects = batch.filter((record) => this.#countOf(record) > 0).length;
    const maxLength = [Number.POSITIVE_INFINITY, Math.ceil(suspects / MAX_GROUPS)];
    const groups: { readonly records: ConsumedRecord[]; readonly interruptions: number }[] = [];
    for (const record of batch) {
      const interruptions = this.#countOf(record);
      const last = groups.at(-1);
      const isFull = (last?.records.length ?? 0) >= (maxLength[interruptions] ?? 1);
      if (last?.interruptions === interruptions && !isFull) last.records.push(record);
      else groups.push({ records: [record], interruptions });
    }
    return groups;
  }

  /** Returns whether processes have ended too often while they handled this record alone. */
  isFatal({ offset }: ConsumedRecord): boolean {
    return this.#interruptions.some(
      ({ from, to, count }) => from === offset && to === offset + 1 && count >= MAX_INTERRUPTIONS,
    );
  }

  /** Returns the note to write before records are handled. */
  noteOf(records: readonly ConsumedRecord[], interruptions: number): string {
    const [from, to] = [records[0]?.offset ?? 0, (records.at(-1)?.offset ?? 0) + 1];
    return write([{ from, to, count: interruptions }, ...this.#interruptions]);
  }

  /** Returns the note to write when nothing is handled: a process that ends then has not ended because of a record. */
  idleNote(): string {
    return write([{ from: 0, to: 0, count: 0 }, ...this.#interruptions]);
  }

  /** Forgets records before this offset, which are complete. */
  completed(offset: number): void {
    if (this.#interruptions.length > 0)
      this.#interruptions = this.#interruptions.filter(({ to }) => to > offset);
  }

  #countOf({ offset }: ConsumedRecord): number {
    let count = 0;
    for (const one of this.#interruptions)
      if (one.from <= offset && offset < one.to) count = Math.max(count, one.count);
    return count;
  }
}

function write(interruptions: readonly Interruption[]): string {
  return JSON.stringify(interruptions.slice(0, MAX_NOTED).map(({ from, to, count }) => [from, to, count]));
}

/** A note of another format says nothing. */
function read(note: string): Interruption[] {
  try {
    const noted: unknown = JSON.parse(note === '' ? '[]' : note);
    if (!Array.isArray(noted)) return [];
    return noted.flatMap((one: unknown) => {
      if (!Array.isArray(one) || !one.every((value) => Number.isSafeInteger(value))) return [];
      const [from = 0, to = 0, count = 0] = one as number[];
      return [{ from, to, count }];
    });
  } catch {
    return [];
  }
}
