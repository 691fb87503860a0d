import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pythonWith } from '../instrumentations/packages/client-packages.js';
import { ENCRYPTED, MATRIX } from './chart-values.js';
import { CHART, render, type Manifest } from './helm.js';

/** Of the Gateway API, the Prometheus operator and KEDA; the API server of the tests has their definitions. */
const CUSTOM = ['GRPCRoute', 'HTTPRoute', 'PrometheusRule', 'ScaledObject', 'ServiceMonitor'];

interface Report {
  readonly versions: readonly string[];
  readonly failures: readonly string[];
  readonly kinds: readonly string[];
}

async function validate(manifests: readonly Manifest[]): Promise<Report> {
  const [, oldest = ''] =
    /kubeVersion: '>=(\d+\.\d+)/.exec(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')) ?? [];
  const { status, stdout, stderr } = spawnSync(
    await pythonWith('kubernetes-schemas'),
    [join(__dirname, 'validate_manifests.py'), oldest],
    { input: JSON.stringify(manifests), encoding: 'utf8', maxBuffer: 16 << 20 },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as Report;
}

describe('the objects of the chart', () => {
  it('fit the schemas of every supported version of Kubernetes, without unknown properties', async () => {
    const rendered = await Promise.all(
      [...MATRIX.map(([, values]) => values), ENCRYPTED].map((values) => render(values)),
    );
    const distinct = new Map(rendered.flat().map((manifest) => [JSON.stringify(manifest), manifest]));
    const { versions, failures, kinds } = await validate([...distinct.values()]);
    expect([versions[0], versions.at(-1)]).toEqual(['1.27', '1.37']);
    expect(failures).toEqual([]);
    expect(kinds).toEqual(CUSTOM);
  }, 300_000);

  it('are refused with a misspelt property', async () => {
    const [manifest] = (await render(MATRIX[0]![1])).filter(({ kind }) => kind === 'Deployment');
    const { versions, failures } = await validate([
      { ...manifest!, spec: { ...manifest!.spec, replica: 2 } },
    ]);
    expect(failures).toHaveLength(versions.length);
    expect(failures[0]).toContain("'replica' was unexpected");
  }, 300_000);
});
