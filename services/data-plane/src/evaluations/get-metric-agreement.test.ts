import { newMetric, type DeployedMetric, type MetricType } from '@assay/domain';
import { CONTEXT, startStoredEvents, type StoredEvents } from '../../test/stored-events.js';
import { makeGetMetricAgreement } from './get-metric-agreement.js';

const MAX_EVENTS = 5_000;

const metric = (id: string, type: MetricType): DeployedMetric => ({
  ...newMetric({ name: id, type, criteria: 'x' }),
  id,
  version: 'v1',
});

describe('the agreement of a metric with people', () => {
  let stored: StoredEvents;
  beforeAll(async () => {
    stored = await startStoredEvents();
  });
  afterAll(() => stored.stop());

  it('is that of the newest 5,000 events', async () => {
    const scored = (start_time: number, tone: number) => ({ start_time, metrics: { tone, judge: 1 } });
    // Only the oldest event differs.
    await stored.add([
      scored(1_000, 2),
      ...Array.from({ length: MAX_EVENTS }, (_, n) => scored(1_001 + n, 1)),
    ]);
    // A page for each metric, as the control plane may answer.
    const pages = [metric('judge', 'LLM'), metric('tone', 'HUMAN')];
    const deployedMetrics = ({ after }: { after: string | null }) => {
      const index = Number(after);
      return Promise.resolve({
        metrics: pages.slice(index, index + 1),
        next: index + 1 < pages.length ? String(index + 1) : null,
      });
    };
    const agreement = makeGetMetricAgreement(stored.deps({ deployedMetrics }));
    const read = (dateRange?: object) =>
      agreement(
        { params: { metric_id: 'judge' }, query: { with: 'tone', dateRange }, body: {} } as never,
        CONTEXT,
      );
    expect(await read()).toMatchObject({ n: MAX_EVENTS, accuracy: 1, complete: false });
    const oldest = { $gte: 1_000, $lte: 1_001 };
    expect(await read(oldest)).toMatchObject({ n: 2, accuracy: 0.5, kappa: 0, complete: true });
  });
});
