import { decodeTraces } from '../codec/decode-traces.js';
import { jsonBody, requestJson, spanJson } from '../../test/otlp-request.js';
import { toEvents } from '../to-events.js';
import { DEFAULT_PRICES } from './default-prices.js';
import { estimateCost } from './estimate-cost.js';
import { loadPrices } from './load-prices.js';
import type { PriceTable } from './price-table.js';

const million = { prompt: 1_000_000, completion: 1_000_000, cacheRead: 0, cacheWrite: 0 };
const cost = (model: string, provider?: string, tokens = million) =>
  estimateCost(DEFAULT_PRICES, { model, provider }, tokens);

describe('the cost of a call', () => {
  it.each([
    ['gpt-4o', undefined, 12.5],
    ['gpt-4o', 'azure.ai.openai', 12.5],
    ['openai/gpt-4o-2024-08-06', 'openai', 12.5],
    ['gpt-4o-2024-05-13', 'openai', 20],
    ['gpt-4o-mini', 'openai', 0.75],
    ['us.anthropic.claude-3-5-sonnet-20241022-v2:0', 'aws.bedrock', 18],
    ['claude-3-5-sonnet-v2@20241022', 'gcp.vertex_ai', 18],
    ['claude-3-5-haiku-latest', 'anthropic', 4.8],
    ['amazon.nova-lite-v1:0', 'aws.bedrock', 0.3],
    ['models/gemini-2.5-flash', 'gcp.gemini', 2.8],
    ['gpt-5.4-mini-2026-03-17', 'openai', 5.25],
    ['claude-opus-4-6', 'anthropic', 30],
    ['apac.anthropic.claude-sonnet-4-6-v1:0', 'aws.bedrock', 18],
    [
      'arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-haiku-4-5-20251001-v1:0',
      'aws.bedrock',
      6,
    ],
    ['us.meta.llama3-3-70b-instruct-v1:0', 'aws.bedrock', 1.44],
    ['deepseek.v3-v1:0', 'aws.bedrock', 2.26],
    ['azure:gpt-4.1-mini', 'azure.ai.openai', 2],
    ['gpt-4-0314', 'openai', 90],
    ['gemini-2.5-flash@001', 'gcp.vertex_ai', 2.8],
    ['mistral-large-latest', 'mistral_ai', 2],
    ['mistral/mistral-large-2402', 'litellm', 16],
    ['deepseek/deepseek-chat', 'openrouter', 0.7],
    ['xai/grok-3-latest', 'litellm', 18],
    ['text-embedding-3-small', 'openai', 0.02],
    ['cohere.embed-english-v3', 'aws.bedrock', 0.1],
    ['voyage-3.5', 'voyageai', 0.06],
    [' GPT-4o ', 'openai', 12.5],
    ['gpt-4o', 'openrouter', 12.5],
    ['openrouter/openai/gpt-4o-2024-08-06', 'litellm', 12.5],
    ['openrouter/anthropic/claude-3.5-sonnet', 'openrouter', 18],
    ['anthropic/claude-opus-4.5', 'litellm', 30],
    ['bedrock/eu.anthropic.claude-3-5-sonnet-20241022-v2:0', 'litellm', 18],
    ['vertex_ai/claude-3-5-sonnet@20240620', 'litellm', 18],
  ])('of %s by %s is known', (model, provider, dollars) =>
    expect(cost(model, provider)).toBeCloseTo(dollars, 9),
  );

  it.each([
    ['gpt-4o-audio-preview', 'openai'],
    ['gpt-4.5-preview', 'openai'],
    ['mistral-medium-2312', 'mistral_ai'],
    ['us-gov.anthropic.claude-haiku-4-5-20251001-v1:0', 'aws.bedrock'],
    ['ft:gpt-4o-mini-2024-07-18:team::id', 'openai'],
    ['my-gpt-4o', undefined],
    ['gpt-4o', 'a-provider-with-other-prices'],
    ['openai/gpt-4o:free', 'openrouter'],
    ['constructor', undefined],
    ['', undefined],
  ])('of %j by %s is not', (model, provider) => expect(cost(model, provider)).toBeUndefined());

  it('counts cached tokens at their own prices, once', () => {
    const tokens = { prompt: 10_000, completion: 100, cacheRead: 6_000, cacheWrite: 3_000 };
    expect(cost('claude-3-7-sonnet-20250219', 'anthropic', tokens)).toBe(
      (1_000 * 3 + 6_000 * 0.3 + 3_000 * 3.75 + 100 * 15) / 1_000_000,
    );
  });

  it('is not known beyond the length of input that a price holds for', () => {
    expect(cost('gemini-2.5-pro', 'gcp.gemini', { ...million, prompt: 200_000 })).toBe(10.25);
    expect(cost('gemini-2.5-pro', 'gcp.gemini', { ...million, prompt: 200_001 })).toBeUndefined();
  });

  it('uses the response model, else the requested model', () => {
    expect(estimateCost(DEFAULT_PRICES, { responseModel: 'gpt-4o-mini', model: 'gpt-4o' }, million)).toBe(
      0.75,
    );
    expect(estimateCost(DEFAULT_PRICES, { responseModel: 'a-deployment', model: 'gpt-4o' }, million)).toBe(
      12.5,
    );
  });
});

