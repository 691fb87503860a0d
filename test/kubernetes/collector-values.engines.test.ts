import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { repository } from '../harness/stack/repository.js';
import { collectorBinary } from '../instrumentations/packages/client-packages.js';
import { MINIMAL } from './chart-values.js';
import { render, type Manifest } from './helm.js';

interface Pipeline {
  readonly processors: readonly string[];
  readonly exporters: readonly string[];
}

interface CollectorValues {
  readonly extraEnvs: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: object;
  }[];
  readonly config: {
    readonly processors: object;
    readonly exporters: Readonly<
      Record<string, { readonly endpoint: string; readonly headers: object } | null>
    >;
    readonly service: { readonly pipelines: Readonly<Record<string, Pipeline | null>> };
  };
}

const values = parse(
  readFileSync(join(repository, 'deploy/collector/values.yaml'), 'utf8'),
) as CollectorValues;
const exporters = Object.entries(values.config.exporters).flatMap(([name, exporter]) =>
  exporter === null ? [] : [[name, exporter] as const],
);

/** Host names and ports of the Services of the chart, from other namespaces. */
function addresses(manifests: readonly Manifest[]): string[] {
  return manifests
    .filter(({ kind }) => kind === 'Service')
    .flatMap(({ metadata, spec }) =>
      (spec as { ports: { port: number }[] }).ports.map(({ port }) => `${metadata.name}.tracing.svc:${port}`),
    );
}

/** The configuration that the Collector's chart makes of the values, with the exporter in its pipelines, for a Collector without a memory limiter. */
function configuration(exporter: string): object {
  const pipelines = Object.entries(values.config.service.pipelines).flatMap(([name, pipeline]) =>
    pipeline === null ? [] : [[name, { ...pipeline, processors: ['batch'], exporters: [exporter] }] as const],
  );
  return {
    receivers: { otlp: { protocols: { http: { endpoint: '127.0.0.1:4318' } } } },
    processors: values.config.processors,
    exporters: Object.fromEntries(exporters),
    service: { pipelines: Object.fromEntries(pipelines) },
  };
}

describe('the values for the chart of the Collector', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-collector-values-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('send the key from a Secret to Services of the chart', async () => {
    const services = addresses(await render(MINIMAL));
    expect(exporters.map(([name]) => name)).toEqual(['otlphttp/assay', 'otlp/assay']);
    for (const [, { endpoint, headers }] of exporters) {
      expect(services).toContain(endpoint.replace(/^http:\/\/|\/opentelemetry$/g, ''));
      expect(headers).toEqual({ authorization: 'Bearer ${env:ASSAY_API_KEY}' });
    }
    expect(values.extraEnvs).toEqual([
      { name: 'ASSAY_API_KEY', valueFrom: { secretKeyRef: { name: 'assay-collector', key: 'api-key' } } },
    ]);
  }, 600_000);

  it('are a configuration that the Collector accepts, with either exporter', async () => {
    const collector = await collectorBinary();
    for (const [name] of exporters) {
      const file = join(dir, 'collector.yaml');
      writeFileSync(file, JSON.stringify(configuration(name)));
      const env = { ...process.env, ASSAY_API_KEY: 'a-key-of-the-test' };
      await promisify(execFile)(collector, ['validate', '--config', file], { env });
    }
    const misspelt = join(dir, 'misspelt.yaml');
    writeFileSync(misspelt, JSON.stringify(configuration('otlp/elsewhere')));
    await expect(promisify(execFile)(collector, ['validate', '--config', misspelt])).rejects.toThrow(
      'otlp/elsewhere',
    );
  }, 600_000);
});
