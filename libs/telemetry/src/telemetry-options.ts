import type { ConfigOf, Logger, Metrics, telemetrySettings } from '@assay/runtime';
import type { Tracing } from './tracing.js';

export interface TelemetryOptions {
  readonly config: ConfigOf<typeof telemetrySettings>;
  /** Name of the process, such as `data-plane`. */
  readonly service: string;
  readonly version: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Telemetry of a process that exports it. */
export interface OpenTelemetry {
  /** Undefined when spans are not exported. */
  readonly tracing: Tracing | undefined;
  /** Exports what is left, within 2 seconds. Call it after everything that is traced has ended. */
  close(): Promise<void>;
}
