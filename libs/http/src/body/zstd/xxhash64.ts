const MASK = (1n << 64n) - 1n;
const [P1, P2] = [0x9e3779b185ebca87n, 0xc2b2ae3d27d4eb4fn];
const [P3, P4, P5] = [0x165667b19e3779f9n, 0x85ebca77c2b2ae63n, 0x27d4eb2f165667c5n];
const STRIPE = 32;

/** Halves and quarters of the two primes that every stripe is multiplied with. */
const [P1_LOW, P1_HIGH, P1_A, P1_B] = [0x85ebca87 | 0, 0x9e3779b1 | 0, 0xca87, 0x85eb];
const [P2_LOW, P2_HIGH, P2_A, P2_B] = [0x27d4eb4f | 0, 0xc2b2ae3d | 0, 0xeb4f, 0x27d4];

/**
 * The checksum XXH64 with seed 0 of bytes that stay where they are. Stripes are computed with 32-bit integers, because
 * `BigInt` takes ten times as long.
 */
export class Xxh64 {
  private readonly lanes = new Int32Array(8);
  private position: number;

  /** @param start where the bytes begin in their buffer */
  constructor(private readonly start: number) {
    this.position = start;
    for (const [lane, value] of [P1 + P2, P2, 0n, -P1].entries()) {
      this.lanes[2 * lane] = Number(BigInt.asIntN(32, value));
      this.lanes[2 * lane + 1] = Number(BigInt.asIntN(32, (value & MASK) >> 32n));
    }
  }

  /** Computes whole stripes up to a position. */
  update(bytes: Uint8Array, end: number): void {
    const { lanes } = this;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (; end - this.position >= STRIPE; this.position += STRIPE) {
      for (let at = 0; at < 8; at += 2) {
        const from = this.position + at * 4;
        addRound(lanes, at, view.getInt32(from, true), view.getInt32(from + 4, true));
      }
    }
  }

  /** Returns the lower 32 bits of the checksum of the bytes up to a position. */
  digest(bytes: Uint8Array, end: number): number {
    this.update(bytes, end);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = this.position;
    let sum = (end - this.start >= STRIPE ? this.merged() : P5) + BigInt(end - this.start);
    for (; end - at >= 8; at += 8)
      sum = rotate((sum ^ round(view.getBigUint64(at, true))) & MASK, 27n) * P1 + P4;
    if (end - at >= 4) {
      sum = rotate((sum ^ (BigInt(view.getUint32(at, true)) * P1)) & MASK, 23n) * P2 + P3;
      at += 4;
    }
    for (; at < end; at++) sum = rotate((sum ^ (BigInt(bytes[at] as number) * P5)) & MASK, 11n) * P1;
    sum &= MASK;
    sum = ((sum ^ (sum >> 33n)) * P2) & MASK;
    sum = ((sum ^ (sum >> 29n)) * P3) & MASK;
    return Number((sum ^ (sum >> 32n)) & 0xffff_ffffn);
  }

  private merged(): bigint {
    const lanes = [0, 1, 2, 3].map(
      (lane) =>
        (BigInt((this.lanes[2 * lane + 1] as number) >>> 0) << 32n) |
        BigInt((this.lanes[2 * lane] as number) >>> 0),
    );
    const sum = [1n, 7n, 12n, 18n].reduce((total, by, lane) => total + rotate(lanes[lane] as bigint, by), 0n);
    return lanes.reduce((total, lane) => (((total ^ round(lane)) & MASK) * P1 + P4) & MASK, sum & MASK);
  }
}

function rotate(value: bigint, by: bigint): bigint {
  return ((value << by) | (value >> (64n - by))) & MASK;
}

function round(value: bigint): bigint {
  return (rotate((value * P2) & MASK, 31n) * P1) & MASK;
}

/** Adds eight bytes to a lane: the lane plus the bytes times the second prime, rotated by 31, times the first prime. */
function addRound(lanes: Int32Array, at: number, low: number, high: number): void {
  let a = low & 0xffff;
  let b = low >>> 16;
  let [ab, ba, aa] = [Math.imul(a, P2_B), Math.imul(b, P2_A), Math.imul(a, P2_A)];
  let middle = (aa >>> 16) + (ab & 0xffff) + (ba & 0xffff);
  let carry = Math.imul(b, P2_B) + (ab >>> 16) + (ba >>> 16) + (middle >>> 16);
  const productLow = (middle << 16) | (aa & 0xffff);
  const productHigh = (carry + Math.imul(low, P2_HIGH) + Math.imul(high, P2_LOW)) | 0;
  const sumLow = ((lanes[at] as number) + productLow) | 0;
  const overflow = sumLow >>> 0 < productLow >>> 0 ? 1 : 0;
  const sumHigh = ((lanes[at + 1] as number) + productHigh + overflow) | 0;
  const rotatedLow = (sumLow << 31) | (sumHigh >>> 1);
  const rotatedHigh = (sumHigh << 31) | (sumLow >>> 1);
  a = rotatedLow & 0xffff;
  b = rotatedLow >>> 16;
  [ab, ba, aa] = [Math.imul(a, P1_B), Math.imul(b, P1_A), Math.imul(a, P1_A)];
  middle = (aa >>> 16) + (ab & 0xffff) + (ba & 0xffff);
  carry = Math.imul(b, P1_B) + (ab >>> 16) + (ba >>> 16) + (middle >>> 16);
  lanes[at] = (middle << 16) | (aa & 0xffff);
  lanes[at + 1] = (carry + Math.imul(rotatedLow, P1_HIGH) + Math.imul(rotatedHigh, P1_LOW)) | 0;
}
