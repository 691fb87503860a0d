import { chatCompletion } from '../../test/fake-provider.js';
import { judgeOnce } from '../../test/judge-on-fake.js';
import type { ProviderApi } from '../judge-options.js';
import type { JudgeRequest } from '../judge.js';

/** A reply in the parts and with the reason to stop of each API. */
type Reply = (parts: readonly object[], stopReason?: string | null) => object;

const REPLIES: Readonly<Record<ProviderApi, Reply>> = { openai: chat, azure: chat, anthropic, bedrock };
const APIS = Object.keys(REPLIES) as ProviderApi[];
const THOUGHTS: Readonly<Record<ProviderApi, object>> = {
  openai: { type: 'reasoning', text: 'perhaps [[1]]' },
  azure: { type: 'thinking', thinking: [{ type: 'text', text: 'perhaps [[1]]' }] },
  anthropic: { type: 'thinking', thinking: 'perhaps [[1]]', text: 'perhaps [[1]]' },
  bedrock: { reasoningContent: { reasoningText: { text: 'perhaps [[1]]' } } },
};
const COMPLETED: Readonly<Record<ProviderApi, string>> = {
  openai: 'stop',
  azure: 'stop',
  anthropic: 'end_turn',
  bedrock: 'stop_sequence',
};
const INTERRUPTED: Readonly<Record<ProviderApi, readonly string[]>> = {
  openai: ['length', 'content_filter', 'tool_calls', 'error'],
  azure: ['length', 'content_filter'],
  anthropic: ['max_tokens', 'tool_use', 'refusal', 'pause_turn', 'model_context_window_exceeded'],
  bedrock: ['max_tokens', 'guardrail_intervened', 'content_filtered'],
};

function chat(parts: readonly object[], stopReason: string | null = 'stop'): object {
  const choice = { message: { role: 'assistant', content: parts }, finish_reason: stopReason };
  return { choices: [choice], usage: { prompt_tokens: 10, completion_tokens: 2 } };
}

function anthropic(content: readonly object[], stop_reason: string | null = 'end_turn'): object {
  return { content, stop_reason, usage: { input_tokens: 10, output_tokens: 2 } };
}

function bedrock(parts: readonly object[], stopReason: string | null = 'end_turn'): object {
  const content = parts.map(({ type: _type, ...part }: { type?: string }) => part);
  return { output: { message: { content } }, stopReason, usage: { inputTokens: 10, outputTokens: 2 } };
}

const text = (value: string) => ({ type: 'text', text: value });

/** Judges once by a model of this API that gives one reply. */
function judge(api: ProviderApi, body: object, request: Partial<JudgeRequest> = {}) {
  return judgeOnce([{ body }], {
    request: { modelProvider: 'p', ...request },
    options: ({ url }) => ({ providers: { p: { api, url } } }),
  });
}

describe.each(APIS)('a reply of the API %s', (api) => {
  const reply = REPLIES[api];

  it('is rated by its text, not by its thoughts', async () => {
    const parts = [THOUGHTS[api], text('Fine. '), THOUGHTS[api], text('[[3]]')];
    const { outcome } = await judge(api, reply(parts, COMPLETED[api]));
    expect(outcome).toMatchObject({ ok: true, value: 3, explanation: 'Fine.' });
  });

  it.each<[string, object[]]>([
    ['thoughts only', [THOUGHTS[api]]],
    ['thoughts in the text only', [text('<think>perhaps [[2]]</think>I cannot rate it.')]],
    ['a refusal', [{ type: 'refusal', refusal: 'I cannot rate [[1]]' }]],
    ['a call of a tool', [{ type: 'tool_use', name: 'grade', input: { rating: '[[1]]' } }]],
    ['no part', []],
    ['an empty text', [text('')]],
  ])('has no rating in %s', async (_, parts) => {
    const { outcome, provider } = await judge(api, reply(parts));
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'llm_response_parse_error', retryable: false },
      tokens: { prompt: 10, completion: 2 },
    });
    expect(provider.requests).toHaveLength(1);
  });

  it.each(INTERRUPTED[api])('that ended with the reason %s is not rated', async (reason) => {
    const { outcome } = await judge(api, reply([text('[[4]] because')], reason));
    const message = `the reply of the model was not completed: ${reason}`;
    expect(outcome).toMatchObject({ ok: false, error: { code: 'llm_response_parse_error', message } });
  });

  it('that states no reason for its end is rated', async () => {
    const { outcome } = await judge(api, reply([text('[[4]]')], null));
    expect(outcome).toMatchObject({ ok: true, value: 4 });
  });

  it('quotes no reason that is not a word', async () => {
    const { outcome } = await judge(api, reply([text('[[4]]')], 'sk canary-1'));
    expect(outcome).toMatchObject({
      error: { message: 'the reply of the model was not completed: unknown' },
    });
  });

  it('to criteria that need no instructions answers a single message', async () => {
    const { provider } = await judge(api, reply([text('[[4]]')]));
    const { messages, system } = provider.requests[0]?.body as { messages: object[]; system?: unknown };
    expect(messages).toMatchObject([{ role: 'user' }]);
    expect(system).toBeUndefined();
  });
});

describe('a reply of a chat', () => {
  it('that is a refusal is not rated', async () => {
    const message = { role: 'assistant', content: null, refusal: 'I cannot rate [[1]]' };
    const { outcome } = await judge('openai', { choices: [{ message, finish_reason: 'stop' }] });
    const refused = 'the reply of the model was not completed: refusal';
    expect(outcome).toMatchObject({ error: { code: 'llm_response_parse_error', message: refused } });
  });

  it('is not rated by its reasoning', async () => {
    const message = { role: 'assistant', content: '', reasoning_content: 'I think [[4]]' };
    const { outcome } = await judge('openai', { choices: [{ message, finish_reason: 'stop' }] });
    expect(outcome).toMatchObject({ error: { code: 'llm_response_parse_error' } });
  });

  it.each<[string, string, unknown]>([
    ['Chinese', '这个回答很好,因此评分为 [[4]]。', 4],
    ['JSON around the rating', '{"explanation": "fine", "rating": "[[4]]"}', 4],
    ['2 MB of text', `${'very good 😀 '.repeat(150_000)}[[4]]`, 4],
    ['2 MB of thoughts', `<think>${'[[1]] '.repeat(350_000)}</think>[[4]]`, 4],
  ])('may be in %s', async (_, content, value) => {
    const { outcome } = await judge('openai', chatCompletion(content));
    expect(outcome).toMatchObject({ ok: true, value });
    expect((outcome.ok && outcome.explanation) || '').not.toMatch(/[\uD800-\uDBFF]$/);
  });

  it('is a label as the metric spells it, brackets included', async () => {
    const categories = ['Partly, but ok', 'N/A', 'Größe 😀', 'A]]B'].map((category) => ({ category }));
    for (const { category } of categories) {
      const request = { returnType: 'categorical', categories } as const;
      const { outcome } = await judge('openai', chatCompletion(`So: [[${category.toLowerCase()}]]`), request);
      expect(outcome).toMatchObject({ ok: true, value: category });
    }
  });
});
