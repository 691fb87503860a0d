import { randomUUID } from 'node:crypto';
import { waitFor } from '@assay/testing';
import type { Client } from '../harness/stack/client.js';
import type { Stack } from '../harness/stack/stack.js';

interface Evaluation {
  readonly metric_id: string;
  readonly decision: string;
  readonly reason: string;
}

/** Generous: a consumer group keeps the partitions of a killed member for a while. */
const PATIENT = { withinMs: 180_000, pollIntervalMs: 100 } as const;
const TEST_WITHIN_MS = 600_000;
const UNMATCHED = 'the session did not match the filters when it had been quiet';
const READ = { headers: { prefer: 'wait=30' } };

/**
 * The journey of metrics that decide about sessions by their events.
 * @param evaluator name of the process that evaluates
 */
export function quietSessionJourney(
  { stack, client }: { readonly stack: Stack; readonly client: Client },
  evaluator: string,
): void {
  const filtersOf = (tag: string, field: string, value: number) => [
    { field: 'event_type', operator: 'is', value: 'session', type: 'string' },
    { field: 'metadata.tag', operator: 'is', value: tag, type: 'string' },
    { field, operator: 'greater than or equal', value, type: 'number' },
  ];

  async function createMetric(tag: string, field: string, value: number): Promise<string> {
    const filters = { filterArray: filtersOf(tag, field, value) };
    const response = await client.post('/v1/metrics', {
      ...{ name: `${field} ${tag}`, type: 'PYTHON', criteria: 'result = 1', filters },
      ...{ enabled_in_prod: true, sampling_percentage: 100 },
    });
    expect([response.status, response.text]).toEqual([200, expect.any(String)]);
    expect(response.json()).not.toHaveProperty('warnings');
    return response.json<{ metric_id: string }>().metric_id;
  }

  async function createSession(tag: string, errors: readonly (string | null)[]): Promise<string> {
    const session_id = randomUUID();
    const session = { session_id, session_name: 'chat', metadata: { tag } };
    expect((await client.post('/v1/sessions', session)).status).toBe(200);
    await addEvents(session_id, errors);
    return session_id;
  }

  async function addEvents(session_id: string, errors: readonly (string | null)[]): Promise<void> {
    const events = errors.map((error) => ({
      ...{ event_type: 'model', event_name: 'step', session_id, error },
      ...{ inputs: {}, outputs: {} },
    }));
    expect((await client.post('/v1/events/batch', { events })).status).toBe(200);
  }

  async function decisionOf(session: string, metric: string): Promise<Evaluation | undefined> {
    const response = await client.call('GET', `/v1/events/${session}/evaluations`, READ);
    if (response.status !== 200) return undefined;
    const { evaluations } = response.json<{ evaluations: Evaluation[] }>();
    return evaluations.find(({ metric_id }) => metric_id === metric);
  }

  /** Waits for a decision that was made when the session was quiet: others follow from the present state. */
  const becomes = (decision: 'scored' | 'not_matching', session: string, metric: string) =>
    waitFor(
      `the decision ${decision}`,
      async () => {
        const found = await decisionOf(session, metric);
        return found?.decision === decision && (decision === 'scored' || found.reason.startsWith(UNMATCHED));
      },
      PATIENT,
    );

  async function matchesDraft(session: string, filterArray: readonly object[]): Promise<unknown> {
    const metric = { name: 'draft', type: 'PYTHON', criteria: 'result = 1', filters: { filterArray } };
    const tried = await client.post('/v1/metrics/try', { metric, event_ids: [session] }, READ);
    return tried.json<{ events: { matches: boolean }[]; matched: { events: number } }>();
  }

  it(
    'decides about a session by its events when it has been quiet, and again when it has changed',
    async () => {
      const tag = randomUUID();
      const many = await createMetric(tag, 'metadata.num_events', 3);
      const failed = await createMetric(tag, 'metadata.num_errors', 1);
      const session = await createSession(tag, [null, null]);
      await becomes('not_matching', session, many);
      await becomes('not_matching', session, failed);
      const filters = filtersOf(tag, 'metadata.num_events', 3);
      expect(await matchesDraft(session, filters)).toMatchObject({
        ...{ events: [{ matches: false }], matched: { events: 0 } },
      });
      await addEvents(session, [null]);
      await becomes('scored', session, many);
      await becomes('not_matching', session, failed);
      expect((await client.search({ filters, limit: 1 })).count).toBe(1);
      expect(await matchesDraft(session, filters)).toMatchObject({
        ...{ events: [{ matches: true }], matched: { events: 1 } },
      });
      const read = await client.call('GET', `/v1/events/${session}`, READ);
      expect(read.json<{ event: { metrics: object } }>().event.metrics).toEqual({
        [`metadata.num_events ${tag}`]: 1,
      });
    },
    TEST_WITHIN_MS,
  );

  it(
    'decides after a start about sessions that became quiet while the process was down',
    async () => {
      const tag = randomUUID();
      const failed = await createMetric(tag, 'metadata.num_errors', 1);
      const waiting = await createSession(tag, ['boom', null]);
      const isKnown = async () => /pending|scored/.test((await decisionOf(waiting, failed))?.decision ?? '');
      await waitFor('the session is known', isKnown, PATIENT);
      const unread = await createSession(tag, ['boom', null]);
      await stack.kill(evaluator);
      await stack.start(evaluator);
      for (const session of [waiting, unread]) await becomes('scored', session, failed);
      const counts = await client.call('GET', `/v1/metrics/${failed}/decisions`, READ);
      expect(counts.json()).toMatchObject({ decisions: [{ decision: 'scored', events: 2 }], total: 2 });
    },
    TEST_WITHIN_MS,
  );

  it(
    'decides in a job about stored sessions',
    async () => {
      const tag = randomUUID();
      const session = await createSession(tag, [null, null, null]);
      const many = await createMetric(tag, 'metadata.num_events', 3);
      const job = await waitFor(
        'a job',
        async () => {
          const started = await client.post(`/v1/metrics/${many}/evaluate`, { dateRange: '1d' });
          return started.status === 200 && started.json<{ job: { id: string } }>().job.id;
        },
        PATIENT,
      );
      const isEnded = async () => {
        const read = await client.call('GET', `/v1/jobs/${job}`);
        const ended = read.json<{ job: { state: string; counts: object } }>().job;
        return ended.state !== 'running' && ended;
      };
      expect(await waitFor('the job has ended', isEnded, PATIENT)).toMatchObject({ state: 'completed' });
      await becomes('scored', session, many);
    },
    TEST_WITHIN_MS,
  );
}
