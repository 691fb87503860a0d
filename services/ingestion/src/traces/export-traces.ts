import { exportTraces } from '@assay/contracts';
import { traceSessionId } from '@assay/domain';
import type { ContextOf, RawOperation, RawRequest } from '@assay/http';
import { runCooperatively } from '@assay/runtime';
import {
  decodeTracesSteps,
  encodeTracesResponse,
  mapEventsSteps,
  type MappedTraces,
  type OtlpEncoding,
  type Prices,
  type Rejected,
  type TraceSession,
} from '@assay/otlp';
import type { IngestionDeps } from '../shared/ingestion-deps.js';
import type { Rejection, RejectionLog } from '../rejections/rejection-log.js';
import type { TraceSessions } from './trace-sessions.js';
import { aliasRecords, sessionMoveRecord, evaluationRecords } from './trace-records.js';

/** Dependencies of the operation on traces. */
export interface TraceDeps extends Pick<IngestionDeps, 'appendEvents' | 'maxEventBytes'> {
  readonly traceSessions: TraceSessions;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Estimates the cost of model calls that report none. */
  readonly prices: Prices;
  /** Lists requests of which a part was rejected. */
  readonly rejections: RejectionLog;
}

/**
 * Accepts spans by OTLP/HTTP. Accepted spans are durable before the response, which counts the rejected ones.
 */
export function makeExportTraces(deps: TraceDeps): RawOperation<typeof exportTraces> {
  // Not an `await`: its frame would keep the body and the mapped events while the log syncs.
  return (request, context) => {
    const { caller, headers } = context;
    const { projectId } = caller;
    const encoding = encodingOf(request);
    return mapTraces(deps, request, context)
      .then((mapped) => storeMapped(deps, mapped, context))
      .then((rejected) => {
        if (rejected.message !== '')
          deps.rejections.add(
            partialSuccess(exportTraces, rejected, { projectId, client: headers['user-agent'] }),
          );
        return { status: 200, ...encodeTracesResponse({ rejected }, encoding) };
      });
  };
}

/** What is listed for a request of which a part is not stored. */
export function partialSuccess(
  { method, path }: Pick<typeof exportTraces, 'method'> & { readonly path: string },
  { message }: Rejected,
  origin: Pick<Rejection, 'projectId' | 'client'>,
): Rejection {
  return { ...origin, route: `${method} ${path}`, status: 200, reason: 'partial_success', message };
}

export function encodingOf({ contentType }: Pick<RawRequest, 'contentType'>): OtlpEncoding {
  return contentType === 'application/json' ? 'json' : 'protobuf';
}

async function mapTraces(
  deps: TraceDeps,
  request: RawRequest,
  { caller, headers, yieldToEventLoop }: ContextOf<typeof exportTraces>,
): Promise<MappedTraces> {
  const { projectId } = caller;
  const { maxEventBytes } = deps;
  const options = { rawText: true, maxEventBytes };
  const decoding = decodeTracesSteps(request.body, encodingOf(request), options);
  const mapping = mapEventsSteps(await runCooperatively(decoding, yieldToEventLoop), {
    projectId,
    receivedAt: deps.now(),
    sourceHeader: [headers['x-source']].flat()[0],
    knownSession: (traceId) => deps.traceSessions.get(projectId, traceId),
    prices: deps.prices(),
    maxEventBytes,
  });
  return runCooperatively(mapping, yieldToEventLoop);
}

type StoringContext = Pick<ContextOf<typeof exportTraces>, 'caller' | 'yieldToEventLoop' | 'trace'>;

/**
 * Appends mapped events, their sessions and other records to the log. All are durable when it resolves. Does not keep the
 * events while the log syncs. @returns what was rejected
 */
export function storeMapped(
  deps: TraceDeps,
  mapped: MappedTraces,
  { caller, yieldToEventLoop, trace }: StoringContext,
): Promise<MappedTraces['rejected']> {
  const { projectId } = caller;
  const { rejected } = mapped;
  // Ids are derived from spans, so a span that is sent again meets its older event.
  const accepted = mapped.events.map((event) => ({ event, fresh: false }));
  recordTraces(deps.traceSessions, projectId, mapped.traceSessions);
  const moves = pendingMoves(deps.traceSessions, projectId, mapped.traceSessions);
  const moveRecords = moves.map(({ traceId, sessionId }) => sessionMoveRecord(projectId, traceId, sessionId));
  const others = [
    ...evaluationRecords(projectId, mapped),
    ...aliasRecords(projectId, mapped),
    ...moveRecords,
  ];
  const events = { accepted, synthesised: mapped.sessions, others, trace };
  return deps.appendEvents(events, yieldToEventLoop).then(() => {
    for (const { traceId } of moves) deps.traceSessions.completeMove(projectId, traceId);
    return rejected;
  });
}

function recordTraces(traces: TraceSessions, projectId: string, sessions: readonly TraceSession[]): void {
  for (const { traceId, sessionId, explicit } of sessions) {
    if (explicit) traces.addNamed(projectId, traceId, sessionId);
    else if (sessionId === traceSessionId(projectId, traceId)) traces.addUnassigned(projectId, traceId);
  }
}

/**
 * Returns traces that named their session after some of their spans, as far as this process has seen both.
 */
function pendingMoves(traces: TraceSessions, projectId: string, sessions: readonly TraceSession[]) {
  const moves: { readonly traceId: string; readonly sessionId: string }[] = [];
  for (const { traceId } of sessions) {
    const sessionId = traces.pendingMoveTarget(projectId, traceId);
    if (sessionId !== undefined && sessionId !== traceSessionId(projectId, traceId))
      moves.push({ traceId, sessionId });
  }
  return moves;
}
