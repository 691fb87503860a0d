import type { Browser, Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds that the event took, and of these, what its thread ran. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** The longest task of the main thread of a page, in milliseconds. */
export interface LongestTask {
  /** Time that the thread ran: what other processes take of the machine is not in it. */
  readonly cpuMs: number;
  /** Time that passed. */
  readonly ms: number;
}

/** Returns the longest task of the main threads of a browser's pages while something happens. */
export async function longestTaskOf(
  browser: Browser,
  page: Page,
  happen: () => Promise<unknown>,
): Promise<LongestTask> {
  await browser.startTracing(page, { categories: ['toplevel'] });
  await happen();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const isOf = (one: TraceEvent, other: TraceEvent) => one.pid === other.pid && one.tid === other.tid;
  const threads = trace.traceEvents.filter(
    ({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain',
  );
  const tasks = trace.traceEvents.filter(
    (event) =>
      event.ph === 'X' && event.name.endsWith('RunTask') && threads.some((thread) => isOf(thread, event)),
  );
  if (tasks.length === 0) throw new Error('the trace of the browser has no task of a main thread');
  const longest = (field: 'dur' | 'tdur') => Math.max(...tasks.map((task) => task[field] ?? 0)) / 1_000;
  return { cpuMs: longest('tdur'), ms: longest('dur') };
}
