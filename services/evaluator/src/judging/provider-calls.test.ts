import { createMetrics } from '@assay/runtime';
import { ProviderCalls } from './provider-calls.js';
import type { Task } from './task-queue.js';

const taskOf = (projectId: string, provider: string): Task => ({
  ...{ key: `${projectId}/${provider}`, pool: `model/${provider}`, provider, projectId, eventId: 'e' },
  ...{ partition: 0, evaluations: [] },
});

describe('the calls of model providers', () => {
  const metrics = createMetrics({ processMetrics: false });
  let calls: ProviderCalls;
  beforeEach(() => (calls = new ProviderCalls(() => 1_000, metrics)));

  const fail = (projectId: string, provider: string) => {
    const task = taskOf(projectId, provider);
    calls.begin(task);
    calls.end(task, { failed: true, retryAfterMs: 60_000 });
  };

  it('keep the states of 50 providers of a project, so that one with many names costs others nothing', () => {
    fail('quiet', 'openai');
    for (let n = 0; n < 200; n++) fail('loud', `provider ${n}`);
    expect(calls.states('loud').map(({ provider }) => provider)).toHaveLength(50);
    expect(calls.mayStart(taskOf('loud', 'provider 199'))).toBe(false);
    expect(calls.states('quiet')).toMatchObject([{ provider: 'openai', pausedUntil: 61_000 }]);
    expect(calls.mayStart(taskOf('quiet', 'openai'))).toBe(false);
  });

  it('keep the states of 1,000 projects', () => {
    for (let n = 0; n < 1_200; n++) fail(`project ${n}`, 'openai');
    expect(new Set(calls.states().map(({ projectId }) => projectId)).size).toBe(1_000);
    expect(calls.mayStart(taskOf('project 1199', 'openai'))).toBe(false);
    expect(calls.mayStart(taskOf('project 0', 'openai'))).toBe(true);
  });

  it('are counted by projects whose calls are paused', async () => {
    const own = createMetrics({ processMetrics: false });
    calls = new ProviderCalls(() => 1_000, own);
    for (const projectId of ['a', 'b']) fail(projectId, 'openai');
    const task = taskOf('c', 'anthropic');
    calls.begin(task);
    calls.end(task, { failed: true });
    const text = await own.text();
    const lines = text.split('\n').filter((line) => line.startsWith('assay_model_provider'));
    expect(lines.sort()).toEqual([
      'assay_model_provider_paused{provider="anthropic"} 0',
      'assay_model_provider_paused{provider="openai"} 2',
    ]);
  });
});
