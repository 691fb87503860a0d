import type { OpenTelemetry, TelemetryOptions } from './telemetry-options.js';

/** Starts to export traces and metrics of this process. Loads nothing without an endpoint. @returns undefined when nothing is exported */
export async function openTelemetry(options: TelemetryOptions): Promise<OpenTelemetry | undefined> {
  const { otlpEndpoint, otelDisabled, tracesExporter, metricsExporter } = options.config;
  if (otlpEndpoint === undefined || otelDisabled) return undefined;
  if (tracesExporter === 'none' && metricsExporter === 'none') return undefined;
  const { startExports } = await import('./sdk/start-exports.js');
  return startExports(options, otlpEndpoint);
}
