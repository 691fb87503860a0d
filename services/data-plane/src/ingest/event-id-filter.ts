/**
 * Bits per key: 0.007 % false positives when a generation is full. A false positive costs a look-up in a table that grows:
 * with 1 % nearly every batch has some.
 */
const BITS_PER_KEY = 20;
/** Bits per key of a generation that has to fit into the memory that is left, at least: about 1 % false positives. */
const MIN_BITS_PER_KEY = 10;
const FIRST_GENERATION = 1 << 20;
const DIGIT_NINE = 0x39;

/** Ids that were added one after the other. */
export interface FilterGeneration {
  readonly bits: Uint32Array;
  readonly probes: number;
  /** Keys. */
  readonly capacity: number;
  count: number;
}

/**
 * Scalable Bloom filter of the event ids that the store may hold (Almeida et al., "Scalable Bloom Filters",
 * 2007). It has no false negatives, so an id that it denies needs no look-up; a false positive costs one
 * look-up. UUIDs are used as their own hash. Memory is bounded: beyond `maxBytes` the newest generation takes all
 * further ids, so that it reports more and more of those that are new.
 */
export class EventIdFilter {
  private generations: [FilterGeneration, ...FilterGeneration[]];
  private complete = false;
  private isOff = false;
  private added = 0;

  constructor(readonly maxBytes: number) {
    this.generations = [this.firstGeneration()];
  }

  /** Until {@link markComplete} is called, every id is reported as possibly stored. */
  markIncomplete(): void {
    this.complete = false;
    this.isOff = false;
  }

  /** Drops all ids, and those that are added until {@link markIncomplete} is called. Until then, every id is reported. */
  turnOff(): void {
    this.complete = false;
    this.isOff = true;
    this.generations = [this.firstGeneration()];
  }

  /** Ids for which there is memory. */
  capacity(): number {
    let [keys, bytes] = [0, 0];
    for (let next = FIRST_GENERATION; ; next *= 2) {
      const bitsPerKey = this.bitsPerKey(next, bytes);
      if (keys > 0 && bitsPerKey < MIN_BITS_PER_KEY) return keys;
      keys += next;
      bytes += (next * Math.max(MIN_BITS_PER_KEY, bitsPerKey)) / 8;
    }
  }

  /** Call once all ids of the store are added. */
  markComplete(): void {
    this.complete = true;
  }

  isComplete(): boolean {
    return this.complete;
  }

  /** All that was added, oldest first; at least one. Later ids are added to the last one, or behind it. */
  content(): readonly FilterGeneration[] {
    return [...this.generations];
  }

  /** How often {@link add} was called, also with ids that were there. */
  additions(): number {
    return this.added;
  }

  /** Takes what another filter has had, in place of its own: before any id is added. */
  restore([first, ...others]: readonly FilterGeneration[]): void {
    if (first !== undefined) this.generations = [first, ...others];
  }

  /** Adds a UUID in text form. One that is there takes no room: updates name the same ids again and again. */
  add(eventId: string): void {
    this.added++;
    if (this.isOff) return;
    const first = firstHash(eventId);
    const second = secondHash(eventId);
    if (this.has(first, second)) return;
    const newest = this.generations.at(-1) ?? this.generations[0];
    const isFull = newest.count >= newest.capacity;
    addTo((isFull ? this.grow(newest.capacity * 2) : undefined) ?? newest, first, second);
  }

  mayContain(eventId: string): boolean {
    return !this.complete || this.has(firstHash(eventId), secondHash(eventId));
  }

  private has(first: number, second: number): boolean {
    return this.generations.some((one) => allSet(one, first, second));
  }

  private firstGeneration(): FilterGeneration {
    const bitsPerKey = Math.max(MIN_BITS_PER_KEY, this.bitsPerKey(FIRST_GENERATION, 0));
    return makeGeneration(FIRST_GENERATION, bitsPerKey);
  }

  /** Adds a generation for so many keys; undefined without the memory for it. */
  private grow(capacity: number): FilterGeneration | undefined {
    const used = this.generations.reduce((sum, { bits }) => sum + bits.byteLength, 0);
    const bitsPerKey = this.bitsPerKey(capacity, used);
    if (bitsPerKey < MIN_BITS_PER_KEY) return undefined;
    const next = makeGeneration(capacity, bitsPerKey);
    this.generations.push(next);
    return next;
  }

  private bitsPerKey(capacity: number, usedBytes: number): number {
    return Math.min(BITS_PER_KEY, Math.floor(((this.maxBytes - usedBytes) * 8) / capacity));
  }
}

/** The number of probes is the one with the fewest false positives, `bitsPerKey * ln 2` (Bloom, 1970). */
function makeGeneration(capacity: number, bitsPerKey: number): FilterGeneration {
  const bits = new Uint32Array(Math.ceil((capacity * bitsPerKey) / 32));
  return { bits, probes: Math.round(bitsPerKey * Math.LN2), capacity, count: 0 };
}

function addTo(into: FilterGeneration, first: number, second: number): void {
  const size = into.bits.length * 32;
  const step = second % size;
  let bit = first % size;
  for (let probe = 0; probe < into.probes; probe++) {
    into.bits[bit >>> 5]! |= 1 << (bit & 31);
    bit = after(bit, step, size);
  }
  into.count++;
}

function allSet({ bits, probes }: FilterGeneration, first: number, second: number): boolean {
  const size = bits.length * 32;
  const step = second % size;
  let bit = first % size;
  for (let probe = 0; probe < probes; probe++) {
    if ((bits[bit >>> 5]! & (1 << (bit & 31))) === 0) return false;
    bit = after(bit, step, size);
  }
  return true;
}

/** The next bit, modulo the size: of numbers beyond 31 bits `%` would take as long as all else. */
function after(bit: number, step: number, size: number): number {
  const next = bit + step;
  return next < size ? next : next - size;
}

/** Returns the last 32 bits, which are random in every UUID version that clients use. */
function firstHash(eventId: string): number {
  return hexDigits(eventId, 28, 36) >>> 0;
}

/** Returns 32 bits from the middle, made odd so that the probes cover the whole filter. */
function secondHash(eventId: string): number {
  const digits =
    (hexDigits(eventId, 20, 23) << 20) | (hexDigits(eventId, 24, 28) << 4) | hexDigits(eventId, 7, 8);
  return (digits | 1) >>> 0;
}

/** The number of up to eight digits; `parseInt` of a part of a text costs ten times as much. */
function hexDigits(text: string, from: number, to: number): number {
  let value = 0;
  for (let index = from; index < to; index++) {
    const code = text.charCodeAt(index);
    value = (value << 4) | ((code & 0xf) + (code > DIGIT_NINE ? 9 : 0));
  }
  return value;
}
