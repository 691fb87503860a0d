import { PriceTable, type Price } from './price-table.js';

type Row = readonly [
  models: string,
  input: number,
  cachedInput: number | undefined,
  output: number,
  more?: Partial<Price>,
];

/** Some models cost less up to this number of input tokens. */
const UP_TO_128K = { maxInputTokens: 128_000 };
const UP_TO_200K = { maxInputTokens: 200_000 };
const UP_TO_272K = { maxInputTokens: 272_000 };

const OPENAI: readonly Row[] = [
  ['gpt-5.5', 5, 0.5, 30, UP_TO_272K],
  ['gpt-5.5-pro gpt-5.4-pro', 30, 3, 180, UP_TO_272K],
  ['gpt-5.4', 2.5, 0.25, 15, UP_TO_272K],
  ['gpt-5.4-mini', 0.75, 0.075, 4.5],
  ['gpt-5.4-nano', 0.2, 0.02, 1.25],
  ['gpt-5.3-codex gpt-5.3-chat gpt-5.2 gpt-5.2-codex gpt-5.2-chat', 1.75, 0.175, 14],
  ['gpt-5.2-pro', 21, undefined, 168],
  ['gpt-5.1 gpt-5.1-codex gpt-5.1-codex-max gpt-5.1-chat', 1.25, 0.125, 10],
  ['gpt-5 gpt-5-codex gpt-5-chat gpt-5-search-api', 1.25, 0.125, 10],
  ['gpt-5-mini gpt-5.1-codex-mini', 0.25, 0.025, 2],
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
  ['o3-deep-research', 10, 2.5, 40],
  ['o4-mini', 1.1, 0.275, 4.4],
  ['o4-mini-deep-research', 2, 0.5, 8],
  ['gpt-4-turbo gpt-4-turbo-preview gpt-4-0125-preview gpt-4-1106-preview', 10, undefined, 30],
  ['gpt-4 gpt-4-0613', 30, undefined, 60],
  ['gpt-4-32k', 60, undefined, 120],
  ['gpt-3.5-turbo gpt-3.5-turbo-0125', 0.5, undefined, 1.5],
  ['gpt-3.5-turbo-1106', 1, undefined, 2],
  ['gpt-3.5-turbo-0613 gpt-3.5-turbo-0301', 1.5, undefined, 2],
  ['gpt-3.5-turbo-16k', 3, undefined, 4],
  ['gpt-3.5-turbo-instruct', 1.5, undefined, 2],
  ['text-embedding-3-small', 0.02, undefined, 0],
  ['text-embedding-3-large', 0.13, undefined, 0],
  ['text-embedding-ada-002', 0.1, undefined, 0],
];

const ANTHROPIC: readonly Row[] = [
  [
    'claude-opus-5 claude-opus-4-8 claude-opus-4-7 claude-opus-4-6 claude-opus-4-5',
    5,
    0.5,
    25,
    { cacheWrite: 6.25 },
  ],
  [
    'claude-opus-4-1 claude-opus-4-0 claude-opus-4 claude-4-opus claude-3-opus',
    15,
    1.5,
    75,
    { cacheWrite: 18.75 },
  ],
  ['claude-sonnet-5', 2, 0.2, 10, { cacheWrite: 2.5 }],
  ['claude-sonnet-4-6', 3, 0.3, 15, { cacheWrite: 3.75 }],
  [
    'claude-sonnet-4-5 claude-sonnet-4-0 claude-sonnet-4 claude-4-sonnet',
    3,
    0.3,
    15,
    { cacheWrite: 3.75, ...UP_TO_200K },
  ],
  ['claude-3-7-sonnet claude-3-5-sonnet', 3, 0.3, 15, { cacheWrite: 3.75 }],
  ['claude-3-sonnet', 3, undefined, 15],
  ['claude-haiku-4-5', 1, 0.1, 5, { cacheWrite: 1.25 }],
  ['claude-3-5-haiku', 0.8, 0.08, 4, { cacheWrite: 1 }],
  ['claude-3-haiku', 0.25, 0.03, 1.25, { cacheWrite: 0.3 }],
];

