import type { exportMetrics } from '@assay/contracts';
import type { RawOperation } from '@assay/http';
import { encodeSignalResponse, rejectMetricsSteps } from '@assay/otlp';
import { runCooperatively } from '@assay/runtime';

/** Responds to metrics by OTLP/HTTP with success; the response counts the data points, which are not stored. */
export function makeExportMetrics(): RawOperation<typeof exportMetrics> {
  return async ({ body, contentType }, { yieldToEventLoop }) => {
    const encoding = contentType === 'application/json' ? 'json' : 'protobuf';
    const rejected = await runCooperatively(rejectMetricsSteps(body, encoding), yieldToEventLoop);
    return { status: 200, ...encodeSignalResponse('metrics', rejected, encoding) };
  };
}
