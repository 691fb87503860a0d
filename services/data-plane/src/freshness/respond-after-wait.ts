import type { Caller } from '@assay/domain';
import { AppError } from '@assay/errors';
import { FailureWithHeaders, withHeaders, type HandlerResponse } from '@assay/http';
import type { Freshness } from '@assay/log-readers';
import type { WaitingReads } from '../shared/waiting-reads.js';

/**
 * Responds to a read. When the client prefers to wait (`Prefer: wait=N`, RFC 7240), the read runs after
 * everything accepted before it is stored, or after N seconds. A header reports the outcome:
 * `Assay-Freshness: current`, or `behind; seconds=N`. It is also on the response of a read that fails, so that
 * a client can tell a missing event from one that is not stored yet.
 */
export async function respondAfterWait<T>(
  deps: { waitUntilStored: (maxWaitMs: number) => Promise<Freshness> },
  waitMs: number | undefined,
  read: () => Promise<T | HandlerResponse<T>>,
): Promise<T | HandlerResponse<T>> {
  if (waitMs === undefined) return read();
  const freshness = await deps.waitUntilStored(waitMs);
  const headers = {
    'Preference-Applied': `wait=${waitMs / 1000}`,
    'Assay-Freshness': describeFreshness(freshness),
  };
  try {
    return withHeaders(await read(), headers);
  } catch (error) {
    throw new FailureWithHeaders(error, headers);
  }
}

/**
 * Responds to a read by id. Clients read what they have just created: when there is nothing under the id yet, the read waits
 * until everything accepted before is stored, at most `readAfterWriteTimeoutMs`, and is done once more: it may have been stored
 * after the first time. While many reads of its project wait it is not. With a preference of the client, as
 * {@link respondAfterWait}.
 */
export async function respondByIdAfterWait<T>(
  deps: ByIdDeps,
  { caller, waitMs, signal }: { caller: Caller; waitMs?: number; signal: AbortSignal },
  read: () => Promise<T | HandlerResponse<T>>,
): Promise<T | HandlerResponse<T>> {
  if (waitMs !== undefined) return respondAfterWait(deps, waitMs, read);
  try {
    return await read();
  } catch (error) {
    const isMissing = error instanceof AppError && error.code === 'NOT_FOUND';
    const wait = () => deps.waitUntilStored(deps.readAfterWriteTimeoutMs);
    if (!isMissing || !(await deps.waitingReads.run(caller.projectId, wait)) || signal.aborted) throw error;
    return read();
  }
}

interface ByIdDeps {
  readonly waitUntilStored: (maxWaitMs: number) => Promise<Freshness>;
  readonly readAfterWriteTimeoutMs: number;
  readonly waitingReads: WaitingReads;
}

/**
 * Responds to a read that must include everything accepted before the request, as the results of runs: clients
 * read them right after their last write. Waits as long as the client prefers, otherwise `readAfterWriteTimeoutMs`,
 * and prepares the read meanwhile. `Assay-Freshness` reports the outcome.
 */
export async function respondWhenCurrent<Prepared, T>(
  deps: {
    waitUntilStored: (maxWaitMs: number) => Promise<Freshness>;
    readAfterWriteTimeoutMs: number;
  },
  waitMs: number | undefined,
  prepare: () => Promise<Prepared>,
  read: (prepared: Prepared, freshness: Freshness) => Promise<T>,
): Promise<HandlerResponse<T>> {
  const waiting = deps.waitUntilStored(waitMs ?? deps.readAfterWriteTimeoutMs);
  const [freshness, prepared] = await Promise.all([waiting, prepare()]);
  const headers = {
    ...(waitMs !== undefined && { 'Preference-Applied': `wait=${waitMs / 1000}` }),
    'Assay-Freshness': describeFreshness(freshness),
  };
  try {
    return withHeaders(await read(prepared, freshness), headers);
  } catch (error) {
    throw new FailureWithHeaders(error, headers);
  }
}

/** Returns the value of `Assay-Freshness` for what is stored. */
export function describeFreshness(freshness: Freshness): string {
  return freshness.current ? 'current' : `behind; seconds=${Math.ceil(freshness.waitedMs / 1000)}`;
}
