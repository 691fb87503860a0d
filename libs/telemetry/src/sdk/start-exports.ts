import { randomUUID } from 'node:crypto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { OpenTelemetry, TelemetryOptions } from '../telemetry-options.js';
import { makeSampler } from '../sampler.js';
import { MetricExport } from './export-metrics.js';
import { SpanExport } from './export-spans.js';
import { FailureLog } from './failure-log.js';
import { makeTracing } from './make-tracing.js';
import { OtlpConnection } from './otlp-connection.js';
import { SpanQueue } from './span-queue.js';

/** The last export of a process that stops. */
const FLUSH_MS = 2_000;

/** Starts the exports of a process. */
export function startExports(options: TelemetryOptions, endpoint: string): OpenTelemetry {
  const { config, logger, metrics, version } = options;
  const isJson = config.otlpProtocol === 'http/json';
  const connection = new OtlpConnection({
    endpoint,
    headers: config.otlpHeaders,
    contentType: isJson ? 'application/json' : 'application/x-protobuf',
    timeoutMs: config.otlpTimeoutMs,
  });
  const resource = resourceFromAttributes({
    ...config.otelResourceAttributes,
    'service.name': config.otelServiceName ?? `assay-${options.service}`,
    'service.version': version,
    'service.instance.id': randomUUID(),
  });
  const shared = { connection, failures: new FailureLog(logger, metrics), isJson, resource, version };
  const spans = config.tracesExporter === 'otlp' ? traceSpans(options, shared) : undefined;
  const values =
    config.metricsExporter === 'otlp'
      ? new MetricExport({ ...shared, metrics, intervalMs: config.metricExportIntervalMs })
      : undefined;
  return {
    tracing: spans?.tracing,
    close: async () => {
      const signal = AbortSignal.timeout(FLUSH_MS);
      await Promise.all([spans?.exports.stop(signal), values?.stop(signal)]);
      connection.close();
    },
  };
}

type Shared = Pick<ConstructorParameters<typeof MetricExport>[0], 'connection' | 'failures' | 'isJson'> &
  Pick<Parameters<typeof makeTracing>[0], 'resource' | 'version'>;

function traceSpans({ config, metrics }: TelemetryOptions, shared: Shared) {
  const queue = new SpanQueue(metrics);
  const sample = makeSampler({
    name: config.tracesSampler,
    ratio: config.tracesSamplerArg,
    now: () => performance.now(),
  });
  return {
    tracing: makeTracing({ ...shared, processor: queue, sample }),
    exports: new SpanExport({ ...shared, queue, intervalMs: config.spanExportIntervalMs }),
  };
}
