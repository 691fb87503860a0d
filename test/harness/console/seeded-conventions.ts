import type { Stack } from '../stack/stack.js';

/** A model call as an instrumentation of one convention sends it. */
export interface ConventionCall {
  readonly name: string;
  readonly session: string;
  readonly question: string;
  readonly reply: string;
}

const ask = (name: string) => `Where is my order, asks ${name}?`;
const say = (name: string) => `It was shipped, says ${name}.`;
const json = JSON.stringify;
const parts = (role: string, content: string) => json([{ role, parts: [{ type: 'text', content }] }]);

const ATTRIBUTES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  GenAI: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.input.messages': parts('user', ask('GenAI')),
    'gen_ai.output.messages': parts('assistant', say('GenAI')),
  },
  OpenInference: {
    'openinference.span.kind': 'LLM',
    'llm.model_name': 'gpt-4o',
    'llm.input_messages.0.message.role': 'user',
    'llm.input_messages.0.message.content': ask('OpenInference'),
    'llm.output_messages.0.message.role': 'assistant',
    'llm.output_messages.0.message.content': say('OpenInference'),
  },
  Vercel: {
    'ai.operationId': 'ai.generateText.doGenerate',
    'ai.model.id': 'gpt-4o',
    'ai.prompt.messages': json([{ role: 'user', content: [{ type: 'text', text: ask('Vercel') }] }]),
    'ai.response.text': say('Vercel'),
  },
};

/** Sends one model call in each convention, each in a session of its own. */
export async function seedConventions(stack: Stack): Promise<readonly ConventionCall[]> {
  const calls = Object.keys(ATTRIBUTES).map((name, nth) => ({
    ...{ name, question: ask(name), reply: say(name) },
    session: `7777777${nth}-7777-4777-8777-777777777777`,
  }));
  const start = Date.now() - 60_000;
  const spans = calls.map(({ name, session }, nth) => ({
    ...{
      traceId: `${nth + 1}`.padStart(32, 'a'),
      spanId: `${nth + 1}`.padStart(16, 'b'),
      name: `chat ${name}`,
    },
    ...{ startTimeUnixNano: `${start}000000`, endTimeUnixNano: `${start + 900}000000` },
    attributes: Object.entries({ 'session.id': session, ...ATTRIBUTES[name] }).map(([key, stringValue]) => ({
      key,
      value: { stringValue },
    })),
  }));
  const response = await fetch(`${stack.baseUrl}/v1/traces`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${stack.apiKey}`, 'Content-Type': 'application/json' },
    body: json({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
  });
  if (!response.ok) throw new Error(`the traces were refused: ${response.status} ${await response.text()}`);
  return calls;
}
