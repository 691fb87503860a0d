import { isJsonObject, type JsonObject, type JsonValue } from '@assay/domain';
import type { SlotBucket } from '../conventions/rule.js';
import { isSilent } from '../chat/message.js';
import { isRawMessages } from '../codec/protobuf/raw-messages.js';
import { isNothing } from '../json/is-nothing.js';
import { parsed } from '../json/parse-json.js';
import { accepted, isBareText } from './accepted-value.js';
import { readCut } from './read-cut.js';
import type { CompiledDestination } from './rule-index.js';
import { SLOTS, type Slot } from './slots.js';
import {
  asPart,
  isAttribute,
  sourceFor,
  type Source,
  type Spread,
  type UnmappedAttribute,
} from './source.js';

/** Spreads with an order below this are explicit user values and take precedence over everything else. */
const EXPLICIT_SPREADS = 3000;
/** Added to the order of messages without content, which outrank nothing. */
const EMPTY_ORDER = 1_000_000;
/** Slots of unstructured values by the slot of the messages that stand for them. */
const WHOLE = new Map([
  [SLOTS.slot('fact.history'), SLOTS.slot('fact.input')],
  [SLOTS.slot('fact.output_messages'), SLOTS.slot('fact.output')],
  [SLOTS.slot('fact.agent_answer'), SLOTS.slot('fact.agent_result')],
]);

/**
 * Values of one span during mapping: for each slot the value with the smallest order. One builder is reused
 * for all spans of a request.
 */
export class SpanBuilder {
  private values: (JsonValue | undefined)[] = [];
  private orders: number[] = [];
  private sources: (Source | undefined)[] = [];
  private touched: Slot[] = [];
  private readonly byBucket: Record<SlotBucket, Slot[]> = perBucket();
  private spreads: Spread[] = [];
  unmapped: UnmappedAttribute[] = [];
  /** Keys of attributes whose value was cut at a length limit. */
  truncated: string[] = [];
  /** Sources of which the event may contain only a part. */
  readonly contested = new Set<Source>();
  /** Further sources of the value in a slot, by its index. */
  private readonly agreeing = new Map<number, Source[]>();

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
    if (this.truncated.length > 0) this.truncated = [];
    if (this.contested.size > 0) this.contested.clear();
    if (this.agreeing.size > 0) this.agreeing.clear();
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

  /** Key of the attribute that set the slot. */
  sourceKey(slot: Slot): string | undefined {
    const source = this.sources[slot.index];
    return source !== undefined && isAttribute(source) ? source[0] : undefined;
  }

  /** Whether one attribute set both slots. */
  isFromSameSource(one: Slot, other: Slot): boolean {
    const source = this.sources[one.index];
    return source !== undefined && source === this.sources[other.index];
  }

  /** Records that the event may not contain the whole value of the source. */
  contest(source: Source | undefined): void {
    if (source !== undefined) this.contested.add(source);
  }

