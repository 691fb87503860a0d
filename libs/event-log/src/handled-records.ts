import { createHash } from 'node:crypto';
import type { ConsumedRecord } from './event-log.js';

/** Records that a process was handling when it ended, and how often that has happened. */
interface Interruption {
  /** Offsets of the first record, and behind the last one. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Only records with this {@link subjectHash} were handled; absent: all of them. */
  readonly subject?: number;
}

/** Records that are handled together, because processes have ended equally often while they handled them. */
export interface RecordGroup {
  readonly records: readonly ConsumedRecord[];
  readonly interruptions: number;
}

/** Returns what a record is about, such as an event of a project: what it makes fatal is the same for all of its records. */
export type SubjectOf = (record: ConsumedRecord) => string;

/** A record that has ended the process this often is not handled again. */
const MAX_INTERRUPTIONS = 2;
/** Groups in which records are handled that may have ended the process: one record each when there are no more records. */
const MAX_GROUPS = 64;
/** The newest interruptions that fit are noted. */
const MAX_NOTE_LENGTH = 500;
/** Bytes of a hash that fit into an integer. */
const HASH_BYTES = 6;

/**
 * Finds the record that ends the process, by notes that are written before records are handled. A batch in which a process
 * has ended is handled in small groups by the next one, which also notes each record, or each subject, within them. One that
 * ends that process too is fatal.
 */
export class HandledRecords {
  #interruptions: readonly Interruption[];
  readonly #subjectOf: SubjectOf;

  /** @param note what the process before has noted last; '' without a note */
  constructor(note = '', subjectOf: SubjectOf = ({ key }) => key) {
    const [last, ...earlier] = read(note);
    this.#interruptions = last === undefined ? [] : [{ ...last, count: last.count + 1 }, ...earlier];
    this.#subjectOf = subjectOf;
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

  /** Returns whether processes have ended too often while they handled this record, or its subject, and nothing else. */
  isFatal(record: ConsumedRecord): boolean {
    return this.#interruptionsOf(record).some(
      ({ from, to, count, subject }) =>
        count >= MAX_INTERRUPTIONS && (to === from + 1 || subject !== undefined),
    );
  }

  /** Returns the note to write before records are handled. */
  noteOf(records: readonly ConsumedRecord[], interruptions: number): string {
    const [from, to] = [records[0]?.offset ?? 0, (records.at(-1)?.offset ?? 0) + 1];
    return this.#noteWith({ from, to, count: interruptions });
  }

  /** Returns the note to write before a record of a group is handled that may have ended the process. */
  recordNote({ offset }: ConsumedRecord, interruptions: number): string {
    return this.#noteWith({ from: offset, to: offset + 1, count: interruptions });
  }

  /** As {@link recordNote}, of all records from this one on that have its subject and may have ended the process. */
  subjectNote(record: ConsumedRecord, interruptions: number): string {
    const to = Math.max(record.offset + 1, ...this.#interruptionsOf(record).map((one) => one.to));
    const subject = this.#hashOf(record);
    return this.#noteWith({ from: record.offset, to, count: interruptions, subject });
  }

  /** Returns the note to write when nothing is handled: a process that ends then has not ended because of a record. */
  idleNote(): string {
    return this.#noteWith({ from: 0, to: 0, count: 0 });
  }

  /** Forgets records before this offset, which are complete. */
  completed(offset: number): void {
    if (this.#interruptions.length > 0)
      this.#interruptions = this.#interruptions.filter(({ to }) => to > offset);
  }

  #noteWith(handled: Interruption): string {
    return write([handled, ...this.#interruptions]);
  }

  #countOf(record: ConsumedRecord): number {
    return Math.max(0, ...this.#interruptionsOf(record).map(({ count }) => count));
  }

  #interruptionsOf(record: ConsumedRecord): readonly Interruption[] {
    return this.#interruptions.filter(
      ({ from, to, subject }) =>
        from <= record.offset &&
        record.offset < to &&
        (subject === undefined || subject === this.#hashOf(record)),
    );
  }

  #hashOf(record: ConsumedRecord): number {
    return createHash('sha256').update(this.#subjectOf(record)).digest().readUIntBE(0, HASH_BYTES);
  }
}

function write(interruptions: readonly Interruption[]): string {
  let note = '';
  for (const { from, to, count, subject } of interruptions) {
    const one = JSON.stringify(subject === undefined ? [from, to, count] : [from, to, count, subject]);
    if (note.length + one.length + 2 > MAX_NOTE_LENGTH) break;
    note += note === '' ? one : `,${one}`;
  }
  return `[${note}]`;
}

/** A note of another format says nothing. */
function read(note: string): Interruption[] {
  try {
    const noted: unknown = JSON.parse(note === '' ? '[]' : note);
    if (!Array.isArray(noted)) return [];
    return noted.flatMap((one: unknown) => {
      if (!Array.isArray(one) || !one.every((value) => Number.isSafeInteger(value))) return [];
      const [from = 0, to = 0, count = 0, subject] = one as number[];
      return [{ from, to, count, ...(subject !== undefined && { subject }) }];
    });
  } catch {
    return [];
  }
}
