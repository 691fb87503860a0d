import { setTimeout as delay } from 'node:timers/promises';
import type { RequestContext } from '@assay/http';

export interface WaitForAdmissionDeps {
  /** Returns whether the project may append now. */
  readonly admits: (projectId: string) => boolean;
  /** Returns whether a request should wait; as long as the project may not append by default. */
  readonly delays?: (projectId: string) => boolean;
  /** @throws AppError `OVERLOADED` unless the project may append now */
  readonly assertAdmitted: (projectId: string) => void;
  /** How long a request waits, in milliseconds; 1,000 by default. */
  readonly maxWaitMs?: number;
}

/**
 * Waits until the project may append and is not delayed, at most for the maximum wait. The body of a request that waits is not read, so that a project that ignores
 * `Retry-After` sends less.
 * @throws AppError `OVERLOADED` when the project may not append in time, or too many of its requests wait already
 */
export type WaitForAdmission = (
  projectId: string,
  request: Pick<RequestContext<unknown>, 'signal'>,
) => Promise<void>;

const MAX_WAIT_MS = 1_000;
const POLL_INTERVAL_MS = 50;
/** Requests of one project that wait. */
const MAX_WAITING = 16;

export function makeWaitForAdmission({
  admits,
  delays = (projectId) => !admits(projectId),
  assertAdmitted,
  maxWaitMs = MAX_WAIT_MS,
}: WaitForAdmissionDeps): WaitForAdmission {
  /** Number of requests that wait, by project. */
  const waiting = new Map<string, number>();
  const leave = (projectId: string) => {
    const left = (waiting.get(projectId) ?? 1) - 1;
    if (left > 0) waiting.set(projectId, left);
    else waiting.delete(projectId);
  };
  const wait = async (projectId: string, signal: AbortSignal) => {
    const deadline = performance.now() + maxWaitMs;
    while (delays(projectId) && !signal.aborted && performance.now() < deadline)
      await delay(POLL_INTERVAL_MS);
  };
  return async (projectId, request) => {
    if (!delays(projectId)) return;
    const before = waiting.get(projectId) ?? 0;
    if (before < MAX_WAITING) {
      waiting.set(projectId, before + 1);
      await wait(projectId, request.signal).finally(() => leave(projectId));
    }
    assertAdmitted(projectId);
  };
}
