const MIN_SLOTS = 1_024;
/** Slots that an id may be in. */
const PROBES = 8;
/** Multiplier and offset of the FNV-1a hash. */
const FNV_PRIME = 16_777_619;
const FNV_OFFSET = 2_166_136_261;

/**
 * Positions of ids in a list. A run can have 100,000 events, for which a map would take several times as long, most of it for garbage.
 * Clients choose ids, and may choose some of the same hash: of these, a few are in the slots that follow, the others in a map.
 */
export class EventPositions {
  readonly #ids: string[] = [];
  readonly #hashes: number[] = [];
  /** A position, from 1; 0 where there is none. */
  #slots = new Uint32Array(MIN_SLOTS);
  readonly #others = new Map<string, number>();

  /** Returns the position of an id. One that is new gets the next position. */
  add(id: string): number {
    const hash = hashOf(id);
    const known = this.#find(id, hash);
    if (known !== undefined) return known;
    this.#hashes.push(hash);
    const position = this.#ids.push(id) - 1;
    if (this.#ids.length * 2 > this.#slots.length) this.#grow();
    else this.#place(id, position);
    return position;
  }

  #find(id: string, hash: number): number | undefined {
    const mask = this.#slots.length - 1;
    for (let probe = 0; probe < PROBES; probe++) {
      const position = (this.#slots[(hash + probe) & mask] ?? 0) - 1;
      if (position < 0) return undefined;
      if (this.#hashes[position] === hash && this.#ids[position] === id) return position;
    }
    return this.#others.get(id);
  }

  #place(id: string, position: number): void {
    const mask = this.#slots.length - 1;
    const hash = this.#hashes[position] ?? 0;
    for (let probe = 0; probe < PROBES; probe++) {
      const slot = (hash + probe) & mask;
      if (this.#slots[slot] !== 0) continue;
      this.#slots[slot] = position + 1;
      return;
    }
    this.#others.set(id, position);
  }

  #grow(): void {
    this.#slots = new Uint32Array(this.#slots.length * 4);
    this.#others.clear();
    this.#ids.forEach((id, position) => this.#place(id, position));
  }
}

function hashOf(text: string): number {
  let hash = FNV_OFFSET;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  return hash >>> 1;
}
