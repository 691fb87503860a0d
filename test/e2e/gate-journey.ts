import { randomUUID } from 'node:crypto';
import { runCommand } from '../harness/processes/run-command.js';
import type { onStack } from '../harness/stack/on-stack.js';

const DATAPOINTS = 12;
const TEST_WITHIN_MS = 300_000;

interface Gate {
  readonly outcome: string;
  readonly freshness: string;
  readonly reasons: readonly { readonly metric_name?: string; readonly reason: string }[];
}

/**
 * The journey of a gate on scores that the product computes.
 * @param evaluator name of the process that evaluates; absent in a single process, which cannot lose it
 */
export function gateJourney({ stack, client }: ReturnType<typeof onStack>, evaluator?: string): void {
  async function createMetric(event_name: string, criteria: string): Promise<string> {
    const filterArray = [
      { field: 'event_name', operator: 'is', value: event_name, type: 'string' },
      { field: 'event_type', operator: 'is', value: 'chain', type: 'string' },
    ];
    const fields = { type: 'PYTHON', enabled_in_prod: true, filters: { filterArray } };
    const response = await client.post('/v1/metrics', { ...fields, name: `m ${event_name}`, criteria });
    expect(response.status).toBe(200);
    return response.json<{ metric_id: string }>().metric_id;
  }

  async function sendRun(event_name: string, outputs: (index: number) => object): Promise<string> {
    const run_id = randomUUID();
    const events = Array.from({ length: DATAPOINTS }, (_, index) => ({
      ...{ event_type: 'chain', event_name, inputs: {}, outputs: outputs(index), session_id: randomUUID() },
      metadata: { run_id, datapoint_id: `d${index}` },
    }));
    const sent = await client.post('/v1/events/batch', { events, single_session: false });
    expect(sent.status).toBe(200);
    await client.post('/v1/runs', { run_id, name: event_name, status: 'completed' });
    return run_id;
  }

  const gate = async (now: string, against: string, ...args: string[]) => {
    const environment = { ASSAY_URL: stack.baseUrl, ASSAY_API_KEY: stack.apiKey };
    const { code, stdout } = await runCommand(
      ['gate', now, '--against', against, '--json', ...args],
      environment,
    );
    return { code, gate: JSON.parse(stdout) as Gate };
  };

  it(
    'waits for the scores of evaluators, asked right after the last write',
    async () => {
      const name = `gated ${randomUUID()}`;
      await createMetric(name, 'result = outputs["score"]');
      const old = await sendRun(name, (index) => ({ score: 0.2 + index / 100 }));
      const now = await sendRun(name, (index) => ({ score: 0.6 + index / 100 }));
      expect(await gate(now, old, '--wait', '120')).toMatchObject({
        code: 0,
        gate: { outcome: 'pass', freshness: 'current', reasons: [{ metric_name: `m ${name}`, paired: 12 }] },
      });
      expect(await gate(old, now, '--wait', '120')).toMatchObject({ code: 1, gate: { outcome: 'fail' } });
    },
    TEST_WITHIN_MS,
  );

  it(
    'fails when the evaluator raised on some datapoints',
    async () => {
      const name = `raising ${randomUUID()}`;
      await createMetric(name, 'result = outputs["score"]');
      const old = await sendRun(name, () => ({ score: 0.2 }));
      const now = await sendRun(name, (index) => (index < 3 ? {} : { score: 0.6 }));
      expect(await gate(now, old, '--wait', '120')).toMatchObject({
        code: 1,
        gate: { outcome: 'fail', reasons: [{ metric_name: `m ${name}`, errors: 3, paired: 9 }] },
      });
      const headers = { prefer: 'wait=30' };
      const result = await client.call('GET', `/v1/runs/${now}/result`, { headers });
      expect(result.headers.get('assay-freshness')).toBe('current');
      expect(result.json<object>()).toMatchObject({
        success: false,
        evaluations: { [`m ${name}`]: { scored: 9, failed: 3, pending: 0 } },
        error: '3 evaluations failed',
      });
    },
    TEST_WITHIN_MS,
  );

  it(
    'is undecided when the evaluations take longer than it waits, and passes when it is asked again',
    async () => {
      const name = `slow ${randomUUID()}`;
      await createMetric(name, 'import time\ntime.sleep(2)\nresult = outputs["score"]');
      const now = await sendRun(name, () => ({ score: 0.6 }));
      expect(await gate(now, now, '--wait', '1')).toMatchObject({
        code: 2,
        // On a busy machine the events themselves take longer.
        gate: {
          outcome: 'undecided',
          freshness: expect.stringMatching(/^(pending-evaluations|behind;)/) as string,
        },
      });
      expect(await gate(now, now, '--wait', '200')).toMatchObject({
        code: 0,
        gate: { outcome: 'pass', freshness: 'current' },
      });
    },
    TEST_WITHIN_MS,
  );

  it(
    'decides the same for all that ask at the same time',
    async () => {
      const name = `asked together ${randomUUID()}`;
      await createMetric(name, 'result = outputs["score"]');
      const old = await sendRun(name, (index) => ({ score: 0.2 + index / 100 }));
      const now = await sendRun(name, (index) => ({ score: 0.6 + index / 100 }));
      const asked = await Promise.all([
        gate(now, old, '--wait', '120'),
        gate(now, old, '--wait', '120'),
        gate(old, now, '--wait', '120'),
      ]);
      expect(asked.map(({ code }) => code)).toEqual([0, 0, 1]);
      expect(asked[1]).toEqual(asked[0]);
    },
    TEST_WITHIN_MS,
  );

  it(
    'is undecided about a metric that was renamed between the runs, and names it',
    async () => {
      const name = `renamed ${randomUUID()}`;
      const id = await createMetric(name, 'result = outputs["score"]');
      const old = await sendRun(name, (index) => ({ score: 0.2 + index / 100 }));
      expect((await gate(old, old, '--wait', '120')).code).toBe(0);
      const body = { name: `new ${name}` };
      expect((await client.call('PUT', `/v1/metrics/${id}`, { body })).status).toBe(200);
      const now = await sendRun(name, (index) => ({ score: 0.6 + index / 100 }));
      expect(await gate(now, old, '--wait', '120')).toMatchObject({
        code: 2,
        gate: {
          outcome: 'undecided',
          reasons: [
            {
              metric_name: `m ${name}`,
              reason: expect.stringContaining('has no scores of the metric') as string,
            },
          ],
        },
      });
    },
    TEST_WITHIN_MS,
  );

  if (evaluator === undefined) return;
  it(
    'never passes while the evaluator is dead, and passes once it has caught up',
    async () => {
      const name = `dead ${randomUUID()}`;
      await createMetric(name, 'result = outputs["score"]');
      const old = await sendRun(name, (index) => ({ score: 0.2 + index / 100 }));
      expect((await gate(old, old, '--wait', '120')).code).toBe(0);
      await stack.kill(evaluator);
      const now = await sendRun(name, (index) => ({ score: 0.6 + index / 100 }));
      for (const args of [[], ['--wait', '3']])
        expect(await gate(now, old, ...args)).toMatchObject({
          code: 2,
          gate: { outcome: 'undecided', freshness: 'pending-evaluations' },
        });
      await stack.start(evaluator);
      expect(await gate(now, old, '--wait', '200')).toMatchObject({
        code: 0,
        gate: { outcome: 'pass', freshness: 'current' },
      });
    },
    TEST_WITHIN_MS,
  );
}
