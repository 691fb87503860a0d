import { aRule, aRun, serveRuns, type ServedRuns } from '../../test/run-fixture.js';
import { storeTwoRuns } from '../../test/two-runs.js';

interface ListBody {
  readonly evaluations: readonly { readonly run_id: string; readonly metrics: object }[];
  readonly metrics: readonly string[];
  readonly warning?: string;
}

describe('the list of runs', () => {
  let served: ServedRuns;
  let ids: { oldId: string; newId: string };
  beforeAll(async () => {
    served = await serveRuns();
    ids = await storeTwoRuns(served);
    for (let index = 0; index < 12; index++) {
      const run = aRun({ name: `empty ${index}` });
      served.runs.set(run.run_id, run);
    }
  });
  afterAll(() => served.stop());
  const list = async (headers = {}) => {
    const { status, body, headers: received } = await served.call('/v1/runs', { headers });
    return { status, body: body as unknown as ListBody, received };
  };

  // The averages are those of `two-runs`: (1 + 0 + 0.5 + 0.25) / 4 and 3 / 4; (1 + 1 + 0.25 + 0.75 + 0) / 5 and 3 / 5.
  it('has the averages of the scores of each run, and their names', async () => {
    const { status, body } = await list();
    expect([status, body.metrics, body.warning]).toEqual([200, ['accuracy', 'polite'], undefined]);
    expect(body.evaluations).toHaveLength(14);
    const metricsOf = (id: string) => body.evaluations.find(({ run_id }) => run_id === id)?.metrics;
    expect(metricsOf(ids.oldId)).toEqual({ accuracy: 0.4375, polite: 0.75 });
    expect(metricsOf(ids.newId)).toEqual({ accuracy: 0.6, polite: 0.6 });
    expect(body.evaluations.slice(2).map(({ metrics }) => metrics)).toEqual(Array(12).fill({}));
  });

  it('averages only scores of people that have the type of their metric', async () => {
    const run = aRun({ name: 'people' });
    served.runs.set(run.run_id, run);
    served.metrics.push(
      aRule('stars', { type: 'HUMAN' }),
      aRule('good', { type: 'HUMAN', return_type: 'boolean' }),
      aRule('tone', { type: 'HUMAN', return_type: 'categorical' }),
    );
    const metadata = { run_id: run.run_id };
    await served.add([
      { metadata, metrics: { stars: 4, good: true, tone: 1 } },
      { metadata, metrics: { stars: true, good: 0.25, tone: true } },
      { metadata, metrics: { stars: 2, good: 7 } },
    ]);
    const { body } = await list();
    const metricsOf = ({ run_id }: { run_id: string }) =>
      body.evaluations.find((listed) => listed.run_id === run_id)?.metrics;
    expect(metricsOf(run)).toEqual({ stars: 3, good: 1 });
    served.runs.delete(run.run_id);
  });

  it('averages metrics that have the name of an explanation, and no explanations', async () => {
    const run = aRun({ name: 'explained' });
    served.runs.set(run.run_id, run);
    served.metrics.push(aRule('clear_explanation', { type: 'PYTHON' }));
    const metadata = { run_id: run.run_id };
    const metrics = { clear: 1, clear_explanation: 0.5, other_explanation: 3 };
    await served.add([{ metadata, metrics }]);
    const { body } = await list();
    const listed = body.evaluations.find(({ run_id }) => run_id === run.run_id);
    expect(listed?.metrics).toEqual({ clear: 1, clear_explanation: 0.5 });
    const scored = (await served.call(`/v1/runs/${run.run_id}/metrics`)).body as unknown as {
      events: { metrics: object }[];
    };
    expect(scored.events.map((event) => event.metrics)).toEqual([{ clear: 1, clear_explanation: 0.5 }]);
    const result = (await served.call(`/v1/runs/${run.run_id}/result`)).body as unknown as {
      datapoints: { metrics: { name: string }[] }[];
    };
    expect(result.datapoints[0]?.metrics.map(({ name }) => name).sort()).toEqual([
      'clear',
      'clear_explanation',
    ]);
    served.runs.delete(run.run_id);
  });

  it('waits for what was accepted before only when the client prefers to', async () => {
    served.waits.length = 0;
    await list();
    expect((await list({ Prefer: 'wait=1' })).received.get('assay-freshness')).toBe('current');
    expect(served.waits).toEqual([1_000]);
  });

  it.each([
    'limit=1e9',
    'limit=101',
    'page=-1',
    'page=0',
    'run_ids[]=x',
    'status=done',
    'sort_by=x',
    'dateRange=yesterday',
    'dateRange={broken',
    `name=${'x'.repeat(201)}`,
    'dateRange[a][b][c][d][e][f]=1',
  ])('is refused with %s', async (query) => {
    const { status, body } = await served.call(`/v1/runs?${query}`);
    expect([status, body['errorCode'], body['success']]).toEqual([400, 'VALIDATION_ERROR', false]);
  });

  it('has a warning in place of the scores when these cannot be read', async () => {
    await served.store.administration.close();
    const { status, body } = await list();
    expect([status, body.metrics, body.evaluations.length]).toEqual([200, [], 14]);
    expect(body.warning).toContain('could not be read');
  });
});
