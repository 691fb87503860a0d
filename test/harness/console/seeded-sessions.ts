import type { Stack } from '../stack/stack.js';

/** Sessions that the page of a session is tested with, by what is special about them. */
export const SESSIONS = {
  agent: '11111111-1111-4111-8111-111111111111',
  long: '22222222-2222-4222-8222-222222222222',
  large: '33333333-3333-4333-8333-333333333333',
  hostile: '44444444-4444-4444-8444-444444444444',
  huge: '55555555-5555-4555-8555-555555555555',
  live: '66666666-6666-4666-8666-666666666666',
  exact: '88888888-8888-4888-8888-888888888801',
  deep: '88888888-8888-4888-8888-888888888802',
  markdown: '88888888-8888-4888-8888-888888888803',
  turning: '88888888-8888-4888-8888-888888888804',
} as const;

/** Beginning of every session. */
const START = Date.now() - 600_000;
const IN_ONE_REQUEST = 500;

/** A client of the routes that take events. */
export type Sender = Pick<Stack, 'baseUrl' | 'apiKey'>;

export type SentEvent = Readonly<Record<string, unknown>>;

/** Sends events to the route that clients use, and waits until they are stored. @throws Error when they are refused */
export async function sendEvents(stack: Sender, events: readonly SentEvent[]): Promise<void> {
  await acceptEvents(stack, events);
  while (await isBehind(stack));
}

/** Whether the store still lacks what was accepted before. */
async function isBehind(stack: Sender): Promise<boolean> {
  const response = await fetch(`${stack.baseUrl}/v1/events/page`, {
    method: 'POST',
    headers: { ...headersOf(stack), Prefer: 'wait=30' },
    body: JSON.stringify({ filters: [], limit: 1, count: 'none' }),
  });
  if (!response.ok)
    throw new Error(`the events were not stored: ${response.status} ${await response.text()}`);
  return response.headers.get('assay-freshness')?.startsWith('behind') === true;
}

/** Sends events without waiting until they are stored. */
export async function acceptEvents(stack: Sender, events: readonly SentEvent[]): Promise<void> {
  for (let from = 0; from < events.length; from += IN_ONE_REQUEST) {
    const response = await fetch(`${stack.baseUrl}/v1/events/batch`, {
      method: 'POST',
      headers: headersOf(stack),
      body: JSON.stringify({ events: events.slice(from, from + IN_ONE_REQUEST) }),
    });
    if (!response.ok) throw new Error(`events were refused: ${response.status} ${await response.text()}`);
  }
}

const headersOf = ({ apiKey }: Sender) => ({
  Authorization: `Bearer ${apiKey}`,
  'Content-Type': 'application/json',
});

export const eventId = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`;

/** An event from `at` to `at + length` milliseconds after the start. */
export function anEventOf(session: string, at: number, length: number, fields: SentEvent): SentEvent {
  return {
    ...{ session_id: session, parent_id: session, event_type: 'chain', event_name: 'step', source: 'test' },
    ...{ start_time: START + at, end_time: START + at + length, inputs: {}, outputs: {}, ...fields },
  };
}

export function aSession(session: string, name: string, length: number, fields: SentEvent = {}): SentEvent {
  const about = { event_id: session, event_type: 'session', event_name: name, session_name: name };
  return { ...anEventOf(session, 0, length, { ...about, ...fields }), parent_id: undefined };
}

const QUESTION = 'Where is my refund for order 118?';
const RESULT = { status: 'shipped', refund: { amount: 40, currency: 'EUR' } };

/** An agent with two model calls, tools, errors, an event that has not ended, and one whose parent is missing. */
export function agentSession(): readonly SentEvent[] {
  const session = SESSIONS.agent;
  const of = (nth: number, at: number, length: number, fields: SentEvent) =>
    anEventOf(session, at, length, { event_id: eventId(nth), ...fields });
  const asked = [
    { role: 'system', content: 'Answer questions about refunds.' },
    { role: 'user', content: QUESTION },
  ];
  const calling = {
    ...{ role: 'assistant', content: null, reasoning: 'Look up the order first.' },
    tool_calls: [{ id: 'call_1', name: 'search_orders', arguments: { order: 118 } }],
  };
  const model = {
    event_type: 'model',
    config: { model: 'gpt-4o' },
    metadata: { total_tokens: 2_104, cost: 0.011 },
  };
  return [
    aSession(session, 'refund-agent', 9_400, {
      ...{ inputs: { question: QUESTION }, outputs: { answer: 'It was issued on 3 May.' } },
      metrics: { accuracy: 0.9, helpful: true },
    }),
    of(1, 20, 2_100, { event_name: 'plan' }),
    of(2, 60, 1_840, {
      ...model,
      parent_id: eventId(1),
      event_name: 'first call',
      inputs: { chat_history: asked },
      outputs: calling,
    }),
    of(3, 2_180, 193, {
      event_type: 'tool',
      event_name: 'search_orders',
      inputs: { order: 118 },
      outputs: RESULT,
    }),
    of(4, 2_240, 61, {
      event_type: 'tool',
      parent_id: eventId(3),
      event_name: 'http GET',
      error: '404: no label',
    }),
    of(5, 5_500, 900, { event_type: 'tool', event_name: 'bank_holidays', error: 'timeout after 900 ms' }),
    of(6, 7_280, 2_050, {
      ...{ ...model, event_name: 'second call' },
      inputs: {
        chat_history: [...asked, calling, { role: 'tool', tool_call_id: 'call_1', content: RESULT }],
      },
      outputs: {
        role: 'assistant',
        content: 'Your refund of €40 was issued on 3 May.',
        finish_reason: 'stop',
      },
    }),
    { ...of(7, 9_300, 0, { event_name: 'never ended' }), end_time: undefined },
    of(8, 9_350, 30, {
      event_type: 'tool',
      event_name: 'orphan',
      parent_id: eventId(999),
      outputs: { id: 7 },
    }),
  ];
}

/** A session of many small events, with an error each 800. */
export function longSession(session: string, count: number): readonly SentEvent[] {
  const events = Array.from({ length: count }, (_, nth) => {
    const isModel = nth % 6 === 3;
    return anEventOf(session, nth * 10, 5 + ((nth * 37) % 900), {
      event_type: isModel ? 'model' : nth % 6 === 0 ? 'chain' : 'tool',
      event_name: isModel ? 'ChatCompletion' : `step ${nth}`,
      ...(nth % 800 === 799 && { error: `failure ${nth}` }),
      ...(isModel && { config: { model: 'gpt-4o-mini' }, metadata: { total_tokens: 100, cost: 0.0001 } }),
    });
  });
  return [aSession(session, 'long agent', count * 10), ...events];
}

/** Outputs of about 10 MB, the most that one event may have. */
export function largeSession(): readonly SentEvent[] {
  const text = 'the quick brown fox jumps '.repeat(4);
  const rows = Array.from({ length: 64_000 }, (_, id) => ({ id, name: `row ${id}`, text }));
  return [aSession(SESSIONS.large, 'large payload', 100, { outputs: { rows, needle: 'Found At Last' } })];
}
