/** What is read of a chat completion request. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly unknown[];
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
}

interface Choice {
  readonly message: {
    readonly role: 'assistant';
    readonly content: string | null;
    readonly tool_calls?: readonly object[];
  };
  readonly finish_reason: 'stop' | 'tool_calls';
}

const USAGE = {
  prompt_tokens: 1234,
  completion_tokens: 57,
  total_tokens: 1291,
  prompt_tokens_details: { cached_tokens: 1024, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 16, audio_tokens: 0 },
};
const TOOL_CALL = {
  id: 'call_weather_1',
  type: 'function',
  function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
};
const FACTS = { id: 'chatcmpl-assay-1', created: 1_790_000_000, system_fingerprint: 'fp_assay' };

/**
 * The answer to a chat completion request, whole and as the chunks of a stream. With tools and no tool result yet the model calls
 * `get_weather`; after a tool result it tells the weather; else it greets.
 */
export function chatResponse(request: ChatRequest): {
  readonly whole: object;
  readonly chunks: readonly object[];
} {
  const facts = { ...FACTS, model: `${request.model}-2026-08-06` };
  const choice = choose(request);
  const whole = {
    ...facts,
    object: 'chat.completion',
    choices: [{ index: 0, ...choice, logprobs: null }],
    usage: USAGE,
  };
  const chunk = (choices: readonly object[], more: object = {}) => ({
    ...facts,
    object: 'chat.completion.chunk',
    choices,
    ...more,
  });
  const deltas = deltasOf(choice).map((delta) => chunk([{ index: 0, delta, finish_reason: null }]));
  const last = chunk([{ index: 0, delta: {}, finish_reason: choice.finish_reason }]);
  const usage = request.stream_options?.include_usage ? [chunk([], { usage: USAGE })] : [];
  return { whole, chunks: [...deltas, last, ...usage] };
}

function choose({ messages, tools }: ChatRequest): Choice {
  const hasResult = messages.some(({ role }) => role === 'tool');
  if (hasResult) return says('It is 12 degrees in Oslo.');
  if (!tools?.length) return says('Hello from the model.');
  return {
    message: { role: 'assistant', content: null, tool_calls: [TOOL_CALL] },
    finish_reason: 'tool_calls',
  };
}

function says(content: string): Choice {
  return { message: { role: 'assistant', content }, finish_reason: 'stop' };
}

function deltasOf({ message }: Choice): readonly object[] {
  if (message.tool_calls)
    return [{ role: 'assistant', tool_calls: message.tool_calls.map((call, index) => ({ index, ...call })) }];
  const words = (message.content ?? '').split(/(?<= )/);
  return [{ role: 'assistant', content: '' }, ...words.map((content) => ({ content }))];
}
