import { randomUUID } from 'node:crypto';
import { onStack } from '../harness/stack/on-stack.js';
import type { Stack } from '../harness/stack/stack.js';

const DATAPOINTS = 12;

interface Result {
  readonly passed: string[];
  readonly failed: string[];
  readonly datapoints: { readonly datapoint_id: string }[];
  readonly metrics: { readonly details: { readonly values: number[]; readonly aggregate: number }[] };
}

interface Comparison {
  readonly commonDatapoints: string[];
  readonly metrics: {
    readonly found_count: number;
    readonly old_values: number[];
    readonly new_values: number[];
  }[];
}

/** Runs as a program evaluates them in one session, and runs whose scores are no numbers. */
export function oneSessionRunJourney(startStack: () => Promise<Stack>): void {
  const { client } = onStack(startStack);
  const now = { prefer: 'wait=30' };
  const ids = Array.from({ length: DATAPOINTS }, (_, index) => `d${String(index).padStart(2, '0')}`);

  /** Sends a run of one session, of which each child event evaluates one datapoint. */
  async function sendRun(score: (index: number) => unknown): Promise<string> {
    const [run_id, session_id] = [randomUUID(), randomUUID()];
    await client.post('/v1/runs', { run_id, name: 'in one session', status: 'completed' });
    await client.post('/v1/sessions', { session_id, session_name: 'run', metadata: { run_id } });
    const events = ids.map((datapoint_id, index) => ({
      ...{ session_id, event_type: 'chain', event_name: 'answer', inputs: {} },
      ...{ metadata: { run_id, datapoint_id }, metrics: { score: score(index) } },
    }));
    await client.post('/v1/events/batch', { events });
    return run_id;
  }

  const read = async <Body>(path: string) => (await client.call('GET', path, { headers: now })).json<Body>();
  const gate = async (run: string, old: string) =>
    (await client.call('POST', `/v1/runs/${run}/gate`, { body: { against: old }, headers: now })).json<{
      outcome: string;
      reasons: object[];
    }>();

  it('counts 12 datapoints of one session as 12 in the result, the summary and the comparison', async () => {
    const [old, run] = [await sendRun((index) => index / 20), await sendRun((index) => (index + 1) / 20)];
    const result = await read<Result>(`/v1/runs/${run}/result`);
    expect([...result.passed].sort()).toEqual(ids);
    expect(result.failed).toEqual([]);
    expect(result.datapoints.map(({ datapoint_id }) => datapoint_id).sort()).toEqual(ids);
    expect(result.metrics.details).toMatchObject([{ aggregate: 0.325 }]);
    expect(result.metrics.details[0]?.values).toHaveLength(DATAPOINTS);
    const { summaries } = (
      await client.call('POST', '/v1/runs/summaries', { body: { run_ids: [run] }, headers: now })
    ).json<{ summaries: object[] }>();
    expect(summaries).toMatchObject([{ datapoints: DATAPOINTS, passed: DATAPOINTS, failed: 0, sessions: 1 }]);
    const comparison = await read<Comparison>(`/v1/runs/${run}/compare-with/${old}`);
    expect([...comparison.commonDatapoints].sort()).toEqual(ids);
    expect(comparison.metrics).toMatchObject([{ found_count: DATAPOINTS }]);
    expect([...(comparison.metrics[0]?.new_values ?? [])].sort((a, b) => a - b)).toEqual(
      ids.map((_, index) => (index + 1) / 20),
    );
  });

  it('gives two concurrent gates the same outcome', async () => {
    const [old, run] = [await sendRun(() => 0.5), await sendRun(() => 0.6)];
    const outcomes = await Promise.all([gate(run, old), gate(run, old), gate(run, run)]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['pass', 'pass', 'pass']);
    expect(outcomes[0]).toEqual(outcomes[1]);
  });

  it('takes texts such as NaN for no scores, so that the gate does not pass', async () => {
    const texts = ['NaN', 'Infinity', '', 'null', '0x1', '١'];
    const [old, run] = [await sendRun(() => 0.5), await sendRun((index) => texts[index % texts.length])];
    expect((await gate(run, old)).outcome).toBe('undecided');
    const mixed = await sendRun((index) => (index === 0 ? 'NaN' : 0.9));
    expect(await gate(mixed, old)).toMatchObject({
      outcome: 'undecided',
      reasons: [{ missing: 1, paired: 11 }],
    });
    const result = await read<Result>(`/v1/runs/${mixed}/result`);
    expect(result.metrics.details).toMatchObject([{ aggregate: 0.9 }]);
  });
}
