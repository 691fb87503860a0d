/** What the model says next: a text, or calls of tools. */
export type Reply = { readonly text: string } | { readonly calls: readonly ToolCall[] };

interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: object;
}

/** Counts of every response, as every provider reports them in its own words. */
export const COUNTS = { input: 1234, cached: 1024, output: 57, reasoning: 16 };
export const MESSAGE_OF_FAILURE = 'the model is broken';

let responses = 0;

/** An id that no other response of this process has. */
export const responseId = (prefix: string): string => `${prefix}-${++responses}`;

const WEATHER = 'It is 12 degrees in Oslo.';

/** A text that makes every request that contains it fail. */
const FAILS_ON = 'Are you there?';

export const isToFail = (request: unknown): boolean => JSON.stringify(request).includes(FAILS_ON);

/**
 * With tools and no tool result yet the model calls `get_weather`, for Bergen too if it is asked about it; after a tool result it tells
 * the weather, by the tool `final_answer` if there is one; without tools it greets.
 *
 * @param messages of the request, in any provider's form
 * @param tools of the request, in any provider's form
 */
export function replyTo(messages: unknown, tools: readonly unknown[] | undefined): Reply {
  const text = JSON.stringify(messages ?? []);
  const hasResult = text.includes('"role":"tool"') || text.includes('12 degrees');
  if (hasResult && JSON.stringify(tools ?? []).includes('"final_answer"'))
    return { calls: [{ id: 'call_answer_1', name: 'final_answer', arguments: { answer: WEATHER } }] };
  if (hasResult) return { text: WEATHER };
  if (!tools?.length) return { text: 'Hello from the model.' };
  const cities = text.includes('Bergen') ? ['Oslo', 'Bergen'] : ['Oslo'];
  const calls = cities.map((city, index) => ({
    id: `call_weather_${index + 1}`,
    name: 'get_weather',
    arguments: { city },
  }));
  return { calls };
}
