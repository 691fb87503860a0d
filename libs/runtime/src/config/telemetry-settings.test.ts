import { loadConfig } from './load-config.js';
import { telemetrySettings } from './telemetry-settings.js';

describe('a wrong setting of telemetry', () => {
  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user:secret-7@collector:4318'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'secret-7'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=secret-7%0d%0ab:c'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
    ['OTEL_METRIC_EXPORT_INTERVAL', '0'],
    ['OTEL_SDK_DISABLED', 'yes'],
  ])('is refused alone, and named without its value: %s=%s', (name, value) => {
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
    expect(() => loadConfig(telemetrySettings, environment)).not.toThrow();
    const load = () => loadConfig(telemetrySettings, { ...environment, [name]: value });
    expect(load).toThrow(`the configuration has 1 error:\n  - ${name} `);
    expect(load).not.toThrow('secret-7');
  });
});
