import { setTimeout as sleep } from 'node:timers/promises';
import { FailureWithHeaders, withHeaders, type HandlerResponse } from '@assay/http';
import type { Freshness } from '@assay/log-readers';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { describeFreshness } from './respond-after-wait.js';

type WaitDeps = Pick<
  DataPlaneDeps,
  'waitUntilStored' | 'waitUntilDecided' | 'readAfterWriteTimeoutMs' | 'now'
>;

/** How long to wait, and until when it makes sense. */
export interface EvaluationWait {
  /** What the client prefers; absent without a preference. */
  readonly waitMs: number | undefined;
  /** How long evaluators are waited for without a preference. */
  readonly defaultMs: number;
  readonly signal: AbortSignal;
}

/** What is read of runs, and of their evaluations. */
export interface EvaluatedRead<Prepared, Found> {
  readonly prepare: () => Promise<Prepared>;
  /** Whether evaluators may have something to do with what was prepared, and whether their results depend on each other. */
  readonly evaluatorsOf: (prepared: Prepared) => { readonly any: boolean; readonly composites: boolean };
  readonly read: (prepared: Prepared) => Promise<Found>;
  /** Evaluations that are pending. */
  readonly pendingOf: (found: Found) => number;
}

/** How complete a read is. */
export interface EvaluationState {
  /** Whether everything that was accepted before is stored. */
  readonly isStored: boolean;
  /** Whether the evaluators have decided about it. */
  readonly areEvaluatorsCurrent: boolean;
  /** Value of the header `Assay-Freshness`. */
  readonly freshness: string;
}

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;

/**
 * Responds to a read of runs that must include everything accepted before the request, and the scores of evaluators. It waits
 * for the store as long as the client prefers, otherwise `readAfterWriteTimeoutMs`, and for evaluators within the same time, but
 * without a preference of the client no longer than `defaultMs`. `Assay-Freshness` reports the outcome: `current`,
 * `pending-evaluations`, or `behind; seconds=N`.
 */
export async function respondWhenEvaluated<Prepared, Found, T>(
  deps: WaitDeps,
  wait: EvaluationWait,
  source: EvaluatedRead<Prepared, Found>,
  respond: (found: Found, state: EvaluationState, prepared: Prepared) => Promise<T>,
): Promise<HandlerResponse<T>> {
  const preference: Record<string, string> =
    wait.waitMs === undefined ? {} : { 'Preference-Applied': `wait=${wait.waitMs / 1_000}` };
  const startedAt = deps.now();
  const budgetMs = wait.waitMs ?? deps.readAfterWriteTimeoutMs;
  const look = async (decideMs: number, storeMs: number): Promise<Look> => {
    // In this order: what the evaluators have decided is on the log before they have passed a record, and stored later.
    const decided = await deps.waitUntilDecided(decideMs);
    return { decided, stored: await deps.waitUntilStored(storeMs) };
  };
  const [prepared, first] = await Promise.all([source.prepare(), look(0, budgetMs)]);
  const state = stateOf(first, { isEvaluated: false, areEvaluatorsCurrent: false });
  try {
    const { found, state: last } = await settle({ ...wait, startedAt, now: deps.now, look }, source, {
      prepared,
      first,
    });
    const headers = { ...preference, 'Assay-Freshness': last.freshness };
    return withHeaders(await respond(found, last, prepared), headers);
  } catch (error) {
    throw new FailureWithHeaders(error, { ...preference, 'Assay-Freshness': state.freshness });
  }
}

interface Look {
  readonly decided: Freshness;
  readonly stored: Freshness;
}

interface SettleOptions extends EvaluationWait {
  readonly startedAt: number;
  readonly now: () => number;
  readonly look: (decideMs: number, storeMs: number) => Promise<Look>;
}

/**
 * Reads until nothing is pending, or the time is over. A score may lead to composites, which are decided once the evaluators have
 * passed it: with composites, nothing must be pending in two reads in a row.
 */
async function settle<Prepared, Found>(
  { waitMs, defaultMs, signal, startedAt, now, look }: SettleOptions,
  source: EvaluatedRead<Prepared, Found>,
  { prepared, first }: { readonly prepared: Prepared; readonly first: Look },
): Promise<{ readonly found: Found; readonly state: EvaluationState }> {
  const { any, composites } = source.evaluatorsOf(prepared);
  const maxWaitMs = waitMs ?? defaultMs;
  const needed = composites && maxWaitMs > 0 ? 2 : 1;
  let settled = 0;
  let last = first;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    const found = await source.read(prepared);
    const areEvaluatorsCurrent = !any || last.decided.current;
    const isEvaluated = areEvaluatorsCurrent && source.pendingOf(found) === 0;
    settled = isEvaluated ? settled + 1 : 0;
    const leftMs = maxWaitMs - (now() - startedAt);
    if (settled >= needed || leftMs <= 0)
      return { found, state: stateOf(last, { isEvaluated, areEvaluatorsCurrent }) };
    if (!isEvaluated) await sleep(Math.min(pauseMs, leftMs), undefined, { signal });
    const untilMs = () => Math.max(0, maxWaitMs - (now() - startedAt));
    last = await look(untilMs(), untilMs());
    signal.throwIfAborted();
  }
}

function stateOf(
  { stored }: Look,
  { isEvaluated, areEvaluatorsCurrent }: { isEvaluated: boolean; areEvaluatorsCurrent: boolean },
): EvaluationState {
  const freshness = stored.current && !isEvaluated ? 'pending-evaluations' : describeFreshness(stored);
  return { isStored: stored.current, areEvaluatorsCurrent, freshness };
}
