import { PriceTable, type Price } from './price-table.js';

type Row = readonly [
  models: string,
  input: number,
  cachedInput: number | undefined,
  output: number,
  more?: Partial<Price>,
];

/** Some models cost less below this number of input tokens. */
const SHORT = { maxInputTokens: 200_000 };
const SHORTER = { maxInputTokens: 128_000 };

const OPENAI: readonly Row[] = [
  ['gpt-5.1 gpt-5.1-codex gpt-5.1-chat gpt-5 gpt-5-codex gpt-5-chat', 1.25, 0.125, 10],
  ['gpt-5-mini', 0.25, 0.025, 2],
  ['gpt-5-nano', 0.05, 0.005, 0.4],
  ['gpt-5-pro', 15, undefined, 120],
  ['gpt-4.1', 2, 0.5, 8],
  ['gpt-4.1-mini', 0.4, 0.1, 1.6],
  ['gpt-4.1-nano', 0.1, 0.025, 0.4],
  ['gpt-4o', 2.5, 1.25, 10],
  ['gpt-4o-2024-05-13 chatgpt-4o', 5, undefined, 15],
  ['gpt-4o-mini', 0.15, 0.075, 0.6],
  ['o1 o1-preview', 15, 7.5, 60],
  ['o1-pro', 150, undefined, 600],
  ['o1-mini o3-mini', 1.1, 0.55, 4.4],
  ['o3', 2, 0.5, 8],
  ['o3-pro', 20, undefined, 80],
  ['o4-mini', 1.1, 0.275, 4.4],
  ['gpt-4-turbo gpt-4-turbo-preview gpt-4-0125-preview gpt-4-1106-preview', 10, undefined, 30],
  ['gpt-4 gpt-4-0613', 30, undefined, 60],
  ['gpt-4-32k', 60, undefined, 120],
  ['gpt-3.5-turbo gpt-3.5-turbo-0125', 0.5, undefined, 1.5],
  ['gpt-3.5-turbo-1106', 1, undefined, 2],
  ['gpt-3.5-turbo-instruct', 1.5, undefined, 2],
  ['text-embedding-3-small', 0.02, undefined, 0],
  ['text-embedding-3-large', 0.13, undefined, 0],
  ['text-embedding-ada-002', 0.1, undefined, 0],
];

const ANTHROPIC: readonly Row[] = [
  ['claude-opus-4-5', 5, 0.5, 25, { cacheWrite: 6.25 }],
  ['claude-opus-4-1 claude-opus-4-0 claude-opus-4 claude-3-opus', 15, 1.5, 75, { cacheWrite: 18.75 }],
  ['claude-sonnet-4-5 claude-sonnet-4-0 claude-sonnet-4', 3, 0.3, 15, { cacheWrite: 3.75, ...SHORT }],
  ['claude-3-7-sonnet claude-3-5-sonnet', 3, 0.3, 15, { cacheWrite: 3.75 }],
  ['claude-3-sonnet', 3, undefined, 15],
  ['claude-haiku-4-5', 1, 0.1, 5, { cacheWrite: 1.25 }],
  ['claude-3-5-haiku', 0.8, 0.08, 4, { cacheWrite: 1 }],
  ['claude-3-haiku', 0.25, 0.03, 1.25, { cacheWrite: 0.3 }],
];

const GOOGLE: readonly Row[] = [
  ['gemini-3-pro-preview', 2, 0.2, 12, SHORT],
  ['gemini-2.5-pro', 1.25, 0.125, 10, SHORT],
  ['gemini-2.5-flash', 0.3, 0.03, 2.5],
  ['gemini-2.5-flash-lite', 0.1, 0.01, 0.4],
  ['gemini-2.0-flash gemini-2.0-flash-001', 0.1, 0.025, 0.4],
  ['gemini-2.0-flash-lite gemini-2.0-flash-lite-001', 0.075, undefined, 0.3],
  ['gemini-1.5-pro gemini-1.5-pro-001 gemini-1.5-pro-002', 1.25, 0.3125, 5, SHORTER],
  ['gemini-1.5-flash gemini-1.5-flash-001 gemini-1.5-flash-002', 0.075, 0.01875, 0.3, SHORTER],
];

const AMAZON: readonly Row[] = [
  ['nova-pro', 0.8, 0.2, 3.2],
  ['nova-lite', 0.06, 0.015, 0.24],
  ['nova-micro', 0.035, 0.00875, 0.14],
];

const MISTRAL: readonly Row[] = [
  ['mistral-large-2411', 2, undefined, 6],
  ['mistral-medium-2505', 0.4, undefined, 2],
  ['codestral-2501 codestral-2508', 0.3, undefined, 0.9],
];

const X_AI: readonly Row[] = [
  ['grok-4', 3, 0.75, 15, SHORTER],
  ['grok-3', 3, 0.75, 15],
  ['grok-3-mini', 0.3, 0.075, 0.5],
];

const COHERE: readonly Row[] = [
  ['command-a-03-2025 command-r-plus-08-2024', 2.5, undefined, 10],
  ['command-r-08-2024', 0.15, undefined, 0.6],
];

function pricesOf(providers: readonly string[], rows: readonly Row[]): Price[] {
  return rows.map(([models, input, cachedInput, output, more]) => ({
    models: models.split(' '),
    providers,
    input,
    cachedInput,
    output,
    ...more,
  }));
}

/**
 * List prices of common models as published by their vendors. A file can replace the table: see `loadPrices`.
 */
export const DEFAULT_PRICES = new PriceTable('2025-12-01', [
  ...pricesOf(['openai', 'azure.ai.openai', 'azure.ai.inference'], OPENAI),
  ...pricesOf(['anthropic', 'aws.bedrock', 'gcp.vertex_ai'], ANTHROPIC),
  ...pricesOf(['gcp.gemini', 'gcp.gen_ai', 'gcp.vertex_ai'], GOOGLE),
  ...pricesOf(['aws.bedrock'], AMAZON),
  ...pricesOf(['mistral_ai'], MISTRAL),
  ...pricesOf(['x_ai'], X_AI),
  ...pricesOf(['cohere'], COHERE),
]);
