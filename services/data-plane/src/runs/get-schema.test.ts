import { randomUUID } from 'node:crypto';
import { aRun, serveRuns, type ServedRuns } from '../../test/run-fixture.js';

describe('the schemas of events', () => {
  let served: ServedRuns;
  const run = aRun();
  beforeAll(async () => {
    served = await serveRuns();
    served.runs.set(run.run_id, run);
    const empty = { inputs: {}, outputs: {}, config: {} };
    await served.add([
      {
        ...empty,
        event_name: 'answer',
        inputs: { question: 'why' },
        metadata: { run_id: run.run_id, dataset_id: 'EXT-1' },
        metrics: { accuracy: 1 },
        start_time: 1_000,
      },
      { ...empty, event_name: 'search', event_type: 'tool', inputs: { question: 'why' }, start_time: 2_000 },
      { ...empty, event_name: '__proto__', metadata: { run_id: randomUUID() }, start_time: 3_000 },
    ]);
  });
  afterAll(() => served.stop());
  const read = async (path: string) => (await served.call(path)).body;
  const namesOf = async (path: string) =>
    ((await read(path))['fields'] as { name: string }[]).map(({ name }) => name);

  it('have the fields, the datasets, and the fields by the name of events', async () => {
    const body = await read('/v1/events/schema');
    expect(body).toMatchObject({
      fields: [
        { name: 'inputs.question', event_type: 'model' },
        { name: 'inputs.question', event_type: 'tool' },
        { name: 'metadata.dataset_id', event_type: 'model' },
        { name: 'metadata.run_id', event_type: 'model' },
        { name: 'metrics.accuracy', event_type: 'model' },
      ],
      datasets: ['EXT-1'],
    });
    expect(Object.entries(body['mappings'] as object).sort()).toEqual([
      ['__proto__', [{ field_name: 'metadata.run_id', event_type: 'model' }]],
      ['answer', expect.any(Array)],
      ['search', [{ field_name: 'inputs.question', event_type: 'tool' }]],
    ]);
    expect(await read('/events/schema')).toEqual(body);
  });

  it('are those of one run, of all runs, or of a range', async () => {
    const ofRun = await read(`/v1/runs/${run.run_id}/schema`);
    expect(ofRun).toMatchObject({ datasets: ['EXT-1'], mappings: { answer: expect.any(Array) as unknown } });
    expect(await read(`/v1/events/schema?evaluation_id=${run.run_id}`)).toEqual(ofRun);
    expect(await namesOf('/v1/runs/schema?dateRange=%7B%22%24gte%22%3A3000%7D')).toEqual(['metadata.run_id']);
    expect(Object.keys((await read('/v1/runs/schema'))['mappings'] as object).sort()).toEqual([
      '__proto__',
      'answer',
    ]);
    expect(await namesOf('/v1/events/schema?dateRange=7d')).toEqual([]);
  });

  it('have the fields of sessions that runs only list, those of all runs from the newest 400', async () => {
    const [session_id, beyond] = [randomUUID(), randomUUID()];
    const listed = { ...aRun(), event_ids: [session_id] };
    const others = Array.from({ length: 398 }, () => aRun());
    for (const one of [...others, listed, aRun({ event_ids: [beyond] })]) served.runs.set(one.run_id, one);
    const fields = { event_name: 'listed', inputs: {}, outputs: {}, config: {}, start_time: 9_000 };
    await served.add([
      { ...fields, session_id, metadata: { listed: 1 } },
      { ...fields, session_id: beyond, metadata: { beyond: 1 } },
    ]);
    const range = `dateRange=${encodeURIComponent('{"$gte":9000}')}`;
    expect(await namesOf(`/v1/runs/schema?${range}`)).toEqual(['metadata.listed']);
    expect(await namesOf(`/v1/runs/${listed.run_id}/schema`)).toEqual(['metadata.listed']);
  });

  it('include everything accepted before the request when they are about runs', async () => {
    const ofRuns = [
      '/v1/runs/schema',
      `/v1/runs/${run.run_id}/schema`,
      `/v1/events/schema?evaluation_id=${run.run_id}`,
    ];
    for (const path of ofRuns) {
      served.waits.length = 0;
      expect((await served.call(path)).headers.get('assay-freshness')).toBe('current');
      served.freshness = { current: false, waitedMs: 5_000 };
      const { status, headers } = await served.call(path, { headers: { Prefer: 'wait=5' } });
      served.freshness = { current: true };
      expect([path, status, headers.get('assay-freshness')]).toEqual([path, 200, 'behind; seconds=5']);
      expect([path, served.waits]).toEqual([path, [2_000, 5_000]]);
    }
  });

  it('of all events wait only when the client prefers to', async () => {
    served.waits.length = 0;
    expect((await served.call('/v1/events/schema')).headers.get('assay-freshness')).toBeNull();
    const { headers } = await served.call('/v1/events/schema', { headers: { Prefer: 'wait=1' } });
    expect([headers.get('assay-freshness'), served.waits]).toEqual(['current', [1_000]]);
  });
});
