import { exportLogs } from '@assay/contracts';
import type { ContextOf, RawOperation, RawRequest } from '@assay/http';
import { decodeLogsSteps, encodeSignalResponse, mapLogsSteps, type MappedTraces } from '@assay/otlp';
import { runCooperatively } from '@assay/runtime';
import { encodingOf, partialSuccess, storeMapped, type TraceDeps } from './export-traces.js';

/**
 * Accepts log events by OTLP/HTTP and stores the content of GenAI events in the events of their spans. They
 * are durable before the response, which counts all other records.
 */
export function makeExportLogs(deps: TraceDeps): RawOperation<typeof exportLogs> {
  // Not an `await`, as in `makeExportTraces`.
  return (request, context) => {
    const { caller, headers } = context;
    const { projectId } = caller;
    const encoding = encodingOf(request);
    return mapLogs(deps, request, context)
      .then((mapped) => (mapped.events.length > 0 ? storeMapped(deps, mapped, context) : mapped.rejected))
      .then((rejected) => {
        // Records of other libraries are in most requests, and are not listed.
        if (rejected.truncated !== undefined)
          deps.rejections.add(
            partialSuccess(exportLogs, rejected, { projectId, client: headers['user-agent'] }),
          );
        return { status: 200, ...encodeSignalResponse('logs', rejected, encoding) };
      });
  };
}

async function mapLogs(
  deps: TraceDeps,
  request: RawRequest,
  { caller, headers, yieldToEventLoop }: ContextOf<typeof exportLogs>,
): Promise<MappedTraces> {
  const { projectId } = caller;
  const { maxEventBytes } = deps;
  const decoding = decodeLogsSteps(request.body, encodingOf(request), maxEventBytes);
  const mapping = mapLogsSteps(await runCooperatively(decoding, yieldToEventLoop), {
    projectId,
    receivedAt: deps.now(),
    sourceHeader: [headers['x-source']].flat()[0],
    knownSession: (traceId) => deps.traceSessions.get(projectId, traceId),
    maxEventBytes,
  });
  return runCooperatively(mapping, yieldToEventLoop);
}
