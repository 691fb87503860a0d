import { choice, flag, httpUrl, integer, secret, SettingProblem, text, type Setting } from './settings.js';

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
/** Printable ASCII. */
const HEADER_VALUE = /^[\x20-\x7e]*$/;

/** Without the endpoint, these settings are those of other programs, and their values are not looked at. */
function onlyWithEndpoint<D extends Readonly<Record<string, Setting<unknown>>>>(settings: D): D {
  const entries = Object.entries(settings);
  return Object.fromEntries(entries.map(([name, one]) => [name, { ...one, onlyWith: ENDPOINT }])) as D;
}

/** A URL without user, query and fragment: what is secret belongs into the headers. */
function endpoint(description: string): Setting<string | undefined> {
  const any = httpUrl(ENDPOINT, { description });
  return {
    ...any,
    read: (value) => {
      const found = any.read(value);
      if (found === undefined) return undefined;
      const { username, password, search, hash } = new URL(found);
      if (`${username}${password}${search}${hash}` !== '')
        throw new SettingProblem('must not have a user, a query or a fragment');
      return found;
    },
  };
}

/** Comma-separated `name=value`, percent-encoded. */
function pairs<T extends string | undefined>(any: Setting<T>): Setting<Readonly<Record<string, string>>> {
  return {
    ...any,
    fallback: undefined,
    read: (value) => {
      const items = (any.read(value) ?? '').split(',').filter((item) => item.trim() !== '');
      return Object.fromEntries(items.map(pairOf));
    },
  };
}

function pairOf(item: string): readonly [string, string] {
  const at = item.indexOf('=');
  const name = item.slice(0, Math.max(at, 0)).trim();
  const value = decoded(item.slice(at + 1).trim());
  if (!HEADER_NAME.test(name) || value === undefined || !HEADER_VALUE.test(value))
    throw new SettingProblem('must be a list such as name=value,other=value, percent-encoded');
  return [name, value];
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

function ratio(name: string, options: { default: number; description: string }): Setting<number> {
  const any = text(name, { description: options.description });
  return {
    ...any,
    kind: 'number 0 to 1',
    fallback: `${options.default}`,
    read: (value) => {
      const found = any.read(value);
      if (found === undefined) return options.default;
      const number = /^\d+(\.\d+)?$/.test(found) ? Number(found) : NaN;
      if (!(number >= 0 && number <= 1)) throw new SettingProblem('must be a number from 0 to 1');
      return number;
    },
  };
}

/** Values of `OTEL_TRACES_SAMPLER`. */
export const TRACE_SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** How the process exports to the endpoint. */
const exportSettings = {
  otlpHeaders: pairs(
    secret('OTEL_EXPORTER_OTLP_HEADERS', {
      description: 'Headers of these requests, such as `Authorization=Bearer%20…`',
    }),
  ),
  otlpProtocol: choice('OTEL_EXPORTER_OTLP_PROTOCOL', ['http/protobuf', 'http/json'], {
    default: 'http/protobuf',
    description: 'Encoding of these requests. OTLP over gRPC is not supported here',
  }),
  otlpTimeoutMs: integer('OTEL_EXPORTER_OTLP_TIMEOUT', {
    default: 10_000,
    min: 1,
    max: 60_000,
    description: 'Limit of one of these requests, in milliseconds',
  }),
  otelServiceName: text('OTEL_SERVICE_NAME', {
    description: 'Name of the service; by default `assay-ingestion` and so on',
  }),
  otelResourceAttributes: pairs(
    text('OTEL_RESOURCE_ATTRIBUTES', {
      description: 'Attributes of the process, such as `deployment.environment.name=staging`',
    }),
  ),
  tracesExporter: choice('OTEL_TRACES_EXPORTER', ['otlp', 'none'], {
    default: 'otlp',
    description: '`none`: no traces',
  }),
  metricsExporter: choice('OTEL_METRICS_EXPORTER', ['otlp', 'none'], {
    default: 'otlp',
    description: '`none`: no metrics',
  }),
  tracesSampler: choice('OTEL_TRACES_SAMPLER', TRACE_SAMPLERS, {
    default: 'parentbased_traceidratio',
    description:
      'Which requests are traced. With `parentbased_…` the `traceparent` of a request decides, for up to 50 requests a second that ask for it',
  }),
  tracesSamplerArg: ratio('OTEL_TRACES_SAMPLER_ARG', {
    default: 0.01,
    description: 'Share of the requests that `traceidratio` and `parentbased_traceidratio` trace',
  }),
  spanExportIntervalMs: integer('OTEL_BSP_SCHEDULE_DELAY', {
    default: 5_000,
    min: 100,
    max: 60_000,
    description: 'Milliseconds between two exports of spans',
  }),
  metricExportIntervalMs: integer('OTEL_METRIC_EXPORT_INTERVAL', {
    default: 60_000,
    min: 1_000,
    max: 3_600_000,
    description: 'Milliseconds between two exports of metrics',
  }),
  otelDisabled: flag('OTEL_SDK_DISABLED', {
    default: false,
    description: 'Record and export nothing, also with an endpoint',
  }),
} as const;

/** Settings of the traces and metrics of a process itself: the standard names of OpenTelemetry. */
export const telemetrySettings = {
  otlpEndpoint: endpoint(
    'Address to which the process sends its own traces and metrics by OTLP/HTTP, without `/v1/traces`. Without it nothing is recorded, and the other settings have no effect',
  ),
  ...onlyWithEndpoint(exportSettings),
} as const;
