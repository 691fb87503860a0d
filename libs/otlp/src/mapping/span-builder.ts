import { isJsonObject, type JsonObject, type JsonValue } from '@assay/domain';
import type { SlotBucket } from '../conventions/rule.js';
import type { CompiledDestination } from './rule-index.js';
import { SLOTS, type Slot } from './slots.js';

/** Object whose keys are spread into a bucket. */
export interface Spread {
  readonly bucket: SlotBucket;
  readonly order: number;
  readonly values: JsonObject;
}

/** Attribute that no rule maps. */
export type UnmappedAttribute = readonly [key: string, value: JsonValue];

/** Spreads with an order below this are explicit user values and take precedence over everything else. */
const EXPLICIT_SPREADS = 3000;

/**
 * Values of one span during mapping: for each slot the value with the smallest order. One builder is reused
 * for all spans of a request.
 */
export class SpanBuilder {
  private values: (JsonValue | undefined)[] = [];
  private orders: number[] = [];
  private sources: (UnmappedAttribute | undefined)[] = [];
  private touched: Slot[] = [];
  private readonly byBucket: Record<SlotBucket, Slot[]> = perBucket();
  private spreads: Spread[] = [];
  unmapped: UnmappedAttribute[] = [];

  reset(): void {
    for (const slot of this.touched) {
      this.values[slot.index] = undefined;
      this.sources[slot.index] = undefined;
      const filled = this.byBucket[slot.bucket];
      if (filled.length > 0) filled.length = 0;
    }
    this.touched = [];
    this.spreads = [];
    this.unmapped = [];
  }

  /** Non-empty slots of a bucket. */
  filled(bucket: SlotBucket): readonly Slot[] {
    return this.byBucket[bucket];
  }

  value(slot: Slot): JsonValue | undefined {
    return this.values[slot.index];
  }

  text(slot: Slot): string | undefined {
    const value = this.values[slot.index];
    return typeof value === 'string' ? value : undefined;
  }

  number(slot: Slot): number | undefined {
    const value = this.values[slot.index];
    return typeof value === 'number' ? value : undefined;
  }

  has(slot: Slot): boolean {
    return this.values[slot.index] !== undefined;
  }

  /** Order of the value in the slot. */
  order(slot: Slot): number {
    return this.values[slot.index] === undefined ? Infinity : (this.orders[slot.index] as number);
  }

  /** Source attribute of the value in the slot. */
  sourceKey(slot: Slot): string | undefined {
    return this.sources[slot.index]?.[0];
  }

  /** Objects spread into a bucket, by order: either those that override slots, or those that fill gaps. */
  spreadsOf(bucket: SlotBucket, explicit: boolean): readonly Spread[] {
    if (this.spreads.length === 0) return this.spreads;
    const chosen = this.spreads.filter(
      (spread) => spread.bucket === bucket && spread.order < EXPLICIT_SPREADS === explicit,
    );
    return chosen.length > 1 ? chosen.sort((a, b) => a.order - b.order) : chosen;
  }

  /**
   * Assigns a value to a destination.
   * @param source the attribute, stored in the metadata when an id or a name is outranked
   * @returns whether the value was accepted
   */
  assign(
    destination: CompiledDestination,
    raw: JsonValue,
    source: UnmappedAttribute | undefined,
    orderOffset: number,
  ): boolean {
    const value = accepted(destination, raw);
    if (value === undefined) return false;
    if (!isNothing(value)) this.assignTo(destination, value, source, destination.order + orderOffset);
    return true;
  }

  private assignTo(
    destination: CompiledDestination,
    value: JsonValue,
    source: UnmappedAttribute | undefined,
    order: number,
  ): void {
    if (destination.slot !== undefined) this.assignSlot(destination.slot, order, value, source);
    else if (destination.spread !== undefined) this.spread(destination.spread, order, value);
    else if (isJsonObject(value)) this.proposeAll(value, order);
  }

  /** Assigns an object whose keys are targets; unknown targets are skipped. */
  private proposeAll(targets: JsonObject, order: number): void {
    for (const [target, value] of Object.entries(targets)) {
      if (isNothing(value)) continue;
      if (target.endsWith('.*')) this.spread(target.slice(0, -2) as SlotBucket, order, value);
      else this.assignSlot(SLOTS.slot(target), order, value, undefined);
    }
  }

  spread(bucket: SlotBucket, order: number, value: JsonValue): void {
    if (isJsonObject(value)) this.spreads.push({ bucket, order, values: value });
  }

  private touch(slot: Slot): void {
    this.touched.push(slot);
    this.byBucket[slot.bucket].push(slot);
  }

  /** Sets the slot unless it holds a value of smaller or equal order. */
  assignSlot(slot: Slot, order: number, value: JsonValue, source: UnmappedAttribute | undefined): void {
    const { index } = slot;
    const current = this.values[index];
    if (current === undefined) this.touch(slot);
    else if ((this.orders[index] as number) <= order) {
      if (slot.identity && source !== undefined && value !== current) this.unmapped.push(source);
      return;
    }
    const beaten = this.sources[index];
    if (slot.identity && beaten !== undefined && current !== value) this.unmapped.push(beaten);
    this.values[index] = value;
    this.orders[index] = order;
    this.sources[index] = source;
  }
}

function perBucket(): Record<SlotBucket, Slot[]> {
  return {
    inputs: [],
    outputs: [],
    config: [],
    metadata: [],
    metrics: [],
    feedback: [],
    user_properties: [],
    usage: [],
    usage_details: [],
    cost_details: [],
    fact: [],
  };
}

/** An error in a reader does not reject the span: its attribute is stored in the metadata. */
function accepted(destination: CompiledDestination, raw: JsonValue): JsonValue | undefined {
  if (destination.read === undefined) return raw;
  try {
    return destination.read(raw);
  } catch {
    return undefined;
  }
}

/** Empty values, which never take precedence over another source. */
export function isNothing(value: JsonValue): boolean {
  if (value === null || value === '') return true;
  if (typeof value === 'string')
    return value.length <= 4 && (value === '[]' || value === '{}' || value === 'null');
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
