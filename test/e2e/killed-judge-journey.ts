import { randomUUID } from 'node:crypto';
import { waitFor } from '@assay/testing';
import type { Client } from '../harness/stack/client.js';
import type { Stack } from '../harness/stack/stack.js';
import { HELD, type onFakeModel } from './judge-journey.js';

/** More than the calls of one provider that run for a project at a time. */
const EVENTS = 20;
const CALLS_AT_A_TIME = 16;
/** The first request and two retries. */
const MAX_REQUESTS = 3;
/** Generous: a consumer group keeps the partitions of a killed member for a while. */
const PATIENT = { withinMs: 180_000, pollIntervalMs: 100 } as const;
const TEST_WITHIN_MS = 600_000;

interface Judged {
  readonly event_id: string;
  readonly metrics: { readonly judged: number };
}

interface Evaluation {
  readonly metric_name: string;
  readonly attempts: number;
}

/** What the model does when the process is killed. */
type Moment = 'without a response' | 'with responses on the way';

/**
 * The journey of scores by a model whose process is killed while the model is asked.
 * @param evaluator name of the process that evaluates
 * @param moments of the kills, in their order
 */
export function killedJudgeJourney(
  { stack, client }: { readonly stack: Stack; readonly client: Client },
  model: ReturnType<typeof onFakeModel>,
  evaluator: string,
  moments: readonly Moment[],
): void {
  const name = `killed while a model is asked ${randomUUID()}`;
  const { held } = model;
  const callsBecome = (calls: number) =>
    waitFor(`${calls} calls of the model`, () => Promise.resolve(held.open === calls), PATIENT);

  async function createMetric(): Promise<string> {
    const filterArray = [
      { field: 'event_name', operator: 'is', value: name, type: 'string' },
      { field: 'event_type', operator: 'is not', value: 'session', type: 'string' },
    ];
    const response = await client.post('/v1/metrics', {
      ...{ name: 'judged', type: 'LLM', enabled_in_prod: true, sampling_percentage: 100 },
      ...{ model_provider: 'openai', model_name: 'gpt-4o', filters: { filterArray } },
      criteria: `${HELD} {{ event_id }}`,
    });
    expect(response.status).toBe(200);
    return response.json<{ metric_id: string }>().metric_id;
  }

  /** The scores by id of the event. */
  async function scores(): Promise<ReadonlyMap<string, number>> {
    const filters = [
      { field: 'event_name', operator: 'is', value: name, type: 'string' },
      { field: 'metrics.judged', operator: 'exists' },
    ];
    const { events } = await client.search({ filters, limit: 1_000 });
    return new Map((events as unknown as Judged[]).map((event) => [event.event_id, event.metrics.judged]));
  }

  async function evaluationsOf(id: string): Promise<Evaluation[]> {
    const response = await client.call('GET', `/v1/events/${id}/evaluations`);
    const { evaluations } = response.json<{ evaluations: Evaluation[] }>();
    return evaluations.filter(({ metric_name }) => metric_name === 'judged');
  }

  it(
    'scores every event once, by three requests at most, although the process is killed while the model is asked',
    async () => {
      held.hold();
      const metric = await createMetric();
      const event = { event_type: 'model', event_name: name, inputs: {}, outputs: {} };
      const body = { events: Array.from({ length: EVENTS }, () => event) };
      const sent = await client.post('/v1/events/batch', body);
      const { event_ids: ids } = sent.json<{ event_ids: string[] }>();
      for (const moment of moments) {
        await callsBecome(CALLS_AT_A_TIME);
        if (moment === 'with responses on the way') held.release();
        await stack.kill(evaluator);
        await callsBecome(0);
        await stack.start(evaluator);
      }
      const first = new Map<string, number>();
      const isComplete = async () => {
        for (const [id, score] of await scores()) if (!first.has(id)) first.set(id, score);
        return first.size === EVENTS;
      };
      await waitFor('all scores', isComplete, PATIENT);
      const counts = await client.call('GET', `/v1/metrics/${metric}/decisions`, {
        headers: { prefer: 'wait=30' },
      });
      expect(counts.json()).toMatchObject({
        decisions: [{ decision: 'scored', events: EVENTS }],
        total: EVENTS,
      });
      expect(await scores()).toEqual(first);
      const found = await Promise.all(ids.map((id) => evaluationsOf(id)));
      for (const [index, id] of ids.entries()) {
        expect(held.ratingsOf(id)).toContain(first.get(id));
        expect(found[index]).toMatchObject([{ decision: 'scored', value: first.get(id) }]);
        // Each request is recorded before it is sent.
        const attempts = found[index]?.[0]?.attempts ?? 0;
        expect(attempts).toBeGreaterThanOrEqual(model.requestsWith(id).length);
        expect(attempts).toBeLessThanOrEqual(MAX_REQUESTS);
      }
    },
    TEST_WITHIN_MS,
  );
}
