const { floor, imul } = Math;

/**
 * Returns a generator of indexes from 0 to `length - 1`, the same for the same seed: mulberry32 by Tommy Ettinger,
 * a counter that is scrambled to 32 bits.
 */
export function randomIndexes(seed: number, length: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
    const bits = (mixed ^ (mixed >>> 14)) >>> 0;
    return floor((bits / 4_294_967_296) * length);
  };
}
