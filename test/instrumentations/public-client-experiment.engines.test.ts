import { clientProgram, pythonWith } from './packages/client-packages.js';
import { playPrograms } from './scene/play.js';
import type { FoundEvent, SceneOutcome } from './scene/programs.js';

/** A run as the client reads it back. */
interface PrintedRun {
  readonly run_id: string;
  readonly status: string;
  readonly dataset_id: string;
  readonly dataset_name: string | null;
  readonly event_ids: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly configuration: Readonly<Record<string, unknown>>;
}

/** The result of a run as the client shows it. */
interface PrintedResult {
  readonly success: boolean;
  readonly metrics: Readonly<Record<string, { readonly aggregate: number; readonly values: number[] }>>;
}

interface Printed {
  readonly datasetId: string;
  readonly own: PrintedRun;
  readonly managed: PrintedRun;
  readonly results: Readonly<Record<'own' | 'better' | 'managed', PrintedResult>>;
  readonly sum: PrintedResult;
  readonly comparison: object & { readonly pairs: readonly (readonly [string, string])[] };
  readonly degraded: readonly string[];
  readonly betterRunId: string;
  readonly fields: readonly string[];
  readonly fieldsOfRun: readonly string[];
  readonly listed: object;
}

describe('an experiment of the public Python client, unmodified', () => {
  let outcome: SceneOutcome;
  let resources: unknown;
  let printed: Printed;
  const ofRun = (run: PrintedRun, type: string): FoundEvent[] =>
    outcome.events.filter(({ event_type, event_name, metadata }) => {
      const isSpan = event_type === type && event_name !== 'Evaluation';
      return isSpan && metadata.run_id === run.run_id;
    });

  beforeAll(async () => {
    const file = await pythonWith('public-client');
    const programs = ['resources', 'experiment'].map((name) => ({
      file,
      args: [clientProgram(`python/public_client_${name}.py`)],
    }));
    outcome = await playPrograms({ programs, programWithinMs: 60_000 });
    const [first, second] = outcome.ends.map(({ stdout }) => {
      const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
      return JSON.parse(lines.at(-1) ?? '{}') as unknown;
    });
    resources = first;
    printed = second as Printed;
  }, 600_000);

  it('ends without an error', () => {
    expect(outcome.ends).toMatchObject([
      { status: 0, stderr: '' },
      { status: 0, stderr: '' },
    ]);
  });

  it('creates, reads, changes and deletes a resource of every kind', () => {
    expect(resources).toEqual({
      metrics: { changed: 'changed', versions: 3, left: 0 },
      datasets: { changed: 'changed', datapoints: 1, left: 0 },
      datapoints: { changed: { a: 3 }, left: 0 },
      configurations: { changed: 'changed', left: 0 },
      runs: { changed: 'completed', success: true, left: 0 },
      charts: { changed: 'p95', listed: 1, left: 0 },
    });
  });

  it('ends with the result of everything that it sent', () => {
    const { own, better, managed } = printed.results;
    for (const result of [own, managed]) {
      expect(result).toMatchObject({ status: 'completed', success: true, passed: 3, failed: 0 });
      expect(result.metrics['is_right']?.aggregate).toBeCloseTo(2 / 3);
      expect([...(result.metrics['length']?.values ?? [])].sort()).toEqual([3, 4, 4]);
    }
    expect(better.metrics['is_right']).toMatchObject({ aggregate: 1, values: [1, 1, 1] });
    expect(printed.sum.metrics['length']?.aggregate).toBe(11);
  });

  it('compares runs: improved and degraded metrics, and events in pairs', () => {
    const { betterRunId, comparison, degraded, own } = printed;
    expect(comparison).toMatchObject({
      common: 3,
      improved: ['is_right', 'length'],
      worse: [],
      right: {
        new_aggregate: 1,
        improved_count: 1,
        degraded_count: 0,
        same_count: 2,
        improved: { length: 1 },
      },
      total: 3,
      equal: 3,
    });
    expect(degraded).toEqual(['is_right', 'length']);
    expect(comparison.pairs).toEqual(Array(3).fill([betterRunId, own.run_id]));
  });

  it('lists the fields of events and of a run, and the runs with the names of their scores', () => {
    for (const fields of [printed.fields, printed.fieldsOfRun])
      expect(fields).toEqual(
        expect.arrayContaining(['inputs.question', 'metrics.is_right', 'outputs.answer']),
      );
    expect(printed.listed).toEqual({ metrics: ['is_right', 'length'], runs: 2 });
  });

  it('keeps a run over data of its own, completed, with its sessions', () => {
    expect(printed.own).toMatchObject({
      status: 'completed',
      metadata: { offline_dataset_id: printed.own.dataset_id },
      configuration: { function: 'application', evaluators: ['is_right', 'length'] },
    });
    expect(printed.own.dataset_id).toMatch(/^EXT-/);
  });

  it('keeps a run over a dataset, and names the dataset', () => {
    expect(printed.managed).toMatchObject({
      status: 'completed',
      dataset_id: printed.datasetId,
      dataset_name: 'sums',
    });
  });

  it.each(['own', 'managed'] as const)(
    'shows a session for each datapoint with what it took, gave and should have given (%s)',
    (key) => {
      const run = printed[key];
      const sessions = ofRun(run, 'session');
      expect(sessions.map(({ event_id }) => event_id).sort()).toEqual([...run.event_ids].sort());
      expect(new Set(sessions.map(({ metadata }) => metadata.datapoint_id)).size).toBe(3);
      const four = sessions.find(({ inputs }) => inputs.question === 'four and four');
      expect(four).toMatchObject({
        source: 'evaluation',
        inputs: { question: 'four and four' },
        outputs: { answer: 'nine' },
        feedback: { ground_truth: { answer: 'eight' } },
        metadata: { dataset_id: run.dataset_id },
      });
    },
  );

  it.each(['own', 'managed'] as const)(
    'shows the function with the scores of the evaluators, and what it called (%s)',
    (key) => {
      const chains = ofRun(printed[key], 'chain');
      const scores = chains.map(({ outputs, metrics }) => ({ ...(outputs.result as object), ...metrics }));
      expect(scores).toHaveLength(3);
      expect(scores).toEqual(
        expect.arrayContaining([
          { answer: 'four', is_right: true, length: 4 },
          { answer: 'six', is_right: true, length: 3 },
          { answer: 'nine', is_right: false, length: 4 },
        ]),
      );
      const tools = ofRun(printed[key], 'tool');
      expect(tools.map(({ event_name, metadata }) => ({ event_name, looked: metadata.looked }))).toEqual(
        tools.map(() => ({ event_name: 'look up', looked: true })),
      );
      expect(new Set(tools.map(({ parent_id }) => parent_id))).toEqual(
        new Set(chains.map(({ event_id }) => event_id)),
      );
    },
  );
});
