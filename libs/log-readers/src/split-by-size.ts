import type { StatesPort, StateKey } from '@assay/event-store';
import { eventKey } from './event-position.js';

/** Bound on the stored states that a reader loads at a time. */
export const MAX_LOADED_BYTES = 16 * 1024 * 1024;
/** A few states stay below the bound, however large each is. */
const ALWAYS_FITTING = 2;

/** Items of a batch whose stored states may have to be loaded. */
export interface SplitRequest<T> {
  readonly items: readonly T[];
  /** Returns the state that is loaded for the item; undefined when none is. */
  readonly toLoad: (item: T) => StateKey | undefined;
}

/**
 * Splits items into parts, in order, so that the stored states of a part take at most
 * {@link MAX_LOADED_BYTES}. A state above that is a part of its own.
 */
export async function splitBySize<T>(
  states: StatesPort,
  { items, toLoad }: SplitRequest<T>,
): Promise<readonly (readonly T[])[]> {
  const keys = items.flatMap((item) => toLoad(item) ?? []);
  if (keys.length <= ALWAYS_FITTING) return [items];
  const sizes = await states.sizes(keys);
  const parts: T[][] = [[]];
  let bytes = 0;
  for (const item of items) {
    const key = toLoad(item);
    const size = key ? (sizes.get(eventKey(key)) ?? 0) : 0;
    if (bytes > 0 && bytes + size > MAX_LOADED_BYTES) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(item);
    bytes += size;
  }
  return parts;
}