const GOOGLE: readonly Row[] = [
  ['gemini-3.1-pro-preview gemini-3-pro-preview', 2, 0.2, 12, UP_TO_200K],
  ['gemini-3.6-flash', 1.5, 0.15, 7.5],
  ['gemini-3.5-flash', 1.5, 0.15, 9],
  ['gemini-3-flash-preview', 0.5, 0.05, 3],
  ['gemini-3.5-flash-lite', 0.3, 0.03, 2.5],
  ['gemini-3.1-flash-lite gemini-3.1-flash-lite-preview', 0.25, 0.025, 1.5],
  ['gemini-2.5-pro', 1.25, 0.125, 10, UP_TO_200K],
  ['gemini-2.5-flash', 0.3, 0.03, 2.5],
  ['gemini-2.5-flash-lite gemini-2.5-flash-lite-preview-09-2025', 0.1, 0.01, 0.4],
  ['gemini-2.0-flash', 0.1, 0.025, 0.4],
  ['gemini-2.0-flash-lite', 0.075, 0.01875, 0.3],
  ['gemini-1.5-pro', 1.25, 0.3125, 5, UP_TO_128K],
  ['gemini-1.5-flash', 0.075, 0.01875, 0.3, UP_TO_128K],
  ['gemini-embedding-001', 0.15, undefined, 0],
  ['gemini-embedding-2 gemini-embedding-2-preview', 0.2, undefined, 0],
];

/** Models of Amazon, and those of others that it hosts at prices of its own. */
const BEDROCK: readonly Row[] = [
  ['nova-pro', 0.8, 0.2, 3.2],
  ['nova-lite', 0.06, 0.015, 0.24],
  ['nova-micro', 0.035, 0.00875, 0.14],
  ['nova-2-lite', 0.3, 0.075, 2.5],
  ['titan-embed-text-v1', 0.1, undefined, 0],
  ['titan-embed-text-v2:0', 0.02, undefined, 0],
  ['llama3-8b-instruct', 0.3, undefined, 0.6],
  ['llama3-70b-instruct', 2.65, undefined, 3.5],
  ['llama3-1-8b-instruct', 0.22, undefined, 0.22],
  ['llama3-1-70b-instruct', 0.99, undefined, 0.99],
  ['llama3-1-405b-instruct', 5.32, undefined, 16],
  ['llama3-2-1b-instruct', 0.1, undefined, 0.1],
  ['llama3-2-3b-instruct', 0.15, undefined, 0.15],
  ['llama3-2-11b-instruct', 0.35, undefined, 0.35],
  ['llama3-2-90b-instruct', 2, undefined, 2],
  ['llama3-3-70b-instruct', 0.72, undefined, 0.72],
  ['llama4-maverick-17b-instruct', 0.24, undefined, 0.97],
  ['llama4-scout-17b-instruct', 0.17, undefined, 0.66],
  ['deepseek.v3-v1:0', 0.58, undefined, 1.68],
  ['gpt-oss-120b-1:0', 0.15, undefined, 0.6],
  ['gpt-oss-20b-1:0', 0.07, undefined, 0.3],
  ['jamba-1-5-large', 2, undefined, 8],
  ['jamba-1-5-mini', 0.2, undefined, 0.4],
  ['embed-english-v3 embed-multilingual-v3', 0.1, undefined, 0],
  ['embed-v4:0', 0.12, undefined, 0],
];

const MISTRAL: readonly Row[] = [
  ['mistral-large-2512 mistral-large-3 mistral-large-latest', 0.5, undefined, 1.5],
  ['mistral-large-2411 pixtral-large-2411 pixtral-large-latest', 2, undefined, 6],
  ['mistral-large-2407', 3, undefined, 9],
  ['mistral-large-2402', 4, undefined, 12],
  ['mistral-medium-2604 mistral-medium-3-5 mistral-medium-latest', 1.5, undefined, 7.5],
  ['mistral-medium-2505 mistral-medium-2508', 0.4, undefined, 2],
  ['magistral-medium-2506 magistral-medium-2509 magistral-medium-latest', 2, undefined, 5],
  ['magistral-small-2506 magistral-small-latest', 0.5, undefined, 1.5],
  ['codestral-2508', 0.3, undefined, 0.9],
  ['devstral-2512 devstral-medium-2507 devstral-medium-latest', 0.4, undefined, 2],
  ['devstral-small-2505 devstral-small-2507', 0.1, undefined, 0.3],
  ['ministral-3b-2512 ministral-3-3b-2512', 0.1, undefined, 0.1],
  ['ministral-8b-2512 ministral-3-8b-2512', 0.15, undefined, 0.15],
  ['ministral-14b-2512 ministral-3-14b-2512', 0.2, undefined, 0.2],
  ['mistral-embed', 0.1, undefined, 0],
  ['codestral-embed codestral-embed-2505', 0.15, undefined, 0],
];

