import { createTemplateWorkers } from '@assay/templates';
import { createJudge, type JudgeOptions, type JudgeOutcome, type JudgeRequest } from '../src/index.js';
import { startFakeProvider, type FakeProvider, type FakeResponse } from './fake-provider.js';

export const aRequest: JudgeRequest = {
  criteria: 'Rate this: {{ outputs.answer }}',
  returnType: 'float',
  modelProvider: 'openai',
  modelName: 'gpt-4o',
  event: { outputs: { answer: 'it is {{ 7 * 7 }}' } },
  projectId: 'p1',
};

/** Renders the prompts of all tests of a file. */
export const templates = createTemplateWorkers();
afterAll(() => templates.close());

export const KEY = 'sk-canary-4711';

export interface JudgeRun {
  readonly outcome: JudgeOutcome;
  readonly provider: FakeProvider;
}

interface RunOptions {
  readonly request?: Partial<JudgeRequest>;
  readonly options?: (provider: FakeProvider) => Partial<JudgeOptions>;
  readonly signal?: AbortSignal;
}

/** Evaluates once with a proxy that gives these responses. Retries do not wait unless the response says so. */
export async function judgeOnce(responses: readonly FakeResponse[], run: RunOptions = {}): Promise<JudgeRun> {
  const provider = await startFakeProvider(responses);
  const judge = createJudge({
    templates,
    proxy: { url: `${provider.url}/v1`, apiKey: KEY },
    allowedHosts: [provider.host],
    random: () => 0,
    ...run.options?.(provider),
  });
  try {
    const outcome = await judge.evaluate({ ...aRequest, ...run.request }, run.signal);
    return { outcome, provider };
  } finally {
    judge.close();
    await provider.close();
  }
}