describe('the cost of a model event', () => {
  const metadataOf = (
    attributes: Record<string, unknown>,
    prices: PriceTable | undefined = DEFAULT_PRICES,
  ) => {
    const usage = { 'gen_ai.usage.input_tokens': 1_000, 'gen_ai.usage.output_tokens': 100 };
    const decoded = decodeTraces(
      jsonBody(requestJson([spanJson({ attributes: { ...usage, ...attributes } })])),
      'json',
    );
    return toEvents(decoded, { projectId: 'p', receivedAt: 1, ...(prices && { prices }) }).events[0]
      ?.metadata;
  };
  const chat = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.provider.name': 'openai',
  };

  it('is estimated and flagged as estimated', () => {
    expect(metadataOf(chat)).toMatchObject({ cost: 0.0035, cost_source: 'estimated' });
  });

  it.each([
    ['a cost was reported', { ...chat, 'gen_ai.usage.cost': 0.5 }, 0.5],
    ['a cost of nothing was reported', { ...chat, 'gen_ai.usage.cost': 0 }, 0],
    ['the user said it', { ...chat, 'honeyhive_metadata.cost': 2 }, 2],
    ['the model is unknown', { ...chat, 'gen_ai.request.model': 'my-model' }, undefined],
    ['the span is no model', { ...chat, 'gen_ai.operation.name': 'invoke_agent' }, undefined],
  ])('is not estimated where %s', (_, attributes, expected) => {
    const metadata = metadataOf(attributes);
    expect(metadata?.['cost']).toBe(expected);
    expect(metadata).not.toHaveProperty('cost_source');
  });
});

describe('a custom price table', () => {
  it('replaces the built-in table', () => {
    const prices = loadPrices(
      '{"as_of":"2026-01-31","prices":[{"models":["My-Model-*"],"providers":["Me"],"input":1,"output":2}]}',
    );
    expect(prices.asOf).toBe('2026-01-31');
    expect(estimateCost(prices, { model: 'my-model-7', provider: 'me' }, million)).toBe(3);
    expect(estimateCost(prices, { model: 'gpt-4o' }, million)).toBeUndefined();
  });

  const price = { models: ['m'], input: 1, output: 1 };
  const table = (entry: unknown) => JSON.stringify({ as_of: '2026-01-31', prices: [entry] });
  it.each([
    ['{', 'the price table is not valid JSON'],
    ['[]', 'as_of must be a date such as 2026-01-31'],
    ['{"as_of":"2026-01-31","prices":[]}', 'prices must be a list of at least one price'],
    [table(7), 'prices[0] must be an object'],
    [table({ ...price, models: [] }), 'prices[0].models must be a list of names'],
    [table({ ...price, models: ['*'] }), 'prices[0].models must be a list of names'],
    [table({ ...price, input: -1 }), 'prices[0].input must be a number of at least 0'],
    [table({ models: ['m'], input: 1 }), 'prices[0].output is required'],
    [
      table({ ...price, inptu: 1 }),
      'prices[0] may only have models, providers, input, output, cached_input, cache_write, max_input_tokens',
    ],
  ])('%j is refused: %s', (text, message) => expect(() => loadPrices(text)).toThrow(message));
});
