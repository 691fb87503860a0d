export { openTelemetry } from './open-telemetry.js';
export type { OpenTelemetry, TelemetryOptions } from './telemetry-options.js';
export {
  TELEMETRY_HEADER,
  within,
  type RecordedSpan,
  type SpanAttributes,
  type TracedRoute,
  type Tracing,
} from './tracing.js';
