import { COUNTS, replyTo, responseId } from './reply.js';

/** What is read of a request to Anthropic's messages. */
export interface AnthropicRequest {
  readonly model: string;
  readonly messages: readonly unknown[];
  readonly tools?: readonly unknown[];
}

/** The answer to a request to Anthropic's messages. Input tokens are without those that a cache holds. */
export function anthropicResponse({ model, messages, tools }: AnthropicRequest): object {
  const reply = replyTo(messages, tools);
  const content =
    'text' in reply
      ? [{ type: 'text', text: reply.text }]
      : reply.calls.map(({ id, name, arguments: input }) => ({ type: 'tool_use', id, name, input }));
  return {
    id: responseId('msg_assay'),
    type: 'message',
    role: 'assistant',
    model: `${model}-20260806`,
    content,
    stop_reason: 'text' in reply ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: {
      input_tokens: COUNTS.input - COUNTS.cached,
      cache_read_input_tokens: COUNTS.cached,
      cache_creation_input_tokens: 0,
      output_tokens: COUNTS.output,
    },
  };
}
