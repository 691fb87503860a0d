import { mapAttributes } from '../../test/map-one.js';

/** prompt, completion, total, cache read, cache write, reasoning; undefined where absent. */
type Counts = readonly (number | undefined)[];

const FIELDS = [
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'reasoning_tokens',
];

function countsOf(usage: unknown): { counts: Counts; metadata: Record<string, unknown> } {
  const { metadata } = mapAttributes({
    'langfuse.observation.type': 'generation',
    'langfuse.observation.usage_details': JSON.stringify(usage),
  });
  return { counts: FIELDS.map((field) => metadata[field] as number | undefined), metadata };
}

describe('the usage object', () => {
  it.each<[string, unknown, Counts]>([
    [
      'of OpenAI chat completions',
      {
        prompt_tokens: 120,
        completion_tokens: 30,
        total_tokens: 150,
        prompt_tokens_details: { cached_tokens: 64, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 20 },
      },
      [120, 30, 150, 64, undefined, 20],
    ],
    [
      'of Ollama',
      { prompt_eval_count: 11, eval_count: 22, eval_duration: 5 },
      [11, 22, 33, undefined, undefined, undefined],
    ],
    [
      'of OpenAI responses',
      {
        input_tokens: 120,
        output_tokens: 30,
        total_tokens: 150,
        input_tokens_details: { cached_tokens: 64 },
        output_tokens_details: { reasoning_tokens: 20 },
      },
      [120, 30, 150, 64, undefined, 20],
    ],
    [
      'of Anthropic, whose input excludes the cache',
      { input_tokens: 12, cache_creation_input_tokens: 900, cache_read_input_tokens: 100, output_tokens: 40 },
      [1012, 40, 1052, 100, 900, undefined],
    ],
    [
      'of Anthropic with only the parts of what was cached',
      {
        input_tokens: 12,
        cache_creation: { ephemeral_5m_input_tokens: 600, ephemeral_1h_input_tokens: 300 },
        output_tokens: 40,
      },
      [912, 40, 952, undefined, 900, undefined],
    ],
    [
      'of Anthropic with a cache smaller than the input',
      { input_tokens: 500, cache_creation_input_tokens: 0, cache_read_input_tokens: 100, output_tokens: 40 },
      [600, 40, 640, 100, 0, undefined],
    ],
    [
      'of Gemini with thoughts and tools beside the candidates',
      {
        promptTokenCount: 20,
        candidatesTokenCount: 2,
        thoughtsTokenCount: 30,
        toolUsePromptTokenCount: 7,
        cachedContentTokenCount: 8,
        totalTokenCount: 59,
      },
      [27, 32, 59, 8, undefined, 30],
    ],
    [
      'of Bedrock',
      {
        inputTokens: 10,
        outputTokens: 5,
        totalTokens: 15,
        cacheReadInputTokens: 4,
        cacheWriteInputTokens: 0,
      },
      [10, 5, 15, 4, 0, undefined],
    ],
    [
      'of Cohere',
      { billed_units: { input_tokens: 3, output_tokens: 4 }, tokens: { input_tokens: 9, output_tokens: 4 } },
      [9, 4, 13, undefined, undefined, undefined],
    ],
    [
      'of Cohere without token counts',
      { billed_units: { input_tokens: 3 } },
      [3, undefined, 3, undefined, undefined, undefined],
    ],
    [
      'of LangChain',
      {
        input_tokens: 120,
        output_tokens: 30,
        total_tokens: 150,
        input_token_details: { cache_read: 64, cache_creation: 1 },
        output_token_details: { reasoning: 20 },
      },
      [120, 30, 150, 64, 1, 20],
    ],
    [
      'of LiteLLM',
      {
        prompt_tokens: 1012,
        completion_tokens: 40,
        total_tokens: 1052,
        cache_creation_input_tokens: 900,
        cache_read_input_tokens: 100,
        prompt_tokens_details: { cached_tokens: 100 },
      },
      [1012, 40, 1052, 100, 900, undefined],
    ],
    [
      'in buckets beside each other',
      { input: 56, input_cached_tokens: 64, output: 10, output_reasoning_tokens: 20, total: 150 },
      [120, 30, 150, 64, undefined, 20],
    ],
    [
      'in buckets of other kinds beside each other',
      { input: 50, input_audio_tokens: 6, input_cached_tokens: 64, output: 30, total: 150 },
      [120, 30, 150, 64, undefined, undefined],
    ],
    [
      'with counts as text',
      { input: '5', output: '2', total: '7' },
      [5, 2, 7, undefined, undefined, undefined],
    ],
    ['without a total', { input: 5, output: 2 }, [5, 2, 7, undefined, undefined, undefined]],
    [
      'with reasoning larger than the output, which excludes it',
      { input: 5, output: 2, output_reasoning_tokens: 30 },
      [5, 32, 37, undefined, undefined, 30],
    ],
  ])('%s', (_, usage, expected) => expect(countsOf(usage).counts).toEqual(expected));

  it('keeps a total that its parts cannot explain, and marks it', () => {
    const { counts, metadata } = countsOf({ input: 10, output: 5, total: 99 });
    expect(counts.slice(0, 3)).toEqual([10, 5, 99]);
    expect(metadata['usage_unreconciled']).toBe(true);
    expect(countsOf({ input: 10, output: 5, total: 3 }).metadata['usage_unreconciled']).toBe(true);
    expect(countsOf({ input: 10, output: 5, total: 15 }).metadata).not.toHaveProperty('usage_unreconciled');
  });

  it.each([-5, 2.5, 'many', null, true, [], {}])(
    'keeps the count %j, which is none, as a detail',
    (count) => {
      const { counts, metadata } = countsOf({ input: count, output: 5 });
      expect(counts.slice(0, 3)).toEqual([undefined, 5, 5]);
      if (count !== null) expect(metadata['usage_details']).toMatchObject({ input: count });
    },
  );

  it('keeps what was sent beside the sums that include it', () => {
    const { metadata } = countsOf({
      promptTokenCount: 20,
      candidatesTokenCount: 2,
      thoughtsTokenCount: 30,
      totalTokenCount: 52,
    });
    expect(metadata['usage_details']).toEqual({ no_reasoning_output: 2 });
  });
});

