import type { Browser, Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds that the event took, and of these, what its thread ran. */
  readonly dur?: number;
  readonly tdur?: number;
}

/** The longest task of the main thread of a page, in milliseconds. */
export interface LongestTask {
  /** Time that the thread ran: what other processes take of the machine is not in it. */
  readonly cpuMs: number;
  /** Time that passed. */
  readonly ms: number;
}

const BEGIN = 'the measured part begins';
const END = 'the measured part has ended';

/** How often something happens until the trace of the browser has all of it: under load, one in some hundreds has a gap. */
const ATTEMPTS = 5;

/**
 * Returns the longest task of a page's main thread while something happens, which may happen several times.
 * Throws when no trace of the browser has the whole of it.
 */
export async function longestTaskOf(
  browser: Browser,
  page: Page,
  happen: () => Promise<unknown>,
): Promise<LongestTask> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const events = await traceOf(browser, page, happen);
    const [begin, end] = [BEGIN, END].map((point) => events.find(({ name }) => name === point));
    if (begin !== undefined && end !== undefined) return longestOf(events, [begin, end]);
  }
  throw new Error(`${ATTEMPTS} traces of the browser did not have the whole of what happened`);
}

/** Returns the trace of a browser while something happens, with a point of time before it and one in a task after it. */
async function traceOf(
  browser: Browser,
  page: Page,
  happen: () => Promise<unknown>,
): Promise<readonly TraceEvent[]> {
  const note = (name: string) => page.evaluate((text) => void performance.mark(text), name);
  await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
  await note(BEGIN);
  await happen();
  await note(END);
  return (JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }).traceEvents;
}

/** Returns the longest task of the threads of these points of time: a page can move to another process. */
function longestOf(events: readonly TraceEvent[], points: readonly TraceEvent[]): LongestTask {
  const tasks = events.filter(
    ({ name, ph, pid, tid }) =>
      ph === 'X' &&
      name.endsWith('RunTask') &&
      points.some((point) => point.pid === pid && point.tid === tid),
  );
  if (tasks.length === 0) throw new Error('the trace of the browser has no task of the main thread');
  const longest = (field: 'dur' | 'tdur') => Math.max(...tasks.map((task) => task[field] ?? 0)) / 1_000;
  return { cpuMs: longest('tdur'), ms: longest('dur') };
}
