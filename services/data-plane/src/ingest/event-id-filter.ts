/**
 * Bits per key and probes per look-up: 10 bits and 7 probes give about 1 % false positives when a generation
 * is full.
 */
const BITS_PER_KEY = 10;
const PROBES = 7;
const FIRST_GENERATION = 1 << 20;
const DIGIT_NINE = 0x39;

interface Generation {
  readonly bits: Uint32Array;
  readonly capacity: number;
  count: number;
}

/**
 * Scalable Bloom filter of the event ids that the store may hold (Almeida et al., "Scalable Bloom Filters",
 * 2007). It has no false negatives, so an id that it denies needs no look-up; a false positive costs one
 * look-up. UUIDs are used as their own hash. Memory is bounded: beyond `maxBytes` the filter reports every id
 * as possibly stored.
 */
export class EventIdFilter {
  private generations: Generation[] = [];
  private complete = false;

  constructor(private readonly maxBytes: number) {
    this.clear();
  }

  /** Removes all ids. Until {@link markComplete} is called, every id is reported as possibly stored. */
  clear(): void {
    this.complete = false;
    this.generations = [generation(FIRST_GENERATION)];
  }

  /** Call once all ids of the store are added. */
  markComplete(): void {
    this.complete = true;
  }

  /** `eventId` is a UUID in text form. */
  add(eventId: string): void {
    const newest = this.generations.at(-1);
    if (!newest) return;
    if (newest.count < newest.capacity) return addTo(newest, eventId);
    if (this.bytes() + newest.bits.byteLength * 2 > this.maxBytes) return this.saturate();
    const next = generation(newest.capacity * 2);
    this.generations.push(next);
    addTo(next, eventId);
  }

  mayContain(eventId: string): boolean {
    if (!this.complete || this.generations.length === 0) return true;
    const first = firstHash(eventId);
    const step = secondHash(eventId);
    return this.generations.some(({ bits }) => allSet(bits, first, step));
  }

  private bytes(): number {
    return this.generations.reduce((sum, { bits }) => sum + bits.byteLength, 0);
  }

  private saturate(): void {
    this.generations = [];
  }
}

function generation(capacity: number): Generation {
  return { bits: new Uint32Array(Math.ceil((capacity * BITS_PER_KEY) / 32)), capacity, count: 0 };
}

function addTo(into: Generation, eventId: string): void {
  const size = into.bits.length * 32;
  const step = secondHash(eventId);
  let bit = firstHash(eventId) % size;
  for (let probe = 0; probe < PROBES; probe++) {
    into.bits[bit >>> 5]! |= 1 << (bit & 31);
    bit = (bit + step) % size;
  }
  into.count++;
}

function allSet(bits: Uint32Array, first: number, step: number): boolean {
  const size = bits.length * 32;
  let bit = first % size;
  for (let probe = 0; probe < PROBES; probe++) {
    if ((bits[bit >>> 5]! & (1 << (bit & 31))) === 0) return false;
    bit = (bit + step) % size;
  }
  return true;
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