describe('costs in parts', () => {
  const costOf = (costs: unknown) =>
    mapAttributes({
      'langfuse.observation.type': 'generation',
      'langfuse.observation.cost_details': JSON.stringify(costs),
    }).metadata['cost'];

  it('are added without noise', () => expect(costOf({ input: 0.1, output: 0.2 })).toBe(0.3));
  it('are outranked by a total', () => expect(costOf({ input: 0.1, output: 0.2, total: 1 })).toBe(1));
  it('are no cost when one of them is no amount', () =>
    expect(costOf({ input: 0.1, output: 'unknown' })).toBeUndefined());
});

describe('the usage object of a whole response', () => {
  const usage = { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150 };
  const choices = [{ message: { role: 'assistant', content: 'a' } }];
  const counts = { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150 };

  it.each<[string, Record<string, unknown>]>([
    [
      'of OpenInference',
      { 'openinference.span.kind': 'LLM', 'output.value': JSON.stringify({ choices, usage }) },
    ],
    [
      'of LangChain',
      {
        'openinference.span.kind': 'LLM',
        'output.value': JSON.stringify({
          generations: [[{ text: 'a', message: { role: 'assistant', content: 'a' } }]],
          llm_output: { token_usage: usage },
        }),
      },
    ],
    [
      'of Genkit',
      {
        'genkit:metadata:subtype': 'model',
        'genkit:output': JSON.stringify({
          message: { role: 'model', content: [{ text: 'a' }] },
          usage: { inputTokens: 120, outputTokens: 30, totalTokens: 150 },
        }),
      },
    ],
    [
      'of Gemini in Langfuse',
      {
        'langfuse.observation.type': 'generation',
        'langfuse.observation.output': JSON.stringify({
          candidates: [{ content: { role: 'model', parts: [{ text: 'a' }] } }],
          usageMetadata: { promptTokenCount: 120, candidatesTokenCount: 30, totalTokenCount: 150 },
        }),
      },
    ],
  ])('%s counts', (_, attributes) => {
    expect(mapAttributes(attributes)).toMatchObject({ outputs: { content: 'a' }, metadata: counts });
  });

  it('excludes the cache where that of Anthropic does', () => {
    const ofAnthropic = { input_tokens: 12, cache_read_input_tokens: 100, output_tokens: 40 };
    const output = { role: 'assistant', content: [{ type: 'text', text: 'a' }], usage: ofAnthropic };
    const { metadata } = mapAttributes({
      'openinference.span.kind': 'LLM',
      'output.value': JSON.stringify(output),
    });
    expect(metadata).toMatchObject({ prompt_tokens: 112, completion_tokens: 40, total_tokens: 152 });
  });

  it('ranks below counts of the span, and is none of a span that calls no model', () => {
    const output = { 'output.value': JSON.stringify({ choices, usage }) };
    const model = mapAttributes({ 'openinference.span.kind': 'LLM', 'llm.token_count.prompt': 7, ...output });
    expect(model.metadata).toMatchObject({ prompt_tokens: 7 });
    expect(model.metadata).not.toHaveProperty('completion_tokens');
    const chain = mapAttributes({ 'openinference.span.kind': 'CHAIN', ...output });
    expect(chain.metadata).not.toHaveProperty('prompt_tokens');
    expect(chain.outputs).toEqual({ choices, usage });
  });
});
