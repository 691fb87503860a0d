import { waitFor } from '@assay/testing';
import type { Stack } from '../harness/stack/stack.js';
import { cpuSeconds } from './cpu-time.js';

const INTERVAL_MS = 10_000;
const WITHIN_MS = 900_000;
/** Seconds of CPU of a process in an interval in which it does nothing but wait. */
const MAX_CPU_SECONDS = 0.3;

/** Resolves once single processes have nothing to do, so that they have merged what they merge of their stores. */
export async function untilIdle(stacks: readonly Stack[]): Promise<void> {
  const used = () => stacks.map((stack) => cpuSeconds(stack.pid('standalone')));
  let last: readonly number[] = stacks.map(() => Number.NEGATIVE_INFINITY);
  const isIdle = () => {
    const now = used();
    const idle = now.every((seconds, index) => seconds - (last[index] ?? 0) <= MAX_CPU_SECONDS);
    last = now;
    return Promise.resolve(idle);
  };
  await waitFor('both products are idle', isIdle, { withinMs: WITHIN_MS, pollIntervalMs: INTERVAL_MS });
}
