import { exportMetrics } from '@assay/contracts';
import type { Principal } from '@assay/domain';
import { encodeSignalResponse, rejectMetricsSteps } from '@assay/otlp';
import { runCooperatively, type YieldToEventLoop } from '@assay/runtime';
import { assertMayCall } from '../auth/assert-may-call.js';
import { otlpType } from '../body/content-type.js';
import { checkJsonSteps } from '../json/parse-json.js';
import type { WireResponse } from '../response/response.js';
import { OTLP_JSON_LIMITS, type Binding, type IncomingRequest } from './bind.js';

/** Beginning of OTLP/JSON metrics; their message has no other field. */
const METRICS = /^\s*\{\s*"(?:resourceMetrics|resource_metrics)"\s*:/;
/** Longest beginning of a body that is looked at, in bytes. */
const HEAD_BYTES = 256;

/**
 * Makes a JSON route also accept OTLP/JSON metrics, because exporters send them to a path that the route had
 * first. They are recognised by the shape of the body, and answered like at the address of metrics: a key that may only
 * send events may send them, but nothing else.
 */
export function acceptOtlpMetrics(binding: Binding): Binding {
  return {
    route: binding.route,
    sharedWith: exportMetrics,
    async handle(incoming, context) {
      // The access of both routes requires a principal.
      const principal = context.caller as Principal;
      if (!incoming.hasBody || otlpTypeOf(incoming) === undefined) {
        assertMayCall(binding.route, principal);
        return binding.handle(incoming, context);
      }
      const body = await incoming.readBody();
      if (METRICS.test(body.toString('latin1', 0, HEAD_BYTES))) {
        assertMayCall(exportMetrics, principal);
        return metricsResponse(body, context.yieldToEventLoop);
      }
      assertMayCall(binding.route, principal);
      return binding.handle({ ...incoming, readBody: () => Promise.resolve(body) }, context);
    },
  };
}

function otlpTypeOf({ headers }: IncomingRequest): string | undefined {
  const header = headers['content-type'];
  return header?.toLowerCase().includes('json') === true ? otlpType(header) : undefined;
}

async function metricsResponse(bytes: Buffer, yieldToEventLoop: YieldToEventLoop): Promise<WireResponse> {
  const body = await runCooperatively(checkJsonSteps(bytes, OTLP_JSON_LIMITS), yieldToEventLoop);
  const rejected = await runCooperatively(rejectMetricsSteps(body, 'json'), yieldToEventLoop);
  return { status: 200, ...encodeSignalResponse('metrics', rejected, 'json') };
}
