import type { exportLogs } from '@assay/contracts';
import type { RawOperation } from '@assay/http';
import { decodeLogsSteps, encodeSignalResponse, mapLogsSteps } from '@assay/otlp';
import { runCooperatively } from '@assay/runtime';
import { storeMapped, type TraceDeps } from './export-traces.js';

/**
 * Accepts log events by OTLP/HTTP and stores the content of GenAI events in the events of their spans. They
 * are durable before the response, which counts all other records.
 */
export function makeExportLogs(deps: TraceDeps): RawOperation<typeof exportLogs> {
  return async ({ body, contentType }, { caller, headers, yieldToEventLoop }) => {
    const { projectId } = caller;
    const encoding = contentType === 'application/json' ? 'json' : 'protobuf';
    const logs = await runCooperatively(decodeLogsSteps(body, encoding), yieldToEventLoop);
    const mapping = mapLogsSteps(logs, {
      projectId,
      receivedAt: deps.now(),
      sourceHeader: [headers['x-source']].flat()[0],
      knownSession: (traceId) => deps.traceSessions.get(projectId, traceId),
    });
    const mapped = await runCooperatively(mapping, yieldToEventLoop);
    if (mapped.events.length > 0) await storeMapped(deps, projectId, mapped, yieldToEventLoop);
    return { status: 200, ...encodeSignalResponse('logs', mapped.rejected, encoding) };
  };
}
