import { newMetric, type DeployedMetric } from '@assay/domain';
import { startControlPlane, type StartedControlPlane } from '../../test/started-control-plane.js';
import { MetricRepository } from './metric-repository.js';

/** The most metrics that a project may have. */
const COUNT = 10_000;

describe('the deployed metrics of a project', () => {
  let started: StartedControlPlane;
  beforeAll(async () => {
    started = await startControlPlane();
  });
  afterAll(() => started.stop());

  async function read(
    projectId: string,
    onPage: (page: readonly DeployedMetric[]) => void = () => undefined,
  ) {
    const metrics: DeployedMetric[] = [];
    for (let after: string | null = null; ;) {
      const page = await started.controlPlane.deployedMetrics({ projectId, after });
      onPage(page.metrics);
      metrics.push(...page.metrics);
      if (page.next === null) return metrics;
      after = page.next;
    }
  }

  it('are read in pages of a bounded size, also when all were created at the same time', async () => {
    const metrics = new MetricRepository(started.deps, 'large');
    const created_at = '2026-11-01T00:00:00.000Z';
    const documents = Array.from({ length: COUNT }, (_, index) => ({
      id: `m${index}`,
      fields: {
        ...newMetric({ name: `metric ${index}`, type: 'LLM', criteria: 'c'.repeat(1_000) }),
        ...{ project_id: 'large', is_active: index % 10 > 0, created_at, updated_at: created_at },
        ...{ version_ids: ['a', 'b'], deployed: 'v2' },
      },
    }));
    await metrics.collection.insertMissing(documents);
    const sizes: number[] = [];
    const found = await read('large', (page) => sizes.push(JSON.stringify(page).length));
    expect(new Set(found.map(({ id }) => id)).size).toBe(0.9 * COUNT);
    expect(found).toHaveLength(0.9 * COUNT);
    expect(Math.max(...sizes)).toBeLessThan(2 * 1024 * 1024);
    expect(found[0]).toMatchObject({ version: 'v2', type: 'LLM', criteria: 'c'.repeat(1_000) });
  });

  it('have the definition of the deployed version, and no instructions for people', async () => {
    const metrics = new MetricRepository(started.deps, 'small');
    const { id } = await metrics.create(newMetric({ name: 'a', type: 'PYTHON', criteria: 'result = 1' }));
    const contentOf = () => newMetric({ name: 'a', type: 'PYTHON', criteria: 'result = 2' });
    await metrics.addVersion(id, { contentOf, message: 'draft', deploy: false });
    const human = await metrics.create(newMetric({ name: 'b', type: 'HUMAN', criteria: 'rate it' }));
    const found = new Map((await read('small')).map((metric) => [metric.id, metric]));
    expect(found.get(id)).toMatchObject({ version: 'v1', criteria: 'result = 1' });
    expect(found.get(human.id)).toMatchObject({ type: 'HUMAN', criteria: '' });
    await metrics.addVersion(id, { contentOf, message: 'next', deploy: true });
    expect(new Map((await read('small')).map((metric) => [metric.id, metric])).get(id)).toMatchObject({
      version: 'v3',
      criteria: 'result = 2',
    });
  });

  it('are not read from a cursor of another shape', async () => {
    for (const after of ['', 'x', '2026/1', `${'9'.repeat(90)}/1`])
      await expect(started.controlPlane.deployedMetrics({ projectId: 'small', after })).rejects.toMatchObject(
        { code: 'VALIDATION_ERROR' },
      );
  });
});