const DEEPSEEK: readonly Row[] = [
  ['deepseek-chat deepseek-reasoner', 0.28, 0.028, 0.42],
  ['deepseek-v4-flash', 0.14, 0.0028, 0.28],
  ['deepseek-v4-pro', 0.435, 0.003625, 0.87],
];

const X_AI: readonly Row[] = [
  ['grok-4.5', 2, 0.5, 6, UP_TO_200K],
  ['grok-4.3', 1.25, 0.2, 2.5, UP_TO_200K],
  ['grok-4-1-fast grok-4-1-fast-reasoning grok-4-1-fast-non-reasoning', 0.2, 0.05, 0.5, UP_TO_128K],
  ['grok-4-fast-reasoning grok-4-fast-non-reasoning', 0.2, 0.05, 0.5, UP_TO_128K],
  ['grok-4', 3, 0.75, 15, UP_TO_128K],
  ['grok-3', 3, 0.75, 15],
  ['grok-3-mini', 0.3, 0.075, 0.5],
  ['grok-code-fast-1 grok-code-fast', 0.2, 0.02, 1.5],
];

const COHERE: readonly Row[] = [
  ['command-a-03-2025 command-r-plus-08-2024 command-r-plus', 2.5, undefined, 10],
  ['command-r-08-2024 command-r', 0.15, undefined, 0.6],
  ['command-r7b-12-2024', 0.0375, undefined, 0.15],
  ['embed-english-v3.0 embed-multilingual-v3.0 embed-english-light-v3.0', 0.1, undefined, 0],
  ['embed-v4.0', 0.12, undefined, 0],
];

const GROQ: readonly Row[] = [
  ['llama-3.1-8b-instant', 0.05, undefined, 0.08],
  ['llama-3.3-70b-versatile', 0.59, undefined, 0.79],
  ['llama-4-maverick-17b-128e-instruct', 0.2, undefined, 0.6],
  ['llama-4-scout-17b-16e-instruct', 0.11, undefined, 0.34],
];

/** Models whose names no other vendor uses. */
const VOYAGE: readonly Row[] = [
  ['voyage-3-large voyage-code-3 voyage-context-3', 0.18, undefined, 0],
  ['voyage-3.5 voyage-3', 0.06, undefined, 0],
  ['voyage-3.5-lite voyage-3-lite', 0.02, undefined, 0],
];

function pricesOf(providers: readonly string[] | undefined, rows: readonly Row[]): Price[] {
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
 * List prices of common models at the standard rate, as published by their vendors. A file can replace the table: see
 * `loadPrices`.
 */
export const DEFAULT_PRICES = new PriceTable('2026-07-24', [
  ...pricesOf(['openai', 'azure.ai.openai', 'azure.ai.inference'], OPENAI),
  ...pricesOf(['anthropic', 'aws.bedrock', 'gcp.vertex_ai'], ANTHROPIC),
  ...pricesOf(['gcp.gemini', 'gcp.gen_ai', 'gcp.vertex_ai'], GOOGLE),
  ...pricesOf(['aws.bedrock'], BEDROCK),
  ...pricesOf(['mistral_ai'], MISTRAL),
  ...pricesOf(['deepseek'], DEEPSEEK),
  ...pricesOf(['x_ai'], X_AI),
  ...pricesOf(['cohere'], COHERE),
  ...pricesOf(['groq'], GROQ),
  ...pricesOf(undefined, VOYAGE),
]);
