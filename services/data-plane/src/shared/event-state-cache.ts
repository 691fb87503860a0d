import { decodeEventRow, decodeNarrowRow, decodePayload, payloadOfRow } from '@assay/event-rows';
import type { EventState } from '@assay/event-store';
import { LRUCache } from 'lru-cache';
import { SharedBuffers } from './shared-buffers.js';

/** A row that nothing has changed yet. */
interface RowEntry {
  readonly row: Buffer;
  readonly version: number;
  /** Whether the row is a view of a buffer that is counted as a whole; otherwise a copy. */
  readonly isShared: boolean;
}

/** A merged state. */
interface StateEntry {
  readonly state: EventState;
  readonly bytes: number;
  /** For a state without payload: the row of the event that has the payload; absent when it was not in the cache. */
  readonly payloadRow?: Buffer;
}

type Entry = RowEntry | StateEntry;

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
/** Rows that are at least this share of a buffer are kept as views of it. */
const MIN_SHARE = 0.5;

/** Which part of a state is wanted. */
interface Wanted {
  readonly withoutPayload?: boolean;
}

/**
 * LRU cache of recently stored states by `projectId/eventId`, bounded in bytes. It saves the read for an
 * update that follows its event soon.
 */
export class EventStateCache {
  private readonly entries: LRUCache<string, Entry>;
  private readonly shared = new SharedBuffers();

  constructor(private readonly maxBytes: number) {
    const dispose = (entry: Entry) => {
      if ('row' in entry && entry.isShared) this.shared.remove(entry.row);
    };
    this.entries = new LRUCache({ maxSize: maxBytes, sizeCalculation: sizeOf, dispose });
  }

  /** Returns whether {@link get} would return a state. */
  has(key: string, { withoutPayload = false }: Wanted = {}): boolean {
    const entry = this.entries.peek(key);
    return entry !== undefined && (withoutPayload || hasPayload(entry));
  }

  /** Returns the state of an event. When its payload is not wanted, it is not parsed and may be absent. */
  get(key: string, { withoutPayload = false }: Wanted = {}): EventState | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    if ('row' in entry) return withoutPayload ? narrowStateOf(entry) : stateOf(entry);
    if (withoutPayload || !entry.state.withoutPayload) return entry.state;
    const whole = wholeEntry(entry);
    if (whole) this.entries.set(key, whole);
    return whole?.state;
  }

  /** Returns whether the event was created by the record of this version, and nothing has changed it since. */
  isUnchanged(key: string, version: number): boolean {
    const entry = this.entries.peek(key);
    return entry !== undefined && 'row' in entry && entry.version === version;
  }

  /**
   * Adds states in order. A row is copied unless the rows are a large share of the buffer that they are views of. A buffer
   * counts with all its bytes while one of its rows is in the cache.
   */
  add(states: readonly StateToCache[]): void {
    const rowBytes = bytesByBuffer(states);
    for (const one of states) {
      if ('row' in one) {
        const { buffer } = one.row;
        const isShared = (rowBytes.get(buffer) ?? 0) >= MIN_SHARE * buffer.byteLength;
        if (isShared) this.shared.add(one.row);
        const row = isShared ? one.row : Buffer.from(one.row);
        this.entries.set(one.key, { row, version: one.version, isShared });
      } else {
        const bytes = one.jsonLength ?? JSON.stringify(one.state).length;
        const payloadRow = this.#payloadRowFor(one.key, one.state);
        this.entries.set(one.key, { state: one.state, bytes, ...(payloadRow && { payloadRow }) });
      }
      while (this.entries.size > 0 && this.entries.calculatedSize + this.shared.bytes > this.maxBytes)
        this.entries.pop();
    }
  }

  /** Returns the cached row that has the payload of a state without payload, as a copy. */
  #payloadRowFor(key: string, { withoutPayload, payload }: EventState): Buffer | undefined {
    const entry = withoutPayload ? this.entries.peek(key) : undefined;
    if (entry === undefined) return undefined;
    if ('row' in entry) {
      if (entry.version !== payload?.version) return undefined;
      return entry.isShared ? Buffer.from(entry.row) : entry.row;
    }
    return entry.state.payload?.version === payload?.version ? entry.payloadRow : undefined;
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

function bytesByBuffer(states: readonly StateToCache[]): ReadonlyMap<ArrayBufferLike, number> {
  const bytes = new Map<ArrayBufferLike, number>();
  for (const one of states) {
    if (!('row' in one)) continue;
    const { buffer, byteLength } = one.row;
    bytes.set(buffer, (bytes.get(buffer) ?? 0) + byteLength);
  }
  return bytes;
}

function stateOf({ row, version }: RowEntry): EventState {
  return { event: { ...decodeEventRow(row), version } };
}

function narrowStateOf({ row, version }: RowEntry): EventState {
  const payload = { version, ...payloadOfRow(row) };
  return { event: { ...decodeNarrowRow(row), version }, payload, withoutPayload: true };
}

/** Returns the entry with its payload; undefined when that is not in the cache. */
function wholeEntry({ state, bytes, payloadRow }: StateEntry): StateEntry | undefined {
  if (!payloadRow || !state.event) return undefined;
  const { withoutPayload: _withoutPayload, ...others } = state;
  const event = { ...state.event, ...decodePayload(payloadRow) };
  return { state: { ...others, event }, bytes: bytes + payloadRow.byteLength };
}

function hasPayload(entry: Entry): boolean {
  return 'row' in entry || !entry.state.withoutPayload || entry.payloadRow !== undefined;
}

function sizeOf(entry: Entry): number {
  if ('row' in entry) return OVERHEAD_BYTES + (entry.isShared ? 0 : entry.row.byteLength);
  const { state, bytes, payloadRow } = entry;
  return OVERHEAD_BYTES + bytes + (payloadRow?.byteLength ?? 0) + leavesLength(state);
}

function leavesLength({ payload }: EventState): number {
  if (!payload) return 0;
  const { attrs, nums } = payload.leaves;
  const texts = [attrs.paths, attrs.values, nums.paths].flat();
  return texts.reduce((sum, text) => sum + text.length, 0);
}
