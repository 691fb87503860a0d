import type { MethodDefinition } from '@grpc/grpc-js';
import { exportLogs, exportMetrics, exportTraces, type Route } from '@assay/contracts';

/** Paths of the OTLP methods, and the route that handles the same message by HTTP. */
export const OTLP_METHODS: readonly (readonly [path: string, route: Route])[] = [
  ['/opentelemetry.proto.collector.trace.v1.TraceService/Export', exportTraces],
  ['/opentelemetry.proto.collector.logs.v1.LogsService/Export', exportLogs],
  ['/opentelemetry.proto.collector.metrics.v1.MetricsService/Export', exportMetrics],
];

/**
 * Defines a method of one request and one response. To grpc-js it has a stream of requests, which is the same on the
 * wire: so the handler runs before the message is received, and decides whether to receive it. Messages pass as bytes.
 */
export function rawMethod(path: string): MethodDefinition<Buffer, Buffer> {
  return {
    path,
    requestStream: true,
    responseStream: false,
    requestSerialize: sameBytes,
    requestDeserialize: sameBytes,
    responseSerialize: sameBytes,
    responseDeserialize: sameBytes,
  };
}

function sameBytes(bytes: Buffer): Buffer {
  return bytes;
}
