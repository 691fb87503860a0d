import { randomUUID } from 'node:crypto';
import type { onStack } from '../harness/stack/on-stack.js';

const JULY = Date.parse('2026-07-01T00:00:00Z');
const DAY = 86_400_000;
const WAIT = { headers: { prefer: 'wait=30' } };

/** The agreement of a metric with people, and of annotators with each other, with numbers computed by hand. */
export function agreementJourney({ client }: ReturnType<typeof onStack>): void {
  const createMetric = async (fields: object) => {
    const response = await client.post('/v1/metrics', { criteria: 'result = 1', ...fields });
    return response.json<{ metric_id: string }>().metric_id;
  };
  const createEvents = async (events: readonly object[]) => {
    const body = { events: events.map((fields) => ({ event_type: 'model', inputs: {}, ...fields })) };
    return (await client.post('/v1/events/batch', body)).json<{ event_ids: string[] }>().event_ids;
  };
  const agreement = async (metric: string, query: Readonly<Record<string, string>>) =>
    client.call('GET', `/v1/metrics/${metric}/agreement?${new URLSearchParams(query).toString()}`, WAIT);

  it('compares the scores of a metric with those of people', async () => {
    const [people, judge] = [`is good ${randomUUID()}`, `judge.of ${randomUUID()}`];
    const human = await createMetric({ name: people, type: 'HUMAN', return_type: 'boolean' });
    const metric = await createMetric({
      name: judge,
      type: 'PYTHON',
      return_type: 'boolean',
      enabled_in_prod: false,
    });
    const scored = (start_time: number, human_score: unknown, score: unknown) => ({
      start_time,
      metrics: { [people]: human_score, [judge]: score },
    });
    const july = (human_score: unknown, score: unknown, count: number) =>
      Array.from({ length: count }, (_, n) => scored(JULY + n, human_score, score));
    await createEvents([
      ...july(true, true, 4),
      ...july(true, false, 1),
      ...july(false, true, 1),
      ...july(false, false, 2),
      // Without one of the scores.
      { start_time: JULY, metrics: { [people]: true } },
      scored(JULY, null, true),
      scored(JULY, true, { nested: true }),
      // Not in July.
      ...Array.from({ length: 2 }, () => scored(JULY + 40 * DAY, true, false)),
    ]);
    const dateRange = JSON.stringify({ $gte: JULY, $lte: JULY + 30 * DAY });
    // 6 of 8 agree: accuracy 0.75. Both say true 5 and false 3 times, so chance agrees in 25/64 + 9/64 = 34/64.
    // kappa = (0.75 - 0.53125) / (1 - 0.53125) = 7/15.
    const expected = {
      metric: { id: metric, name: judge },
      with: { id: human, name: people },
      n: 8,
      accuracy: 0.75,
      kappa: expect.closeTo(7 / 15, 12) as number,
      labels: ['false', 'true'],
      confusion_matrix: [
        [2, 1],
        [1, 4],
      ],
      complete: true,
    };
    for (const name of [human, people])
      expect((await agreement(metric, { with: name, dateRange })).json()).toEqual(expected);
    // With the other two events 6 of 10 agree. People say true 7 times, the metric 5 times: chance is 0.35 + 0.15 = 0.5.
    expect((await agreement(metric, { with: human })).json()).toMatchObject({
      n: 10,
      accuracy: 0.6,
      kappa: expect.closeTo(0.2, 12) as number,
      confusion_matrix: [
        [2, 1],
        [3, 4],
      ],
    });
  });

  it('compares numbers by the distance on request, in the order of categories, and names a wrong metric', async () => {
    const [people, judge] = [`tone ${randomUUID()}`, `tone judge ${randomUUID()}`];
    const categories = ['bad', 'fair', 'good'].map((category) => ({ category, score: null }));
    const human = await createMetric({ name: people, type: 'HUMAN', return_type: 'categorical', categories });
    const metric = await createMetric({ name: judge, type: 'PYTHON', enabled_in_prod: false });
    const pairs = [
      ['bad', 'bad'],
      ['bad', 'good'],
      ['good', 'good'],
      ['good', 'good'],
    ];
    await createEvents(pairs.map(([a, b]) => ({ metrics: { [people]: a, [judge]: b } })));
    // Rows bad 2, good 2; columns bad 1, good 3. Observed disagreement 1 * 2 / 4, by chance (2 * 3 + 2 * 1) * 2 / 16.
    expect((await agreement(metric, { with: human, weights: 'linear' })).json()).toMatchObject({
      n: 4,
      accuracy: 0.75,
      kappa: 0.5,
      labels: ['bad', 'fair', 'good'],
      confusion_matrix: [
        [1, 0, 1],
        [0, 0, 0],
        [0, 0, 2],
      ],
    });
    for (const name of [metric, judge, 'absent']) {
      const response = await agreement(metric, { with: name });
      expect([response.status, response.json<{ message: string }>().message]).toEqual([
        400,
        'with must be the id or the name of a metric of type HUMAN',
      ]);
    }
    expect((await agreement('000000000000000000000000', { with: human })).status).toBe(404);
    expect((await agreement(metric, { with: human, dateRange: '2 moons' })).status).toBe(400);
  });

  it('measures the agreement of annotators on the completed events of a queue', async () => {
    const [tone, other] = [`tone ${randomUUID()}`, `other ${randomUUID()}`];
    const categories = ['kind', 'rude'].map((category) => ({ category, score: null }));
    await createMetric({ name: tone, type: 'HUMAN', return_type: 'categorical', categories });
    await createMetric({ name: other, type: 'HUMAN', return_type: 'boolean' });
    const ids = await createEvents(Array.from({ length: 5 }, () => ({})));
    const created = await client.post('/v1/queues', { name: 'queue', event_ids: ids });
    const queue = created.json<{ queue: { id: string } }>().queue.id;
    const values: Readonly<Record<string, string>>[] = [
      { anna: 'kind', bert: 'kind', carl: 'kind' },
      { anna: 'kind', bert: 'rude', carl: 'rude' },
      { anna: 'rude', bert: 'rude' },
      { anna: 'kind', bert: 'rude' },
    ];
    for (const [index, scores] of values.entries())
      for (const [annotator, value] of Object.entries(scores)) {
        const body = { status: 'done', annotator, metrics: { [tone]: value } };
        await client.call('PUT', `/v1/queues/${queue}/events/${ids[index]}`, { body });
      }
    const path = `/v1/queues/${queue}/events/${ids[0]}`;
    await client.call('PUT', path, { body: { done: true, annotator: 'anna', metrics: { [other]: true } } });
    const statistics = (await client.call('GET', `/v1/queues/${queue}/statistics`, WAIT)).json();
    const pair = (annotators: string[], n: number, accuracy: number, kappa: number) => ({
      annotators,
      n,
      accuracy,
      kappa: expect.closeTo(kappa, 12) as number,
    });
    expect(statistics).toEqual({
      counts: { pending: 1, not_arrived: 0, leased: 0, done: 4, skipped: 0 },
      complete: true,
      metrics: [
        {
          metric: other,
          annotators: [{ annotator: 'anna', events: 1 }],
          events: 0,
          fleiss_kappa: null,
          pairs: [],
        },
        {
          metric: tone,
          annotators: [
            { annotator: 'anna', events: 4 },
            { annotator: 'bert', events: 4 },
            { annotator: 'carl', events: 2 },
          ],
          events: 4,
          // Equal pairs 1, 1/3, 1 and 0 of the events: 7/12 on average. 5 of 10 values are kind: chance is 0.5.
          fleiss_kappa: expect.closeTo((7 / 12 - 0.5) / 0.5, 12) as number,
          pairs: [
            // Anna says kind 3 times of 4, Bert once: chance is 3/16 + 3/16, kappa (0.5 - 0.375) / 0.625.
            pair(['anna', 'bert'], 4, 0.5, 0.2),
            // Anna always says kind: chance is 0.5, as is their agreement.
            pair(['anna', 'carl'], 2, 0.5, 0),
            pair(['bert', 'carl'], 2, 1, 1),
          ],
        },
      ],
    });
    expect((await client.call('GET', '/v1/queues/000000000000000000000000/statistics')).status).toBe(404);
  });
}
