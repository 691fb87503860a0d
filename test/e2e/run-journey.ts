import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { onStack } from '../harness/stack/on-stack.js';
import type { Stack } from '../harness/stack/stack.js';

const run = promisify(execFile);
const DATAPOINTS = 12;

interface RunResultBody {
  readonly passed: string[];
  readonly datapoints: unknown[];
  readonly metrics: { readonly details: { readonly metric_name: string; readonly values: number[] }[] };
}

/** The journey of an experiment: sessions and scores are sent, and the result is read right after the last write. */
export function runJourney(startStack: () => Promise<Stack>): ReturnType<typeof onStack> {
  const started = onStack(startStack);
  const { stack, client } = started;

  /** Sends a run as clients do: sessions, scores by update, then the sessions of the run. */
  async function sendRun(score: (index: number) => number): Promise<string> {
    const run_id = randomUUID();
    await client.post('/v1/runs', { run_id, name: 'prompt v2', status: 'running' });
    const sessions = Array.from({ length: DATAPOINTS }, () => randomUUID());
    await Promise.all(
      sessions.map(async (session_id, index) => {
        const metadata = { run_id, datapoint_id: `d${index}` };
        await client.post('/v1/sessions', { session_id, session_name: 'run', metadata });
        const event_id = randomUUID();
        const event = {
          event_id,
          session_id,
          event_type: 'chain',
          event_name: 'answer',
          inputs: {},
          metadata,
        };
        await client.post('/v1/events', event);
        await client.call('PUT', `/v1/events/${event_id}`, { body: { metrics: { score: score(index) } } });
      }),
    );
    await client.call('PUT', `/v1/runs/${run_id}`, { body: { status: 'completed', event_ids: sessions } });
    return run_id;
  }

  it('includes everything that was accepted before the request, however soon it comes', async () => {
    for (let round = 0; round < 3; round++) {
      const id = await sendRun((index) => index / 100);
      const response = await client.call('GET', `/v1/runs/${id}/result`);
      expect([response.status, response.headers.get('assay-freshness')]).toEqual([200, 'current']);
      const { datapoints, metrics, passed } = response.json<RunResultBody>();
      expect([datapoints.length, passed.length]).toEqual([DATAPOINTS, DATAPOINTS]);
      expect(metrics.details.map((one) => one.metric_name)).toEqual(['score']);
      expect(
        metrics.details[0]?.values.map((value) => Math.round(value * 100)).sort((a, b) => a - b),
      ).toEqual(Array.from({ length: DATAPOINTS }, (_, index) => index));
    }
  });

  it('lists the fields of a run that only lists its sessions', async () => {
    const [run_id, session_id, field] = [randomUUID(), randomUUID(), `field-${randomUUID()}`];
    await client.post('/v1/sessions', { session_id, session_name: 'listed' });
    const event = { session_id, event_type: 'chain', event_name: 'answer', inputs: { [field]: 1 } };
    await client.post('/v1/events', event);
    await client.post('/v1/runs', { run_id, name: 'listing', status: 'completed', event_ids: [session_id] });
    const ofRun = [`/v1/runs/${run_id}/schema`, `/v1/events/schema?evaluation_id=${run_id}`];
    for (const path of ['/v1/runs/schema', ...ofRun]) {
      const response = await client.call('GET', path, { headers: { prefer: 'wait=30' } });
      const { fields } = response.json<{ fields: object[] }>();
      expect(fields).toContainEqual({ name: `inputs.${field}`, event_type: 'chain' });
    }
  });

  it('compares two runs', async () => {
    const [old, now] = [await sendRun((index) => index / 100), await sendRun((index) => index / 100 + 0.5)];
    const { metrics } = (await client.call('GET', `/v1/runs/${now}/compare/${old}`)).json<{
      metrics: object[];
    }>();
    expect(metrics).toMatchObject([
      { metric_name: 'score', improved_count: DATAPOINTS, statistics: { verdict: 'better' } },
    ]);
  });

  it('lets a pipeline use the exit status of one line', async () => {
    const [good, bad] = [await sendRun((index) => 0.5 + index / 100), await sendRun((index) => index / 100)];
    const exitStatus = async (now: string, against: string) => {
      const line =
        `curl -sS -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '{"against":"'$OLD'"}' ` +
        `"$URL/v1/runs/$NEW/gate" | grep -q '"outcome":"pass"'`;
      const env = { ...process.env, KEY: stack.apiKey, URL: stack.baseUrl, NEW: now, OLD: against };
      return run('sh', ['-c', line], { env }).then(
        () => 0,
        (error: { code?: number }) => error.code,
      );
    };
    expect(await exitStatus(good, bad)).toBe(0);
    expect(await exitStatus(bad, good)).toBe(1);
  });
  return started;
}