  /** Records that the event may not contain the whole value of the slot. */
  contestSlot(slot: Slot): void {
    this.contest(this.sources[slot.index]);
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
   * @param source of the value, so that the metadata can store what is outranked
   * @returns whether the value was accepted
   */
  assign(
    destination: CompiledDestination,
    raw: JsonValue,
    source: Source | undefined,
    orderOffset: number,
  ): boolean {
    const value = accepted(destination, raw);
    const { slot } = destination;
    // Most slots hold no messages.
    if ((slot === undefined || slot.isMessages) && source !== undefined && isAttribute(source)) {
      if (value === undefined && slot !== undefined)
        return this.assignWhole(slot, raw, source, destination.order + orderOffset);
      if (isBareText(value, raw) || (destination.cut && value === undefined && typeof raw === 'string'))
        if (this.assignCut(destination, raw as string, source, orderOffset)) return true;
    }
    if (value === undefined) return false;
    if (isNothing(value)) return true;
    this.assignTo(destination, value, sourceFor(destination, source), destination.order + orderOffset);
    return true;
  }

  /** An object or a list that holds no message is the input or the output itself. */
  private assignWhole(slot: Slot, raw: JsonValue, source: UnmappedAttribute, order: number): boolean {
    const whole = parsed(isRawMessages(raw) ? raw.toString() : raw);
    const unstructured = WHOLE.get(slot);
    if (unstructured === undefined || typeof whole !== 'object' || whole === null) return false;
    if (!isNothing(whole)) this.assignSlot(unstructured, order, whole, source);
    return true;
  }

  /** Messages of which the text was cut: those before the cut are messages, the rest stays under the key of the attribute. */
  private assignCut(
    destination: CompiledDestination,
    text: string,
    source: UnmappedAttribute,
    orderOffset: number,
  ): boolean {
    const cut = readCut(destination, text);
    if (cut === undefined) return false;
    const { complete, value, rest } = cut;
    if (value !== undefined) this.assignTo(destination, value, undefined, destination.order + orderOffset);
    if (destination.cut && complete !== undefined) this.contest([source[0], complete]);
    this.keepCut(source[0], rest);
    return true;
  }

  /** Keeps what could not be read of a text that was cut. */
  keepCut(key: string, rest: string): void {
    if (rest !== '') this.unmapped.push([key, rest]);
    this.truncated.push(key);
  }

  /** Whether the value of the attribute was cut. */
  isCut(source: Source): boolean {
    return this.truncated.length > 0 && isAttribute(source) && this.truncated.includes(source[0]);
  }

  private assignTo(
    destination: CompiledDestination,
    value: JsonValue,
    source: Source | undefined,
    order: number,
  ): void {
    if (destination.slot !== undefined) this.assignSlot(destination.slot, order, value, source);
    else if (destination.spread !== undefined) this.spread(destination.spread, order, value, source);
    else if (isJsonObject(value)) this.proposeAll(value, order, asPart(source));
  }

  /** Assigns what is read of the value in the slot, by target. */
  assignParts(slot: Slot, targets: JsonObject, order: number): void {
    this.proposeAll(targets, order, asPart(this.sources[slot.index]));
  }

  /** Assigns an object whose keys are targets; unknown targets are skipped. */
  private proposeAll(targets: JsonObject, order: number, source: Source | undefined): void {
    for (const [target, value] of Object.entries(targets)) {
      if (isNothing(value)) continue;
      if (target.endsWith('.*')) this.spread(target.slice(0, -2) as SlotBucket, order, value, source);
      else this.assignSlot(SLOTS.slot(target), order, value, source);
    }
  }

  spread(bucket: SlotBucket, order: number, value: JsonValue, source?: Source): void {
    if (isJsonObject(value)) this.spreads.push({ bucket, order, values: value, source });
  }

  private touch(slot: Slot): void {
    this.touched.push(slot);
    this.byBucket[slot.bucket].push(slot);
  }

  /** Sets the slot unless it holds a value of smaller or equal order. */
  assignSlot(slot: Slot, sentOrder: number, value: JsonValue, source: Source | undefined): void {
    const { index } = slot;
    const order = slot.isMessages && isSilent(value) ? sentOrder + EMPTY_ORDER : sentOrder;
    const current = this.values[index];
    if (current === undefined) this.touch(slot);
    else if ((this.orders[index] as number) <= order) {
      if (value !== current) this.outrank(slot, source);
      else this.agree(index, source);
      return;
    } else if (value !== current) this.outrankAll(slot);
    else this.agree(index, this.sources[index]);
    this.values[index] = value;
    this.orders[index] = order;
    this.sources[index] = source;
  }

  /** Records that a source states the value of the slot, perhaps in another spelling. */
  private agree(index: number, source: Source | undefined): void {
    if (source === undefined) return;
    const others = this.agreeing.get(index);
    if (others === undefined) this.agreeing.set(index, [source]);
    else others.push(source);
  }

  private outrankAll(slot: Slot): void {
    this.outrank(slot, this.sources[slot.index]);
    const others = this.agreeing.get(slot.index);
    if (others === undefined) return;
    for (const source of others) this.contest(source);
    this.agreeing.delete(slot.index);
  }

  /** An outranked id or name is another fact; whether any other value is one depends on the finished event. */
  private outrank(slot: Slot, source: Source | undefined): void {
    if (source === undefined) return;
    if (slot.identity && isAttribute(source)) this.unmapped.push(source);
    else this.contested.add(source);
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
