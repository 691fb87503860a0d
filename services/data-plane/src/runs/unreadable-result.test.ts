import { aRule, aRun, serveRuns, type ServedRuns } from '../../test/run-fixture.js';

const run = aRun({ event_ids: [] });
const composite = (index: number, value = `${index}`) =>
  aRule(`m${index}`, {
    type: 'COMPOSITE',
    criteria: 'average',
    child_metrics: [{ name: 'a', weight: 1 }],
    filters: { filterArray: [{ field: 'event_name', operator: 'is', value, type: 'string' }] },
  });
const failed = (error: string) => ({
  status: 'completed',
  success: false,
  evaluations: {},
  classifications: [],
  passed: [],
  failed: [],
  metrics: { aggregation_function: 'average', details: [] },
  datapoints: [],
  event_details: [],
  run_object: run,
  error,
});

describe('a result that cannot be computed', () => {
  let served: ServedRuns;
  beforeAll(async () => {
    served = await serveRuns();
    served.runs.set(run.run_id, run);
    await served.add([{ metadata: { run_id: run.run_id }, metrics: { a: 1 } }]);
  });
  afterAll(() => served.stop());
  const read = (name: string) => served.call(`/v1/runs/${run.run_id}/${name}`);

  it('says why, with empty lists, when stored metrics cannot be applied', async () => {
    served.metrics.push(...Array.from({ length: 101 }, (_, index) => composite(index)));
    const error = 'the project has composite metrics with more than 100 different filters';
    for (const name of ['result', 'summary']) {
      const { status, body } = await read(name);
      expect([status, body]).toEqual([200, failed(error)]);
    }
    const invalid = composite(1, 'x'.repeat(100_000));
    served.metrics.splice(0, served.metrics.length, invalid);
    expect((await read('result')).body).toEqual(
      failed('the filters of a composite metric of the project are invalid'),
    );
    served.metrics.length = 0;
    expect((await read('result')).body).toMatchObject({ success: true, passed: [expect.any(String)] });
  });

  it('is an error of the request when its filters are invalid', async () => {
    expect((await read('result?filters=5')).status).toBe(400);
  });

  // The last test: the store stays closed.
  it('says so, with empty lists, when the event store is unavailable', async () => {
    await served.store.administration.close();
    for (const name of ['result', 'summary']) {
      const { status, body, headers } = await read(name);
      expect([status, headers.get('assay-freshness')]).toEqual([200, 'current']);
      expect(body).toEqual(failed('the events of the run could not be read, retry the request'));
    }
    expect((await read(`compare/${run.run_id}`)).status).toBe(503);
    expect((await read('metrics')).status).toBe(503);
  });
});
