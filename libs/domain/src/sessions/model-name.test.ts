import { comparedModelName, modelNameForms, plainModelName } from './model-name.js';

test.each([
  ['gpt-4o', 'openai/gpt-4o', 'gpt-4o-2024-08-06', 'openai:gpt-4o', 'openrouter/openai/gpt-4o', 'GPT-4o'],
  [
    'claude-sonnet-4-5',
    'anthropic/claude-sonnet-4-5',
    'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'anthropic.claude-sonnet-4-5-20250929-v1:0',
    'claude-sonnet-4-5@20250929',
    'claude-sonnet-4-5-latest',
  ],
  ['gemini-2.5-pro', 'models/gemini-2.5-pro', 'gemini-2.5-pro-preview', 'google/gemini-2.5-pro-002'],
  [
    'gemini-2.5-flash',
    'google-gla:gemini-2.5-flash',
    'gemini-2.5-flash-preview-05-20',
    'gemini-2.5-flash-001',
  ],
  ['llama3:8b', 'ollama/llama3:8b', 'ollama:llama3:8b'],
  ['llama3', 'ollama/llama3:latest'],
  ['claude-haiku-4-5', 'au.anthropic.claude-haiku-4-5-20251001-v1:0', 'claude-haiku-4-5@20251001'],
  ['nova-pro', 'bedrock_converse:us.amazon.nova-pro-v1:0', 'eu.amazon.nova-pro-v1:0'],
  ['gpt-oss-120b', 'openai.gpt-oss-120b-1:0', 'groq/openai/gpt-oss-120b'],
  ['command-r', 'command-r-08-2024', 'cohere.command-r-v1:0'],
  ['kimi-k2-thinking', 'moonshot.kimi-k2-thinking', 'moonshotai/kimi-k2-thinking'],
  ['gpt-5', 'openai-responses:gpt-5-2025-08-07', 'azure_openai:gpt-5'],
])('%s is one model in every spelling', (plain, ...spellings) => {
  for (const spelling of [plain, ...spellings]) expect(plainModelName(spelling)).toBe(plain);
});

test.each([
  ['gpt-4o', 'gpt-4o-mini'],
  ['claude-sonnet-4-5', 'claude-sonnet-4'],
  ['llama3:8b', 'llama3:70b'],
  ['o3', 'o3-mini'],
  ['qwen3-32b', 'qwen3-8b'],
  ['gemini-2.5-flash', 'gemini-2.5-flash-lite-preview-06-17'],
])('%s and %s are two models', (one, other) => expect(plainModelName(one)).not.toBe(plainModelName(other)));

test('calls are compared without the sign within a version', () => {
  const [one, other] = ['anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5@20250929'].map(plainModelName);
  expect(comparedModelName(one ?? '')).toBe(comparedModelName(other ?? 'other'));
});

test('long names are compared as they are', () => {
  const name = `openai/${'x'.repeat(10_000)}`;
  expect(plainModelName(name)).toBe(name);
});

test('a list may have a model under each of its forms, the most specific first', () => {
  expect(modelNameForms('Bedrock/us.anthropic.claude-3-5-sonnet-v2-20241022-v2:0')).toEqual([
    'bedrock/us.anthropic.claude-3-5-sonnet-v2-20241022-v2:0',
    'us.anthropic.claude-3-5-sonnet-v2-20241022-v2:0',
    'claude-3-5-sonnet-v2-20241022-v2:0',
    'claude-3-5-sonnet-v2-20241022',
    'claude-3-5-sonnet-v2',
    'claude-3-5-sonnet',
  ]);
  expect(modelNameForms('gpt-4o')).toEqual(['gpt-4o']);
  expect(modelNameForms('')).toEqual(['']);
  expect(modelNameForms(`m${'-latest'.repeat(20)}`).length).toBeLessThan(9);
});

test('the last form is the plain name', () => {
  for (const name of [
    'openai:GPT-4o-2024-08-06',
    'eu.mistral.m-large-2407-v1:0',
    'a/b/c@20250101-preview',
    'x',
  ])
    expect(modelNameForms(name).at(-1)).toBe(plainModelName(name));
});
