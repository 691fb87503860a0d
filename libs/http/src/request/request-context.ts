import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Steps, YieldToEventLoop } from '@assay/runtime';
import type { RecordedSpan } from '@assay/telemetry';
import type { Origin } from './client-address.js';

/** What an operation knows of the request besides its input. */
export interface RequestContext<C> {
  readonly caller: C;
  /** Identifies the request in logs and in the response. */
  readonly requestId: string;
  readonly origin: Origin;
  /** Milliseconds that the client accepts to wait for fresh data (`Prefer: wait=N`, RFC 7240); undefined without the preference. */
  readonly waitMs?: number;
  /** Aborted when the client disconnects before the response. */
  readonly signal: AbortSignal;
  /** Lets other requests run, see {@link runCooperatively}. */
  readonly yieldToEventLoop: YieldToEventLoop;
  /** Runs work that follows I/O when it is the project's turn, charges it to the project, and lets other requests run between its steps. */
  runInTurns<T>(this: void, steps: Steps<T>): Promise<T>;
  readonly headers: IncomingHttpHeaders;
  /** Span of the request; undefined when it is not traced. */
  readonly trace?: RecordedSpan | undefined;
}

const REQUEST_ID_PATTERN = /^[\w.:-]{1,128}$/;

/** Returns the client's `X-Request-Id` when it matches {@link REQUEST_ID_PATTERN}, else a new id. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID_PATTERN.test(sent) ? sent : randomUUID();
}

const MAX_WAIT_S = 30;

/** Returns the value of `Prefer: wait=N` in milliseconds, at most 30 s. */
export function waitMsOf(headers: IncomingHttpHeaders): number | undefined {
  if (headers.prefer === undefined) return undefined;
  const prefer = [headers.prefer].flat().join(',');
  const seconds = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?=$|[,;])/i.exec(prefer)?.[1];
  return seconds === undefined ? undefined : Math.min(Number(seconds), MAX_WAIT_S) * 1000;
}
