import type { exportTraces } from '@assay/contracts';
import { traceSessionId } from '@assay/domain';
import type { RawOperation } from '@assay/http';
import { runCooperatively } from '@assay/runtime';
import { decodeTracesSteps, encodeTracesResponse, mapEventsSteps, type TraceSession } from '@assay/otlp';
import type { IngestionDeps } from '../ingestion-deps.js';
import type { TraceSessions } from '../sessions/trace-sessions.js';
import { aliasRecords, sessionMoveRecord, verdictRecords } from './trace-records.js';

/** Takes spans by OTLP/HTTP. What can be taken is on the log before the answer; the answer counts what cannot. */
export function makeExportTraces(deps: IngestionDeps): RawOperation<typeof exportTraces> {
  return async ({ body, contentType }, { caller, headers, yieldToEventLoop }) => {
    const { projectId } = caller;
    const encoding = contentType === 'application/json' ? 'json' : 'protobuf';
    const decoded = await runCooperatively(decodeTracesSteps(body, encoding), yieldToEventLoop);
    const mapping = mapEventsSteps(decoded, {
      projectId,
      receivedAt: deps.now(),
      sourceHeader: [headers['x-source']].flat()[0],
      knownSession: (traceId) => deps.traceSessions.get(projectId, traceId),
      prices: deps.prices,
    });
    const mapped = await runCooperatively(mapping, yieldToEventLoop);
    // The id of a span is the same whenever it is sent, so an older one may exist.
    const accepted = mapped.events.map((event) => ({ event, fresh: false }));
    noteTraces(deps.traceSessions, projectId, mapped.traceSessions);
    const moves = movesOf(deps.traceSessions, projectId, mapped.traceSessions);
    const moveRecords = moves.map(({ traceId, sessionId }) =>
      sessionMoveRecord(projectId, traceId, sessionId),
    );
    const others = [...verdictRecords(projectId, mapped), ...aliasRecords(projectId, mapped), ...moveRecords];
    await deps.appendEvents({ accepted, synthesised: mapped.sessions, others }, yieldToEventLoop);
    for (const { traceId } of moves) deps.traceSessions.moved(projectId, traceId);
    return { status: 200, ...encodeTracesResponse(mapped, encoding) };
  };
}

function noteTraces(traces: TraceSessions, projectId: string, sessions: readonly TraceSession[]): void {
  for (const { traceId, sessionId, explicit } of sessions) {
    if (explicit) traces.named(projectId, traceId, sessionId);
    else if (sessionId === traceSessionId(projectId, traceId)) traces.strayed(projectId, traceId);
  }
}

/** The traces that name their session after spans of them went without, where this process has seen both. */
function movesOf(traces: TraceSessions, projectId: string, sessions: readonly TraceSession[]) {
  return sessions.flatMap(({ traceId }) => {
    const sessionId = traces.homeOfStrayed(projectId, traceId);
    return sessionId === undefined || sessionId === traceSessionId(projectId, traceId)
      ? []
      : [{ traceId, sessionId }];
  });
}
