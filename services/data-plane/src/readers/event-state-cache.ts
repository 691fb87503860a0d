import { decodeEventRow } from '@assay/event-store/rows';
import type { EventState } from '@assay/event-store';
import { LRUCache } from 'lru-cache';

type Entry =
  { readonly row: Buffer; readonly version: number } | { readonly state: EventState; readonly bytes: number };

/** Rough size of an entry beside its payload: key, objects, list node. */
const OVERHEAD_BYTES = 300;

/** What was stored lately, by `projectId/eventId`, so that an update soon after its event needs no read. Bounded in bytes. */
export class EventStateCache {
  private readonly entries: LRUCache<string, Entry>;

  constructor(maxBytes: number) {
    this.entries = new LRUCache({ maxSize: maxBytes, sizeCalculation: sizeOf });
  }

  get(key: string): EventState | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    if ('state' in entry) return entry.state;
    return { event: { ...decodeEventRow(entry.row), version: entry.version } };
  }

  /** An event that nothing has changed yet. The bytes are copied: they may be a view of a much larger buffer. */
  setRow(key: string, row: Buffer, version: number): void {
    this.entries.set(key, { row: Buffer.from(row), version });
  }

  setState(key: string, state: EventState): void {
    this.entries.set(key, { state, bytes: JSON.stringify(state).length });
  }

  delete(key: string): void {
    this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }
}

function sizeOf(entry: Entry): number {
  return OVERHEAD_BYTES + ('row' in entry ? entry.row.byteLength : entry.bytes);
}
