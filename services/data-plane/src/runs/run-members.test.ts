import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@assay/domain';
import { aRun, serveRuns, type ServedRuns } from '../../test/run-fixture.js';

const START = Date.parse('2026-03-01T00:00:00Z');
const DAY = `dateRange=${encodeURIComponent(JSON.stringify({ $gte: '2026-03-01', $lte: '2026-03-01' }))}`;

/** A run names its events in three ways: by their own metadata, by their session's, and by a list of sessions. */
describe('the events of a run', () => {
  const [naming, listed, other] = [randomUUID(), randomUUID(), randomUUID()];
  const run = aRun({ event_ids: [listed] });
  let served: ServedRuns;
  beforeAll(async () => {
    served = await serveRuns();
    served.runs.set(run.run_id, run);
    const ofRun = { run_id: run.run_id };
    const at = (session_id: string, event_name: string, minutes: number) =>
      ({ session_id, event_name, start_time: START + minutes * 60_000, metrics: { score: 1 } }) as const;
    const session = (id: string, name: string) =>
      ({ ...at(id, name, 0), event_id: id, event_type: 'session' }) as const;
    await served.add([
      { ...session(naming, 'naming'), metadata: ofRun },
      { ...session(listed, 'listed') },
      { ...session(other, 'other') },
      { ...at(other, 'own', 1), metadata: ofRun },
      { ...at(naming, 'inherited', 2) },
      { ...at(naming, 'of another run', 3), metadata: { run_id: randomUUID() } },
      { ...at(listed, 'of a listed session', 4) },
      { ...at(other, 'of no run', 5) },
    ]);
  });
  afterAll(() => served.stop());

  const names = ['inherited', 'listed', 'naming', 'of a listed session', 'own'];
  const namesOf = (body: JsonObject) =>
    (body['events'] as JsonObject[]).map((event) => event['event_name']).sort();
  const post = async (path: string, body: object) =>
    namesOf((await served.call(path, { method: 'POST', body: JSON.stringify(body) })).body);

  it('are the same in search, export, lines, chart, sessions, result and metrics', async () => {
    const evaluation_id = run.run_id.toUpperCase();
    expect(await post('/v1/events/search', { evaluation_id })).toEqual(names);
    expect(await post('/v1/events/export', { evaluation_id })).toEqual(names);
    expect(namesOf((await served.call(`/v1/events?evaluation_id=${run.run_id}`)).body)).toEqual(names);
    const headers = { Authorization: 'Bearer key', Accept: 'application/x-ndjson' };
    const lines = await fetch(`${served.baseUrl}/v1/events?evaluation_id=${run.run_id}`, { headers });
    const events = (await lines.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as JsonObject);
    expect(namesOf({ events })).toEqual(names);
    const chart = `metric=event_id&aggregation=count&${DAY}`;
    expect((await served.call(`/v1/events/chart?evaluation_id=${run.run_id}&${chart}`)).body).toMatchObject({
      totalEvents: 5,
    });
    const sessions = (await served.call(`/v1/sessions?run_id=${run.run_id}`)).body[
      'sessions'
    ] as JsonObject[];
    expect(sessions.map((one) => one['session_id']).sort()).toEqual([naming, listed, other].sort());
    const metrics = (await served.call(`/v1/runs/${run.run_id}/metrics`)).body;
    expect(namesOf(metrics)).toEqual(names);
    const result = (await served.call(`/v1/runs/${run.run_id}/result`)).body;
    expect(result).toMatchObject({ success: true });
  });

  it('that the control plane does not know are those that name it', async () => {
    expect(await post('/v1/events/search', { evaluation_id: randomUUID() })).toEqual([]);
    expect(await post('/v1/events/search', { evaluation_id: 'not a run' })).toEqual([]);
  });

  it('of any run are in a chart of experiments', async () => {
    const chart = `only_experiments=true&metric=event_id&aggregation=count&${DAY}`;
    expect((await served.call(`/v1/events/chart?${chart}`)).body).toMatchObject({ totalEvents: 6 });
  });
});
