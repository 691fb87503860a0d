import { COUNTS, replyTo, responseId, type Reply } from './reply.js';

/** What is read of a chat completion request. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly unknown[];
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
  prompt_tokens: COUNTS.input,
  completion_tokens: COUNTS.output,
  total_tokens: COUNTS.input + COUNTS.output,
  prompt_tokens_details: { cached_tokens: COUNTS.cached, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: COUNTS.reasoning, audio_tokens: 0 },
};
const FACTS = { created: 1_790_000_000, system_fingerprint: 'fp_assay' };

/** The answer to a chat completion request, whole and as the chunks of a stream. */
export function chatResponse(request: ChatRequest): {
  readonly whole: object;
  readonly chunks: readonly object[];
} {
  const facts = { ...FACTS, id: responseId('chatcmpl-assay'), model: `${request.model}-2026-08-06` };
  const choice = choiceOf(replyTo(request.messages, request.tools));
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

function choiceOf(reply: Reply): Choice {
  if ('text' in reply) return { message: { role: 'assistant', content: reply.text }, finish_reason: 'stop' };
  const tool_calls = reply.calls.map(({ id, name, arguments: values }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(values) },
  }));
  return { message: { role: 'assistant', content: null, tool_calls }, finish_reason: 'tool_calls' };
}

function deltasOf({ message }: Choice): readonly object[] {
  if (message.tool_calls)
    return [{ role: 'assistant', tool_calls: message.tool_calls.map((call, index) => ({ index, ...call })) }];
  const words = (message.content ?? '').split(/(?<= )/);
  return [{ role: 'assistant', content: '' }, ...words.map((content) => ({ content }))];
}
