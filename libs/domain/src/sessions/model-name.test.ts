import { modelNameForms, plainModelName } from './model-name.js';

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
  ['llama3:8b', 'ollama/llama3:8b'],
])('%s is one model in every spelling', (plain, ...spellings) => {
  for (const spelling of [plain, ...spellings]) expect(plainModelName(spelling)).toBe(plain);
});

test.each([
  ['gpt-4o', 'gpt-4o-mini'],
  ['claude-sonnet-4-5', 'claude-sonnet-4'],
  ['llama3:8b', 'llama3:70b'],
])('%s and %s are two models', (one, other) => expect(plainModelName(one)).not.toBe(plainModelName(other)));

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
