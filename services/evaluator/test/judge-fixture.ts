import { createJudge, type JudgeOptions } from '@assay/judges';
import { startFakeProvider, type FakeProvider, type FakeResponse } from '@assay/judges/test/fake-provider';
import { createTemplateWorkers } from '@assay/templates';
import type { EvaluateMetricDeps } from '../src/kinds/metric-kind.js';
import { DeferredPythonRunner } from '../src/shared/deferred-python-runner.js';
import { metricOf } from './metric-fixture.js';

/** An LLM metric whose prompt is a constant. */
export const llmMetric = (fields: Parameters<typeof metricOf>[1] = {}) =>
  metricOf('quality', {
    type: 'LLM',
    criteria: 'Rate this',
    ...{ model_provider: 'openai', model_name: 'gpt-4o' },
    ...fields,
  });

export interface FakeModel {
  readonly deps: EvaluateMetricDeps;
  readonly provider: FakeProvider;
  close(): Promise<void>;
}

/** Starts a provider that gives these responses, and the judge that calls it. Python cannot be used. */
export async function startFakeModel(
  responses: readonly FakeResponse[],
  options: Partial<JudgeOptions> = {},
): Promise<FakeModel> {
  const provider = await startFakeProvider(responses);
  const templates = createTemplateWorkers();
  const judge = createJudge({
    templates,
    proxy: { url: provider.url },
    allowedHosts: [provider.host],
    random: () => 0,
    ...options,
  });
  const python = new DeferredPythonRunner({
    start: () => Promise.reject(new Error('not part of the test')),
    now: Date.now,
  });
  return {
    provider,
    deps: { judge, python, pythonTimeoutMs: 1_000 },
    close: async () => {
      judge.close();
      await templates.close();
      await provider.close();
    },
  };
}
