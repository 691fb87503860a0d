import { randomUUID } from 'node:crypto';
import { waitFor } from '@assay/testing';
import type { Client } from '../harness/stack/client.js';
import type { Stack } from '../harness/stack/stack.js';
import { HELD, type onFakeModel } from './judge-journey.js';

interface Job {
  readonly id: string;
  readonly state: string;
  readonly counts: Readonly<Record<'events' | 'scored' | 'failed' | 'skipped', number>>;
}

interface Decisions {
  readonly decisions: readonly { readonly decision: string; readonly events: number }[];
  readonly total: number;
}

/** Events that a job has in work at a time. */
const PAGE = 200;
const EVENTS = PAGE + 10;
/** Calls of one provider that run for a project at a time. */
const CALLS_AT_A_TIME = 16;
const PATIENT = { withinMs: 180_000, pollIntervalMs: 100 } as const;
const TEST_WITHIN_MS = 600_000;

/**
 * The journey of a job that asks a model, is interrupted by a restart, and is stopped by a client.
 * @param processes those that a job needs
 */
export function stoppedJobJourney(
  { stack, client }: { readonly stack: Stack; readonly client: Client },
  model: ReturnType<typeof onFakeModel>,
  processes: readonly string[],
): void {
  const { held } = model;
  const callsBecome = (calls: number) =>
    waitFor(`${calls} calls of the model`, () => Promise.resolve(held.open === calls), PATIENT);
  const decisionsOf = async (metric: string) =>
    (
      await client.call('GET', `/v1/metrics/${metric}/decisions`, { headers: { prefer: 'wait=30' } })
    ).json<Decisions>();

  async function startJob(event_name: string): Promise<{ readonly job: Job; readonly metric: string }> {
    const filters = [
      { field: 'event_name', operator: 'is', value: event_name, type: 'string' },
      { field: 'event_type', operator: 'is not', value: 'session', type: 'string' },
    ];
    const created = await client.post('/v1/metrics', {
      ...{ name: 'stopped', type: 'LLM', model_provider: 'openai', model_name: 'gpt-4o' },
      ...{ criteria: `${HELD} ${event_name} {{ event_id }}`, filters: { filterArray: filters } },
    });
    const metric = created.json<{ metric_id: string }>().metric_id;
    // On a busy machine the control plane may need more time than the proxy gives it.
    const job = await waitFor(
      'a job',
      async () => {
        const started = await client.post(`/v1/metrics/${metric}/evaluate`, { dateRange: '1d' });
        return started.status === 200 && started.json<{ job: Job }>().job;
      },
      PATIENT,
    );
    return { job, metric };
  }

  it(
    'continues a job after a restart of all processes, and begins no further page once it is stopped',
    async () => {
      const event_name = `stopped ${randomUUID()}`;
      const event = { event_type: 'model', event_name, inputs: {}, outputs: {} };
      const events = Array.from({ length: EVENTS }, () => event);
      expect((await client.post('/v1/events/batch', { events })).status).toBe(200);
      await client.search({ limit: 1 });
      held.hold();
      const { job, metric } = await startJob(event_name);
      await callsBecome(CALLS_AT_A_TIME);
      for (const name of processes) expect(await stack.terminate(name)).toBe(0);
      await callsBecome(0);
      for (const name of processes) await stack.start(name);
      await callsBecome(CALLS_AT_A_TIME);

      const stopped = await client.call('DELETE', `/v1/jobs/${job.id}`);
      expect(stopped.json()).toMatchObject({ job: { state: 'stopped' } });
      held.release();
      const isComplete = async () => {
        const { decisions, total } = await decisionsOf(metric);
        return total === PAGE && decisions.every(({ decision }) => decision === 'scored');
      };
      await waitFor('the evaluations that were decided are complete', isComplete, PATIENT);
      // The next page has not begun, and each event of this one was asked about at most twice.
      const prompts = model.requestsWith(event_name).map(({ body }) => JSON.stringify(body.messages));
      expect(new Set(prompts).size).toBe(PAGE);
      expect(prompts.length).toBeLessThanOrEqual(PAGE + CALLS_AT_A_TIME);
      expect((await client.call('GET', `/v1/jobs/${job.id}`)).json()).toEqual(stopped.json());
      expect((await decisionsOf(metric)).total).toBe(PAGE);
    },
    TEST_WITHIN_MS,
  );
}
