import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_GRPC, startStandalone } from '../stack/start-standalone.js';
import { repository } from '../stack/repository.js';
import type { Stack } from '../stack/stack.js';

/** Starts the single process with the console that the build has written. */
export function startWithConsole(settings: Readonly<Record<string, string>> = {}): Promise<Stack> {
  return startStandalone({ ...NO_GRPC, CONSOLE_DIR: join(repository, 'services/console/dist'), ...settings });
}

/** Returns the link that the first start prints. */
export function printedLink({ dir }: Stack): string {
  const log = readFileSync(join(dir, 'standalone.log'), 'utf8');
  const [link] = /http:\S+\/console\/#code=\S+/.exec(log) ?? [];
  if (link === undefined) throw new Error('the first start printed no link');
  return link;
}

/** Numbers between 0 and 1 that are the same in every run. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

const QUESTIONS = [
  ['Where is my refund for order 118?', 'Your refund of €38 was issued on 4 May.'],
  ['How long does shipping to Portugal take?', 'Usually 3 to 5 days, 7 at most.'],
  ['Is the blue jacket back in stock?', 'Yes, in the sizes M and L.'],
  ['My discount code does not work', 'The code expired yesterday; here is another one.'],
  ['Do you ship to 東京? 🙂', 'Yes, within 9 days.'],
] as const;
const AGENTS = ['refund-agent', 'support-bot', 'search-agent'];
const SPREAD_MS = 3 * 86_400_000;
const IN_ONE_REQUEST = 100;

/** Sends agents with a model call and a tool each; every eighth fails. The last has names that are hard to draw. */
export async function seedTraces(stack: Stack, sessions: number): Promise<void> {
  const next = numbersFrom(20_261_127);
  const all = Array.from({ length: sessions }, (_, index) => agentTrace(index, next));
  for (let from = 0; from < all.length; from += IN_ONE_REQUEST) {
    const spans = all.slice(from, from + IN_ONE_REQUEST).flat();
    const response = await fetch(`${stack.baseUrl}/v1/traces`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${stack.apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
    });
    if (!response.ok) throw new Error(`the traces were refused: ${response.status} ${await response.text()}`);
  }
}

/** Waits until all that was sent is found. */
export async function untilFound({ baseUrl, apiKey }: Stack): Promise<void> {
  const response = await fetch(`${baseUrl}/v1/events/search`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json', Prefer: 'wait=30' },
    body: JSON.stringify({ filters: [], limit: 1 }),
  });
  if (!response.ok) throw new Error(`a search responds ${response.status} ${await response.text()}`);
}

function agentTrace(index: number, next: () => number): object[] {
  const hex = (bytes: number) =>
    Array.from({ length: bytes }, () =>
      Math.floor(next() * 256)
        .toString(16)
        .padStart(2, '0'),
    ).join('');
  const traceId = hex(16);
  const start = Date.now() - 60_000 - Math.floor(next() * SPREAD_MS);
  const length = 300 + Math.floor(next() * 4_000);
  const [question, reply] = QUESTIONS[index % QUESTIONS.length]!;
  const texts = {
    'gen_ai.input.messages': message('user', question),
    'gen_ai.output.messages': message('assistant', reply),
  };
  const root = {
    ...{ traceId, spanId: hex(8), name: AGENTS[index % AGENTS.length], ...times(start, length) },
    attributes: attributes({
      'gen_ai.operation.name': 'invoke_agent',
      ...texts,
      env: index % 4 === 0 ? 'staging' : 'prod',
    }),
  };
  const model = {
    ...{
      traceId,
      spanId: hex(8),
      parentSpanId: root.spanId,
      name: 'chat gpt-4o',
      ...times(start + 20, length / 2),
    },
    attributes: attributes({
      ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o', ...texts },
      'gen_ai.usage.input_tokens': 200 + Math.floor(next() * 2_000),
      'gen_ai.usage.output_tokens': 20 + Math.floor(next() * 300),
    }),
    ...(index % 8 === 7 && { status: { code: 2, message: 'the provider refused the call' } }),
  };
  const tool = {
    ...{
      traceId,
      spanId: hex(8),
      parentSpanId: root.spanId,
      name: 'search_orders',
      ...times(start + 30, 60),
    },
    attributes: attributes({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.call.arguments': '{"order": 118}',
    }),
  };
  return [root, model, tool];
}

const message = (role: string, content: string) =>
  JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);

const times = (start: number, length: number) => ({
  startTimeUnixNano: `${Math.floor(start)}000000`,
  endTimeUnixNano: `${Math.floor(start + length)}000000`,
});

const attributes = (values: Readonly<Record<string, string | number>>) =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));
