/** Bits per key and probes per look-up: 10 bits and 7 probes give about 1 % false positives when a generation is full. */
const BITS_PER_KEY = 10;
const PROBES = 7;
const FIRST_GENERATION = 1 << 20;

interface Generation {
  readonly bits: Uint32Array;
  readonly capacity: number;
  count: number;
}

/**
 * Which event ids the store may already hold: a scalable Bloom filter (Almeida et al., "Scalable Bloom Filters", 2007). It never denies an id
 * that was added, so an id that it denies needs no look-up; one that it confirms wrongly costs a look-up and nothing else.
 * UUIDs are their own hash. Memory is bounded: past `maxBytes` everything counts as known.
 */
export class EventIdFilter {
  private generations: Generation[] = [];
  private complete = false;

  constructor(private readonly maxBytes: number) {
    this.clear();
  }

  /** Forgets everything; until {@link markComplete} every id counts as known. */
  clear(): void {
    this.complete = false;
    this.generations = [generation(FIRST_GENERATION)];
  }

  /** Everything that the store holds has been added. */
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

/** The last 32 bits: random in every version of a UUID that clients use. */
function firstHash(eventId: string): number {
  return parseInt(eventId.slice(28, 36), 16);
}

/** 32 bits from the middle; odd, so that the probes spread. */
function secondHash(eventId: string): number {
  return (parseInt(eventId.slice(20, 23) + eventId.slice(24, 28) + eventId.slice(7, 8), 16) | 1) >>> 0;
}
