import { COUNTS, replyTo, responseId } from './reply.js';

/** What is read of a request to generate content. */
export interface GeminiRequest {
  readonly contents: readonly unknown[];
  readonly tools?: readonly unknown[];
}

/** The answer to a request to generate content. Candidates are without thoughts. */
export function geminiResponse({ contents, tools }: GeminiRequest, model: string): object {
  const reply = replyTo(contents, tools);
  const parts =
    'text' in reply
      ? [{ text: reply.text }]
      : reply.calls.map(({ name, arguments: args }) => ({ functionCall: { name, args } }));
  return {
    responseId: responseId('gemini-assay'),
    modelVersion: `${model}-001`,
    candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount: COUNTS.input,
      cachedContentTokenCount: COUNTS.cached,
      candidatesTokenCount: COUNTS.output - COUNTS.reasoning,
      thoughtsTokenCount: COUNTS.reasoning,
      totalTokenCount: COUNTS.input + COUNTS.output,
    },
  };
}
