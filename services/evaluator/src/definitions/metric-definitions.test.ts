import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DefaultModel, DeployedMetric } from '@assay/domain';
import { unavailable } from '@assay/errors';
import { metricOf } from '../../test/metric-fixture.js';
import { MetricDefinitions } from './metric-definitions.js';
import { SnapshotFiles } from './snapshot-files.js';

/** A control plane whose metrics, availability and speed the test sets. */
class Deployment {
  readonly dir = mkdtempSync(join(tmpdir(), 'assay-metrics-'));
  metrics: DeployedMetric[] = [metricOf('a'), metricOf('b'), metricOf('c')];
  reads = 0;
  isReachable = true;
  defaultModel: DefaultModel | undefined;
  loadMs = 0;
  time = 1_790_000_000_000;

  deployedMetrics = ({ after }: { after: string | null }) => {
    if (!this.isReachable) return Promise.reject(unavailable('unreachable'));
    this.time += this.loadMs;
    const start = Number(after);
    if (start === 0) this.reads++;
    const next = start + 2 < this.metrics.length ? String(start + 2) : null;
    return Promise.resolve({ metrics: this.metrics.slice(start, start + 2), next });
  };

  start(): MetricDefinitions {
    const snapshots = new SnapshotFiles(join(this.dir, 'metrics'));
    const now = () => this.time;
    const { defaultModel } = this;
    return new MetricDefinitions({ controlPlane: this, snapshots, defaultModel, now, warn: () => undefined });
  }
}

describe('the metrics of projects', () => {
  let deployment: Deployment;
  beforeEach(() => (deployment = new Deployment()));
  afterEach(() => rmSync(deployment.dir, { recursive: true, force: true }));
  const idsOf = async (definitions: MetricDefinitions, since?: number) =>
    [...(await definitions.of('p', since)).all].map(({ metric }) => metric.id);

  it('are read page by page, and again after 30 seconds', async () => {
    const definitions = deployment.start();
    expect(await idsOf(definitions)).toEqual(['a', 'b', 'c']);
    deployment.metrics = [metricOf('d')];
    deployment.time += 29_999;
    expect(await idsOf(definitions)).toEqual(['a', 'b', 'c']);
    deployment.time += 1;
    expect(await idsOf(definitions)).toEqual(['d']);
    expect(deployment.reads).toBe(2);
  });

  it('are read again for an event that arrived later, unless there are many', async () => {
    const definitions = deployment.start();
    await idsOf(definitions);
    await idsOf(definitions, deployment.time);
    expect(deployment.reads).toBe(1);
    await idsOf(definitions, ++deployment.time);
    expect(deployment.reads).toBe(2);
    deployment.loadMs = 1_000;
    await idsOf(definitions, ++deployment.time);
    await idsOf(definitions, ++deployment.time);
    expect(deployment.reads).toBe(4);
    deployment.metrics = [{ ...metricOf('large'), criteria: 'x'.repeat(1024 * 1024) }];
    await idsOf(definitions, ++deployment.time);
    await idsOf(definitions, ++deployment.time);
    expect(deployment.reads).toBe(5);
  });

  it('are the last known ones while the control plane is unavailable, also after a restart', async () => {
    await idsOf(deployment.start());
    deployment.isReachable = false;
    const restarted = deployment.start();
    expect(await idsOf(restarted)).toEqual(['a', 'b', 'c']);
    await expect(restarted.of('unknown')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    deployment.isReachable = true;
    deployment.metrics = [metricOf('d')];
    deployment.time += 1_000;
    expect(await idsOf(restarted, deployment.time)).toEqual(['d']);
  });

  it('have the default model of this process, which snapshots do not contain', async () => {
    const modelOf = async (definitions: MetricDefinitions) => (await definitions.of('p')).get('m')?.metric;
    const metric = metricOf('m', { type: 'LLM' });
    deployment.metrics = [metric];
    deployment.defaultModel = { provider: 'openai', name: 'gpt-4o' };
    const expected = { ...metric, model_provider: 'openai', model_name: 'gpt-4o' };
    expect(await modelOf(deployment.start())).toEqual(expected);
    deployment.isReachable = false;
    expect(await modelOf(deployment.start())).toEqual(expected);
    deployment.defaultModel = undefined;
    expect(await modelOf(deployment.start())).toEqual(metric);
  });
});
