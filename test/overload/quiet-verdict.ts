import type { QuietResult } from './quiet-load.js';

/** What a quiet project noticed during one measurement. */
export interface QuietFigures extends Omit<QuietResult, 'latencies'> {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Resident megabytes of all processes of the stack; the sum of their maxima. */
  readonly megabytes: number;
  /** Maximum resident megabytes of each. */
  readonly megabytesOf: Readonly<Record<string, number>>;
  /** How many times longer the main threads took because others had the CPU; of the process that waited longest, the project's own included. */
  readonly slowdown: number;
}

/** Times of a round tell nothing when other processes leave the main threads less of the CPU. The product and the attack compete for it, too. */
const MAX_SLOWDOWN_ALONE = 3;
const MAX_SLOWDOWN_BESIDE = 6;
const MAX_RATIO = 3;
/** Latencies below it are compared as if they were that long: of shorter ones the schedulers of the machine and of the product decide. */
const MIN_P99_MS = 25;
/** Of `/healthz`, and of requests on new connections, which wait in the kernel behind the new connections of all others. */
const MAX_SINGLE_MS = 250;

/** Whether the machine did little else while a project was measured alone and beside an attack, so that times can be compared. */
export function tellsTimes(
  alone: Pick<QuietFigures, 'slowdown'>,
  beside: Pick<QuietFigures, 'slowdown'>,
): boolean {
  return alone.slowdown <= MAX_SLOWDOWN_ALONE && beside.slowdown <= MAX_SLOWDOWN_BESIDE;
}

/** Returns what was not answered as it should be. A process that gets too little of a busy machine rejects requests and ends connections, too. */
export function failuresOf({ statuses, broken, unhealthy }: QuietFigures, isBusy: boolean): string[] {
  const expected = isBusy ? ['200', '503'] : ['200'];
  const refused = Object.entries(statuses).filter(([status]) => !expected.includes(status));
  return [
    ...refused.map(([status, count]) => `${count} × ${status}`),
    ...(isBusy ? [] : Object.entries(broken).map(([code, count]) => `${count} × ${code}`)),
    ...(isBusy || unhealthy === 0 ? [] : [`${unhealthy} × /healthz`]),
  ];
}

type QuietTimes = Pick<QuietFigures, 'p99Ms' | 'healthzMs' | 'newConnectionMs' | 'slowdown'>;

/** Returns the limits that were exceeded. */
export function delaysOf(alone: QuietTimes, beside: QuietTimes, maxRatio = MAX_RATIO): string[] {
  const ratio = beside.p99Ms / beside.slowdown / Math.max(alone.p99Ms / alone.slowdown, MIN_P99_MS);
  const single = { '/healthz': beside.healthzMs, 'a new connection': beside.newConnectionMs };
  return [
    ...(ratio > maxRatio ? [`p99 is ${ratio.toFixed(1)} times that of the project alone`] : []),
    ...Object.entries(single)
      .map(([name, ms]) => ({ name, ms: ms / beside.slowdown }))
      .filter(({ ms }) => ms > MAX_SINGLE_MS)
      .map(({ name, ms }) => `${name} took ${ms.toFixed()} ms`),
  ];
}
