import { JsonMetricsSerializer, ProtobufMetricsSerializer } from '@opentelemetry/otlp-transformer';
import type { Resource } from '@opentelemetry/resources';
import type { Metrics } from '@assay/runtime';
import type { FailureLog } from './failure-log.js';
import { ExportFailure, type OtlpConnection } from './otlp-connection.js';
import { toOtlpMetrics } from './to-otlp-metrics.js';

export interface MetricExportOptions {
  readonly metrics: Metrics;
  readonly resource: Resource;
  readonly version: string;
  readonly connection: OtlpConnection;
  readonly failures: FailureLog;
  readonly isJson: boolean;
  /** Time between two exports, in milliseconds. */
  readonly intervalMs: number;
}

/** Exports the values of the Prometheus metrics from time to time. They are cumulative: the next export makes up for a failed one. */
export class MetricExport {
  private readonly startedAt = Date.now();
  private readonly timer: NodeJS.Timeout;
  private isRunning = false;

  constructor(private readonly options: MetricExportOptions) {
    this.timer = setInterval(() => void this.exportOnce(), options.intervalMs).unref();
  }

  /** Exports the last values, unless the signal aborts before. */
  async stop(signal: AbortSignal): Promise<void> {
    clearInterval(this.timer);
    await this.exportOnce(signal);
  }

  private async exportOnce(stopping?: AbortSignal): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    try {
      await this.send(stopping);
    } catch (error) {
      this.options.failures.add('metrics', error instanceof ExportFailure ? error.reason : 'not encoded');
    } finally {
      this.isRunning = false;
    }
  }

  private async send(stopping?: AbortSignal): Promise<void> {
    const { metrics, resource, version, connection, isJson } = this.options;
    const families = await metrics.families();
    const times = { startedAt: this.startedAt, now: Date.now() };
    const scope = { name: 'assay', version };
    const content = { resource, scopeMetrics: [{ scope, metrics: toOtlpMetrics(families, times) }] };
    const serializer = isJson ? JsonMetricsSerializer : ProtobufMetricsSerializer;
    const body = serializer.serializeRequest(content);
    if (body === undefined) throw new ExportFailure('not encoded', false);
    await connection.post('/v1/metrics', body, stopping);
  }
}
