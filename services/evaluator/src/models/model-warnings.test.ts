import { makeModelWarnings } from './model-warnings.js';

const SETTINGS = {
  ...{ llmProxyUrl: 'http://127.0.0.1:1/v1', llmProxyApiKey: undefined, llmProxyCaFile: undefined },
  ...{ llmProxyTimeoutMs: 1_000, llmAllowedHosts: [], llmProvidersFile: undefined },
  ...{ llmDefaultProvider: undefined, llmDefaultModel: undefined },
};
const WITHOUT_ENDPOINT = { ...SETTINGS, llmProxyUrl: undefined };
const WITH_DEFAULT = { ...SETTINGS, llmDefaultProvider: 'openai', llmDefaultModel: 'gpt-4o' };
const openai = { type: 'LLM', model_provider: 'openai', model_name: 'gpt-4o' } as const;
const failingModel = { ...openai, model_provider: 'failing' };
const nameless = { ...openai, model_provider: null, model_name: null };

it.each([
  ['there is an endpoint', SETTINGS, openai, []],
  ['there is no endpoint', WITHOUT_ENDPOINT, openai, ['no endpoint is configured for model_provider']],
  ['there is no model', SETTINGS, nameless, ['the metric names no model']],
  ['there is a default model', WITH_DEFAULT, nameless, []],
  ['the provider fails', SETTINGS, failingModel, ['the last call of model_provider has failed']],
  ['no model is needed', WITHOUT_ENDPOINT, { ...nameless, type: 'PYTHON' as const }, []],
])('warns of a metric if %s', async (...[, config, metric, expected]) => {
  const warnings = makeModelWarnings(config, (projectId) => [
    { projectId, provider: 'failing', pausedUntil: 0 },
  ]);
  const starts = expected.map((start) => expect.stringContaining(start) as string);
  expect((await warnings('p'))(metric)).toEqual(starts);
});
