const ROUNDS = 7;
const NUMBERS = 300_000;
/** What the loop takes on two idle virtual cores of an Intel Xeon of 2023. */
const REFERENCE_MS = 66;
/** Machines within this are as fast. */
const MAX_RATIO = 1.3;
/** What a budget of time is multiplied with on a slow machine. */
const ON_SLOW = 1.5;

/** How fast the machine is. */
export interface Calibration {
  /** CPU of the fastest of some rounds of the same work, in milliseconds. */
  readonly ms: number;
  /** What budgets of time are multiplied with. */
  readonly factor: number;
}

/** Sorts and joins numbers: work of the kind that a page does, always the same. */
export function calibrate(): Calibration {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  const ms = Math.min(...rounds);
  return { ms, factor: ms > MAX_RATIO * REFERENCE_MS ? ON_SLOW : 1 };
}

function work(): number {
  let state = 20_261_127;
  const texts = Array.from({ length: NUMBERS }, () => String((state = (state * 16_807) % 2_147_483_647)));
  const counts = new Map<string, number>();
  for (const text of texts) {
    const key = text.slice(0, 4);
    counts.set(key, (counts.get(key) ?? 0) + text.length);
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[1] ?? 0;
}
