import { evaluationAfter, type Evaluation } from '@assay/domain';
import { chatCompletion, type FakeResponse } from '@assay/judges/test/fake-provider';
import type { PythonRunner } from '@assay/python-runner';
import { waitFor } from '@assay/testing';
import { llmMetric, startFakeModel, type FakeModel } from '../../test/judge-fixture.js';
import { metricOf, storedEvent } from '../../test/metric-fixture.js';
import { TaskRun } from '../../test/task-fixture.js';
import type { RunTaskDeps } from './evaluation-step.js';
import { attemptsLeft } from './run-judge.js';

const metric = llmMetric();
const rating: FakeResponse = { body: chatCompletion('[[5]]') };
const CLIENT_SCORE = storedEvent({ metrics: { quality: 0.5 } });
const KEPT = { decision: 'not_matching', value: null, reason: 'a client has set the score' };

describe('running a task', () => {
  let model: FakeModel;
  const start = async (...responses: FakeResponse[]) => {
    model = await startFakeModel(responses);
    return new TaskRun(model.deps, [metric]);
  };
  afterEach(() => model.close());

  it('writes the score and the evaluation of a judge', async () => {
    const task = await start(rating);
    await task.run(task.pending(metric));
    expect(task.patches).toEqual([{ metrics: { quality: 5 } }]);
    expect(task.evaluations.map(({ decision, attempts }) => [decision, attempts])).toEqual([
      ['pending', 1],
      ['scored', 1],
    ]);
  });

  describe('by a model that fails or a process that crashes', () => {
    const failing: FakeResponse = { status: 500, body: {} };

    test.each([
      [0, 3],
      [1, 2],
      [2, 1],
      [3, 0],
      [9, 0],
    ])('after %i recorded requests sends %i more at most', async (attempts, left) => {
      expect(attemptsLeft({ attempts })).toBe(left);
      const task = await start(failing);
      await task.run({ ...task.pending(metric), attempts });
      expect(model.provider.requests).toHaveLength(left);
      expect(task.evaluations.at(-1)).toMatchObject({ decision: 'error', attempts: attempts + left });
    });

    it('records each request before it is sent', async () => {
      const recorded: number[] = [];
      const task: TaskRun = await start((response) => {
        recorded.push(task.evaluations.length);
        response.writeHead(500).end('{}');
      });
      await task.run(task.pending(metric));
      expect(recorded).toEqual([1, 2, 3]);
      expect(task.evaluations.map(({ attempts }) => attempts)).toEqual([1, 2, 3, 3]);
    });

    it('records nothing for a request that is not sent', async () => {
      const broken = llmMetric({ criteria: '{{ inputs.a.b }}' });
      model = await startFakeModel([rating]);
      const task = new TaskRun(model.deps, [broken]);
      await task.run(task.pending(broken));
      expect(task.evaluations).toMatchObject([{ decision: 'error', attempts: 0 }]);
    });

    it('postpones a request that is recorded after the time limit, without its attempt', async () => {
      const timeoutMs = 50;
      model = await startFakeModel([rating], { timeoutMs });
      const append = async () => {
        const startedAt = performance.now();
        await waitFor('the time limit has passed', () => performance.now() - startedAt > timeoutMs);
      };
      const task = new TaskRun({ ...model.deps, append }, [metric]);
      const pending = task.pending(metric);
      expect(await task.run(pending)).toEqual({
        ...{ completed: [], postponed: [pending], repetition: 'soon' },
      });
      expect(model.provider.requests).toEqual([]);
    });
  });

  describe('of code that does not end in time', () => {
    const endless = metricOf('endless');
    it('ends without running the code after 20 timeouts in a row, until 60 s have passed', async () => {
      let [runs, time] = [0, 2_000];
      const paused: string[] = [];
      model = await startFakeModel([]);
      const error = { code: 'timeout', message: 'not in time' } as const;
      const python = {
        ...model.deps.python,
        state: { available: true },
        evaluate: () => Promise.resolve({ ok: false, error, stdout: '', durationMs: 100 + runs++ }),
      } as unknown as PythonRunner;
      const onPaused: RunTaskDeps['onPaused'] = (_, { id }) => paused.push(id);
      const task = new TaskRun({ ...model.deps, python, onPaused, now: () => time }, [endless]);
      const fresh = () => (task.event = { ...task.event, outputs: { run: task.evaluations.length } });
      for (let run = 0; run < 25; run++) {
        fresh();
        await task.run(task.pending(endless));
      }
      expect([runs, paused]).toEqual([20, ['endless']]);
      expect(task.evaluations.map(({ decision }) => decision)).toEqual(Array(25).fill('timeout'));
      expect(task.evaluations[24]).toMatchObject({
        errorClass: 'paused',
        reason: expect.stringContaining('20 timeouts in a row') as string,
        durationMs: 0,
      });
      time += 60_000;
      fresh();
      await task.run(task.pending(endless));
      expect([runs, task.evaluations[25]?.errorClass, paused.length]).toEqual([21, 'timeout', 2]);
    });

    it('is postponed, and never paused, while the machine is too busy to run it', async () => {
      const paused: string[] = [];
      model = await startFakeModel([]);
      const error = { code: 'machine_busy', message: 'no core was free' } as const;
      const python: PythonRunner = {
        state: { available: true, libraries: [] },
        evaluate: () => Promise.resolve({ ok: false, error, stdout: '', durationMs: 2_000 }),
        close: () => Promise.resolve(),
      };
      const onPaused: RunTaskDeps['onPaused'] = (_, { id }) => paused.push(id);
      const task = new TaskRun({ ...model.deps, python, onPaused }, [endless]);
      const pending = task.pending(endless);
      for (let run = 0; run < 25; run++)
        expect(await task.run(pending)).toEqual({ completed: [], postponed: [pending], repetition: 'soon' });
      expect([task.evaluations, paused]).toEqual([[], []]);
    });
  });

  describe('whose score a client sets meanwhile', () => {
    it('sends nothing when the score was set while the evaluation waited', async () => {
      const task = await start(rating);
      const pending = task.pending(metric);
      task.event = CLIENT_SCORE;
      await task.run(pending);
      expect(task.evaluations).toMatchObject([{ ...KEPT, decidedAt: 2_000 }]);
      expect([task.patches, model.provider.requests]).toEqual([[], []]);
    });

    it('writes only what was paid when the score was set during the evaluation', async () => {
      const task: TaskRun = await start((response) => {
        task.event = CLIENT_SCORE;
        response.end(JSON.stringify(chatCompletion('[[5]]')));
      });
      await task.run(task.pending(metric));
      expect(task.evaluations.at(-1)).toMatchObject({ ...KEPT, promptTokens: 100, attempts: 1 });
      expect(task.patches).toEqual([]);
    });

    test.each<[string, (pending: Evaluation) => Partial<Pick<TaskRun, 'stored'>> & { from: Evaluation }]>([
      [
        'another process has written',
        (from) => ({ from, stored: [{ ...from, decision: 'scored', value: 0.5 }] }),
      ],
      [
        'an earlier evaluation may have written',
        (from) => ({ from: evaluationAfter({ ...from, decision: 'error' }, from) }),
      ],
    ])('replaces a score that %s', async (_, given) => {
      const task = await start(rating);
      const { from, stored = [] } = given(task.pending(metric));
      task.event = CLIENT_SCORE;
      task.stored = stored;
      await task.run(from);
      expect(task.patches).toEqual([{ metrics: { quality: 5 } }]);
    });
  });
});
