import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runCommand } from '../harness/processes/run-command.js';
import { onStack } from '../harness/stack/on-stack.js';
import { repository } from '../harness/stack/repository.js';
import type { Stack } from '../harness/stack/stack.js';

const COMMAND = join(repository, 'services/cli/bin/assay.cjs');
const DATAPOINTS = 12;

interface RunResultBody {
  readonly passed: string[];
  readonly datapoints: unknown[];
  readonly metrics: { readonly details: { readonly metric_name: string; readonly values: number[] }[] };
}

/** The script of the step that runs the gate in the workflow of the documentation. */
function workflowScript(): string {
  const workflow = readFileSync(join(repository, 'docs/examples/gate-workflow.yml'), 'utf8');
  const [, script] = /run: \|\n((?: {10}.*\n)+)/.exec(workflow) ?? [];
  if (script === undefined) throw new Error('the workflow has no script');
  return script.replaceAll(/^ {10}/gm, '');
}

/** The journey of an experiment: sessions and scores are sent, and the result is read right after the last write. */
export function runJourney(startStack: () => Promise<Stack>): ReturnType<typeof onStack> {
  const started = onStack(startStack);
  const { stack, client } = started;

  /** Sends a run as clients do: sessions, scores by update, then the sessions of the run. */
  async function sendRun(
    score: (index: number) => number,
    withoutScore = 0,
    dataset_id?: string,
  ): Promise<string> {
    const run_id = randomUUID();
    await client.post('/v1/runs', { run_id, name: 'prompt v2', status: 'running', dataset_id });
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
        if (index < DATAPOINTS - withoutScore)
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

  /** Runs `assay gate`, as a pipeline does. */
  const gate = (...args: string[]) =>
    runCommand(['gate', ...args], { ASSAY_URL: stack.baseUrl, ASSAY_API_KEY: stack.apiKey });

  it('lets a pipeline use the exit code of a gate', async () => {
    const [good, bad] = [await sendRun((index) => 0.5 + index / 100), await sendRun((index) => index / 100)];
    const passed = await gate(good, '--against', bad, '--wait', '30');
    expect([passed.code, passed.stdout]).toEqual([0, expect.stringMatching(/^gate: pass\n/)]);
    expect(passed.stdout).toMatch(/\npass +score +answer +12 +0 +0 +-0\.5 +no regression is shown\n$/);
    const failed = await gate(bad, '--against', good, '--wait', '30', '--json');
    expect([failed.code, JSON.parse(failed.stdout)]).toMatchObject([1, { outcome: 'fail', pending: 0 }]);
    const lost = await sendRun((index) => 0.9 + index / 100, 3);
    expect((await gate(lost, '--against', bad)).code).toBe(2);
    expect((await gate(lost, '--against', bad, '--max-missing', '3', '--min-pairs', '9')).code).toBe(0);
    expect((await gate(good, '--against', bad, '--metric', 'other')).code).toBe(2);
    expect((await gate(randomUUID(), '--against', bad)).code).toBe(2);
    expect((await gate(good, '--against', bad, '--wait', 'long')).code).toBe(2);
    expect((await gate(good)).code).toBe(2);
  });

  it('warns when the dataset has changed between two runs, without another outcome', async () => {
    const datapoints = Array.from({ length: DATAPOINTS }, (_, index) => `d${index}`);
    const created = await client.post('/v1/datasets', { name: 'versions', datapoints });
    const dataset_id = created.json<{ result: { insertedId: string } }>().result.insertedId;
    const runOn = (score: number) => sendRun((index) => score + index / 100, 0, dataset_id);
    const [first, second] = [await runOn(0.1), await runOn(0.2)];
    await client.call('PUT', `/v1/datasets/${dataset_id}`, { body: { datapoints: datapoints.slice(1) } });
    const third = await runOn(0.3);
    const warning =
      'the dataset has changed between the runs: it had version 1 when the old run was created, and version 2 when the new run was';
    const warningsOf = async (now: string, old: string) =>
      (await client.call('GET', `/v1/runs/${now}/compare/${old}`)).json<{ warnings: string[] }>().warnings;
    expect([await warningsOf(second, first), await warningsOf(third, first)]).toEqual([[], [warning]]);
    const result = await client.call('GET', `/v1/runs/${third}/result`);
    expect(result.json<object>()).toMatchObject({ run_object: { dataset_id, dataset_version: 2 } });
    const unchanged = await gate(second, '--against', first, '--wait', '30');
    expect([unchanged.code, unchanged.stdout]).toEqual([0, expect.not.stringContaining('warning')]);
    const warned = await gate(third, '--against', first, '--wait', '30');
    expect([warned.code, warned.stdout]).toEqual([0, expect.stringContaining(`\nwarning: ${warning}\n`)]);
    await client.call('DELETE', `/v1/datasets/${dataset_id}`);
    expect(await warningsOf(second, first)).toEqual([]);
    expect(await warningsOf(await runOn(0.4), first)).toEqual([
      'the dataset was deleted, so that it is not known whether both runs used the same datapoints',
    ]);
  });

  it('compares booleans and texts with the ground truth of the session', async () => {
    const run_id = randomUUID();
    await client.post('/v1/runs', { run_id, name: 'categories', status: 'completed' });
    const rows = [
      ['billing', 'billing', true],
      ['billing', 'bug', true],
      ['bug', 'bug', false],
      [undefined, 'bug', true],
      ['other', undefined, true],
    ] as const;
    for (const [index, [category, truth, urgent]] of rows.entries()) {
      const session_id = randomUUID();
      const metadata = { run_id, datapoint_id: `d${index}` };
      const ground_truth = truth === undefined ? {} : { category: truth, urgent: true };
      const session = { session_id, session_name: 'case', metadata, feedback: { ground_truth } };
      await client.post('/v1/sessions', session);
      const event = { session_id, event_type: 'chain', event_name: 'classify', inputs: {}, metadata };
      await client.post('/v1/events', { ...event, metrics: { category, urgent, score: index } });
    }
    const close = (value: number) => expect.closeTo(value, 12) as number;
    const path = `/v1/runs/${run_id}/result`;
    const { classifications } = (await client.call('GET', path)).json<{ classifications: object[] }>();
    expect(classifications).toEqual([
      {
        ...{ metric_name: 'category', pairs: 3, without_ground_truth: 1, without_value: 1, accuracy: 0.5 },
        macro: { precision: 0.75, recall: close(2 / 3), f1: close(7 / 12) },
        labels: [
          { label: 'bug', support: 3, predicted: 1, true_positives: 1, precision: 1, recall: 1 / 3, f1: 0.5 },
          {
            label: 'billing',
            support: 1,
            predicted: 2,
            true_positives: 1,
            precision: 0.5,
            recall: 1,
            f1: 2 / 3,
          },
        ],
      },
      expect.objectContaining({ metric_name: 'urgent', pairs: 4, without_ground_truth: 1, accuracy: 0.75 }),
    ]);
  });

  it('runs the workflow step of the documentation, with a report', async () => {
    const [good, bad] = [await sendRun((index) => 0.5 + index / 100), await sendRun((index) => index / 100)];
    const dir = mkdtempSync(join(tmpdir(), 'assay-step-'));
    try {
      // The command on the path, as an installed package has it.
      writeFileSync(join(dir, 'assay'), `#!/bin/sh\nexec "${process.execPath}" "${COMMAND}" "$@"\n`, {
        mode: 0o755,
      });
      const runStep = (NEW_RUN: string, BASELINE_RUN: string) =>
        promisify(execFile)('sh', ['-ec', workflowScript()], {
          cwd: dir,
          env: {
            PATH: `${dir}:${process.env.PATH ?? ''}`,
            ...{ ASSAY_URL: stack.baseUrl, ASSAY_API_KEY: stack.apiKey, NEW_RUN, BASELINE_RUN },
          },
        }).then(
          () => 0,
          (error: { code?: number }) => error.code,
        );
      const report = () => readFileSync(join(dir, 'assay-gate.xml'), 'utf8');
      expect([await runStep(good, bad), report()]).toEqual([
        0,
        expect.stringContaining('failures="0" errors="0"'),
      ]);
      expect([await runStep(bad, good), report()]).toEqual([
        1,
        expect.stringContaining('<failure message="the new run is worse" type="fail">'),
      ]);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });

  return started;
}
