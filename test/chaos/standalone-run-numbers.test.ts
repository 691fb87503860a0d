import { randomUUID } from 'node:crypto';
import type { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';

const RUN = randomUUID();
const START = Date.parse('2026-11-01T00:00:00Z');
const SCORES = Array.from({ length: 24 }, (_, index) => index / 32);
const EVENTS = SCORES.map((score, index) => ({
  event_id: randomUUID(),
  session_id: randomUUID(),
  score,
  start_time: START + index,
  metadata: { run_id: RUN, datapoint_id: `d${String(index).padStart(2, '0')}` },
}));

type Request = (client: Client) => Promise<{ readonly status: number }>;

/** The writes of a run: each is safe to repeat. */
const WRITES: readonly Request[] = [
  (client) => client.post('/v1/runs', { run_id: RUN, name: 'prompt v2', status: 'completed' }),
  ...EVENTS.flatMap(({ score, ...event }): Request[] => [
    (client) =>
      client.post('/v1/events', { event_type: 'chain', event_name: 'answer', inputs: {}, ...event }),
    (client) => client.call('PUT', `/v1/events/${event.event_id}`, { body: { metrics: { score } } }),
  ]),
];

describe('the numbers of a run that was killed in between', () => {
  const { stack, client } = onStack(() => startStandalone());
  const prefer = { headers: { prefer: 'wait=30' } };

  const sendAll = () =>
    Promise.all(
      WRITES.map((write) =>
        write(client).then(
          ({ status }) => status,
          () => 0,
        ),
      ),
    );
  const restart = async () => {
    await stack.kill('standalone');
    await stack.start('standalone');
  };
  const numbers = async () => {
    const range = encodeURIComponent(JSON.stringify({ $gte: START, $lte: START + 1_000 }));
    const chart = `/v1/events/chart?metric=score&aggregation=sum&dateRange=${range}&evaluation_id=${RUN}`;
    const paths = [`/v1/runs/${RUN}/result`, `/v1/runs/${RUN}/compare/${RUN}`, chart, '/v1/runs'];
    const bodies: unknown[] = [];
    for (const path of paths) {
      const response = await client.call('GET', path, prefer);
      expect([path, response.status]).toEqual([path, 200]);
      bodies.push(response.json());
    }
    return bodies;
  };

  it('are those of every write, once, however often these are repeated and the process is killed', async () => {
    const sending = sendAll();
    await client.call('GET', `/v1/runs/${RUN}`);
    await stack.kill('standalone');
    expect(await sending).toEqual(expect.arrayContaining([expect.any(Number)]));
    await stack.start('standalone');
    expect(new Set(await sendAll())).toEqual(new Set([200]));

    const first = await numbers();
    const sum = SCORES.reduce((all, score) => all + score, 0);
    expect(first).toMatchObject([
      {
        metrics: { details: [{ values: SCORES, aggregate: sum / SCORES.length }] },
        passed: { length: SCORES.length },
      },
      { metrics: [{ found_count: SCORES.length, same_count: SCORES.length }] },
      { totalEvents: SCORES.length, events: [{ value: sum }] },
      { metrics: ['score'], evaluations: [{ run_id: RUN, metrics: { score: sum / SCORES.length } }] },
    ]);

    await restart();
    expect(await numbers()).toEqual(first);
    expect(new Set(await sendAll())).toEqual(new Set([200]));
    await restart();
    const last = await numbers();
    expect(withoutChangeTimes(last)).toEqual(withoutChangeTimes(first));
  });
});

/** The repeated request to create the run changes when it was updated. */
function withoutChangeTimes(bodies: unknown): unknown {
  return JSON.parse(JSON.stringify(bodies, (key, value: unknown) => (key === 'updated_at' ? null : value)));
}
