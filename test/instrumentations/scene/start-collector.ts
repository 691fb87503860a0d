import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EngineProcess } from '../../harness/engines/engine-process.js';
import { freePort } from '../../harness/stack/free-port.js';

/** Starts a Collector that sends what it receives on to Assay in batches: gzip, retries on. The configuration is in `dir`. */
export async function startCollector(
  binary: string,
  dir: string,
  assay: { readonly url: string; readonly key: string },
) {
  const port = await freePort();
  const file = join(dir, 'collector.yaml');
  writeFileSync(file, configuration(port, assay));
  const engine = await EngineProcess.start({
    name: 'the Collector',
    file: binary,
    args: ['--config', file],
    startWithinMs: 30_000,
    isReady: (output) => Promise.resolve(output.includes('Everything is ready')),
  });
  return { url: `http://127.0.0.1:${port}/v1/traces`, engine };
}

function configuration(port: number, { url, key }: { readonly url: string; readonly key: string }): string {
  return `
receivers:
  otlp:
    protocols:
      http:
        endpoint: 127.0.0.1:${port}
processors:
  batch:
    send_batch_size: 50
    timeout: 100ms
exporters:
  otlphttp:
    traces_endpoint: ${url}/opentelemetry/v1/traces
    headers:
      authorization: Bearer ${key}
    compression: gzip
    retry_on_failure:
      enabled: true
      initial_interval: 100ms
      max_interval: 500ms
service:
  telemetry:
    metrics:
      level: none
  pipelines:
    traces:
      receivers: [otlp]
      processors: [batch]
      exporters: [otlphttp]
`;
}
