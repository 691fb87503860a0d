import { RECORD_HEADERS } from '@assay/contracts';
import type { LogRecord } from '@assay/event-log';
import { LRUCache } from 'lru-cache';

/** Costs of a record apart from its size: of one that is inserted, and of one that is merged into its event. */
const INSERT_BYTES = 10 * 1_024;
const MERGE_BYTES = 64 * 1_024;
/** Cost of a byte that is loaded, merged and written again, relative to one that is only inserted. */
const MERGE_WEIGHT = 8;
/** Events of at least this size are remembered. */
const LARGE_BYTES = 64 * 1_024;
/** Maximum size of a merged event; updates do not make it larger. */
const MAX_EVENT_BYTES = 16 * 1_024 * 1_024;
/** LRU capacity, about 200 bytes each. */
const MAX_LARGE_EVENTS = 10_000;

/**
 * Estimates what it costs to store records, in bytes of inserted events; the constants are measured CPU time. A
 * create costs its size. A record that changes an event costs a multiple of its own size and of that of the event. The
 * size of an event is what this process has appended to it, and is known of large events only.
 */
export class RecordCosts {
  private readonly largeEvents = new LRUCache<string, number>({ max: MAX_LARGE_EVENTS });

  /** Returns the cost of the records, an integer, and remembers the large events that they make. */
  costOf(records: readonly LogRecord[]): number {
    return records.reduce((sum, record) => sum + this.costOfRecord(record), 0);
  }

  private costOfRecord({ key, value, headers }: LogRecord): number {
    const eventOf = () => `${headers[RECORD_HEADERS.project]}/${key}`;
    const knownBytes = this.largeEvents.size === 0 ? 0 : (this.largeEvents.get(eventOf()) ?? 0);
    const bytes = knownBytes + value.length;
    if (bytes >= LARGE_BYTES) this.largeEvents.set(eventOf(), Math.min(bytes, MAX_EVENT_BYTES));
    const isInsert = headers[RECORD_HEADERS.kind] === 'event' && knownBytes === 0;
    return isInsert ? INSERT_BYTES + bytes : MERGE_BYTES + MERGE_WEIGHT * bytes;
  }
}
