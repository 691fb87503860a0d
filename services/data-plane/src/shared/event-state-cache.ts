import { decodeEventRow } from '@assay/event-store/rows';
import type { EventState } from '@assay/event-store';
import { LRUCache } from 'lru-cache';

type Entry =
  { readonly row: Buffer; readonly version: number } | { readonly state: EventState; readonly bytes: number };

/** The state of an event after a batch: a row that nothing has changed yet, or a merged state. */
export type StateToCache =
  | { readonly key: string; readonly row: Buffer; readonly version: number }
  | {
      readonly key: string;
      readonly state: EventState;
      /** Length of its JSON; measured when absent. */
      readonly jsonLength?: number;
    };

/** Approximate size of an entry beside its payload: key, objects, list node. */
const OVERHEAD_BYTES = 300;

/**
 * LRU cache of recently stored states by `projectId/eventId`, bounded in bytes. It saves the read for an
 * update that follows its event soon.
 */
export class EventStateCache {
  private readonly entries: LRUCache<string, Entry>;

  constructor(maxBytes: number) {
    this.entries = new LRUCache({ maxSize: maxBytes, sizeCalculation: sizeOf });
  }

  has(key: string): boolean {
    return this.entries.has(key);
  }

  get(key: string): EventState | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    if ('state' in entry) return entry.state;
    return { event: { ...decodeEventRow(entry.row), version: entry.version } };
  }

  /** Returns whether the event was created by the record of this version, and nothing has changed it since. */
  isUnchanged(key: string, version: number): boolean {
    const entry = this.entries.get(key);
    return entry !== undefined && 'row' in entry && entry.version === version;
  }

  /** Adds states in order. Rows are copied, because they may be views of a much larger buffer. */
  add(states: readonly StateToCache[]): void {
    for (const one of states) {
      if ('row' in one) this.entries.set(one.key, { row: Buffer.from(one.row), version: one.version });
      else {
        const bytes = one.jsonLength ?? JSON.stringify(one.state).length;
        this.entries.set(one.key, { state: one.state, bytes });
      }
    }
  }

  delete(keys: Iterable<string>): void {
    for (const key of keys) this.entries.delete(key);
  }

  /** Deletes the states of all events of a project. */
  deleteProject(projectId: string): void {
    for (const key of this.entries.keys()) if (key.startsWith(`${projectId}/`)) this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }
}

function sizeOf(entry: Entry): number {
  return OVERHEAD_BYTES + ('row' in entry ? entry.row.byteLength : entry.bytes);
}
