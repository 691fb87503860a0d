import { randomUUID } from 'node:crypto';
import { Client, type ApiResponse } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import type { Stack } from '../harness/stack/stack.js';

const SESSIONS = 6;
/** Clients that write other events meanwhile. */
const WRITERS = 2;
const OTHERS_PER_BATCH = 10;
/** Settings of the processes: reads wait by default, and on a busy machine longer than the two seconds of an installation. */
export const COMPLETE_NUMBERS_SETTINGS = { READ_AFTER_WRITE_TIMEOUT_MS: '30000' };
const RETRIES = 20;

interface Details {
  readonly metrics: { readonly details: readonly { readonly values: readonly number[] }[] };
}

/**
 * Numbers are asked for in the moment in which the last write is answered, while other clients write. With `services`,
 * each of them is asked; absent: the address of the stack, which takes the writes.
 */
export function completeNumbersJourney(startStack: () => Promise<Stack>, services?: readonly string[]): void {
  const { stack, client } = onStack(startStack);
  /** Runs a test while other clients write. */
  async function underLoad(test: () => Promise<void>): Promise<void> {
    let isOver = false;
    const other = { event_type: 'tool', event_name: 'other', inputs: { text: 'x'.repeat(500) } };
    const write = async () => {
      while (!isOver) await client.post('/v1/events/batch', { events: Array(OTHERS_PER_BATCH).fill(other) });
    };
    const writing = Promise.all(Array.from({ length: WRITERS }, write));
    await test().finally(() => (isOver = true));
    await writing;
  }

  /** Sends a run; the last write is the score of the last session, so that nothing follows it. */
  async function sendRun(event_name: string, scores: readonly number[]): Promise<string> {
    const run_id = randomUUID();
    await accepted(() => client.post('/v1/runs', { run_id, name: event_name, status: 'completed' }));
    const events = scores.map((_, index) => {
      const metadata = { run_id, datapoint_id: `d${index}` };
      return { event_id: randomUUID(), event_type: 'chain', event_name, inputs: {}, metadata };
    });
    await accepted(() => client.post('/v1/events/batch', { events, single_session: false }));
    const score = (index: number) =>
      accepted(() =>
        client.call('PUT', `/v1/events/${events[index]?.event_id}`, {
          body: { metrics: { score: scores[index] } },
        }),
      );
    for (let index = 0; index < scores.length; index++) await score(index);
    return run_id;
  }

  const rounds = (services ?? ['']).map((_, round) => round);
  const scoresOf = (round: number, offset: number) =>
    Array.from({ length: SESSIONS }, (_, index) => (round + 1) / 8 + index / 64 + offset);
  const ask = async <Body>(round: number, path: string, body?: object): Promise<Body> => {
    const service = services?.[round];
    const baseUrl = service === undefined ? stack.baseUrl : stack.urlOf(service);
    const reader = new Client({ baseUrl, apiKey: stack.apiKey });
    const response = await readable(() =>
      body === undefined ? reader.call('GET', path) : reader.call('POST', path, { body }),
    );
    expect([response.status, response.headers.get('assay-freshness')]).toEqual([200, 'current']);
    return response.json<Body>();
  };
  const sorted = (values: readonly number[] = []) => [...values].sort((a, b) => a - b);

  it.each(rounds)('a result and a summary have every score (round %d)', (round) =>
    underLoad(async () => {
      for (const kind of ['result', 'summary']) {
        const scores = scoresOf(round, 0);
        const { metrics } = await ask<Details>(round, `/v1/runs/${await sendRun('answer', scores)}/${kind}`);
        expect(sorted(metrics.details[0]?.values)).toEqual(scores);
      }
    }),
  );

  it.each(rounds)('a comparison has every score of both runs (round %d)', (round) =>
    underLoad(async () => {
      const old = await sendRun('answer', scoresOf(round, 0));
      const now = await sendRun('answer', scoresOf(round, 1));
      const { metrics } = await ask<{ metrics: object[] }>(round, `/v1/runs/${now}/compare/${old}`);
      expect(metrics).toMatchObject([
        { metric_name: 'score', found_count: SESSIONS, improved_count: SESSIONS },
      ]);
    }),
  );

  /** Requests about a run NEW with the scores, in comparison with a run OLD, and what they respond with. */
  const questions = (
    scores: readonly number[],
  ): [path: string, body: object | undefined, expected: object][] => {
    const mean = scores.reduce((sum, score) => sum + score, 0) / SESSIONS;
    const pairs = scores.map((score) => expect.objectContaining({ event_1: withScore(score) }) as object);
    return [
      ['NEW/metrics', undefined, { totalEvents: SESSIONS }],
      ['NEW/compare/OLD/events', undefined, { events: expect.arrayContaining(pairs) as object[] }],
      ['NEW/compare/OLD/datapoints', { metric: 'score' }, { counts: { better: SESSIONS, missing: 0 } }],
      [
        'summaries',
        { run_ids: ['NEW'] },
        { summaries: [{ metrics: { score: expect.closeTo(mean) as number } }] },
      ],
      [
        'NEW/gate',
        { against: 'OLD', min_pairs: SESSIONS },
        { outcome: 'pass', reasons: [{ pairs: SESSIONS }] },
      ],
    ];
  };

  it.each(rounds)('metrics, pairs, summaries for lists and gates have every score (round %d)', (round) =>
    underLoad(async () => {
      const old = await sendRun('answer', scoresOf(round, 0));
      const scores = scoresOf(round, 1);
      const now = await sendRun('answer', scores);
      const named = (text: string) => text.replaceAll('NEW', now).replaceAll('OLD', old);
      const responses = questions(scores).map(async ([path, body, expected]) => {
        const sent = body && (JSON.parse(named(JSON.stringify(body))) as object);
        const found = await ask<object>(round, `/v1/runs/${named(path)}`, sent);
        expect({ path, ...found }).toMatchObject({ path, ...expected });
      });
      await Promise.all(responses);
    }),
  );

  it.each(rounds)('a chart has every event and score (round %d)', (round) =>
    underLoad(async () => {
      const scores = scoresOf(round, 2);
      const run = await sendRun('charted', scores);
      const query = `metric=score&aggregation=sum&bucket=day&dateRange=1d&evaluation_id=${run}`;
      const chart = await ask<{ events: { value: number }[]; totalEvents: number }>(
        round,
        `/v1/events/chart?${query}`,
      );
      expect(chart.totalEvents).toBe(SESSIONS);
      const sum = chart.events.reduce((all, { value }) => all + value, 0);
      expect(sum).toBeCloseTo(scores.reduce((all, score) => all + score, 0));
    }),
  );
}

function withScore(score: number): object {
  return expect.objectContaining({ metrics: { score } }) as object;
}

/** Retries a request as clients do after 503: the control plane may be too slow on a busy machine. */
async function readable(request: () => Promise<ApiResponse>): Promise<ApiResponse> {
  for (let attempt = 1; ; attempt++) {
    const response = await request();
    if (response.status !== 503 || attempt === RETRIES) return response;
  }
}

/** Sends a write, again as clients do. 409: an attempt without a response has created the run. */
async function accepted(request: () => Promise<ApiResponse>): Promise<void> {
  const { status, text } = await readable(request);
  if (status !== 200 && status !== 409) throw new Error(`a write is refused with ${status}: ${text}`);
}
