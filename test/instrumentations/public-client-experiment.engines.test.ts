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

describe('an experiment of the public Python client, unmodified', () => {
  let outcome: SceneOutcome;
  let printed: { readonly datasetId: string; readonly own: PrintedRun; readonly managed: PrintedRun };
  const ofRun = (run: PrintedRun, type: string): FoundEvent[] =>
    outcome.events.filter(({ event_type, event_name, metadata }) => {
      const isSpan = event_type === type && event_name !== 'Evaluation';
      return isSpan && metadata.run_id === run.run_id;
    });

  beforeAll(async () => {
    const program = {
      file: await pythonWith('public-client'),
      args: [clientProgram('python/public_client_experiment.py')],
    };
    outcome = await playPrograms({ programs: [program], programWithinMs: 60_000 });
    const lines = outcome.ends[0]!.stdout.split('\n').filter((line) => line.startsWith('{'));
    printed = JSON.parse(lines.at(-1) ?? '{}') as typeof printed;
  }, 600_000);

  it('ends without an error', () => {
    expect(outcome.ends[0]).toMatchObject({ status: 0, stderr: '' });
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
