import type { Stack } from '../stack/stack.js';
import { aSession, anEventOf, eventId, SESSIONS, type SentEvent } from './seeded-sessions.js';

export const EVIL = '</script><img src=x onerror=alert(1)>';
/** What no field may turn into a picture, a link or a program. */
export const HOSTILE_TEXT = `${EVIL} ![x](https://elsewhere.example/x.png) [l](javascript:alert(1))`;
/** Name of the event that has it in all of its fields. */
export const EVERY_FIELD = 'in every field';
/** A text that turns what follows around, with one in Hebrew and marks of directions that belong there. */
export const TURNING_TEXT =
  'paid 100 \u202eEUR to Bob\u202c, \u2067then\u2069 \u05e9\u05dc\u05d5\u05dd\u200f! \u061c12 pass\u200bword';
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Names, texts, times and parents that no client should send. */
export function hostileSession(): readonly SentEvent[] {
  const session = SESSIONS.hostile;
  const of = (nth: number, at: number, length: number, fields: SentEvent) =>
    anEventOf(session, at, length, { event_id: eventId(100 + nth), ...fields });
  return [
    aSession(session, EVIL, 100, {
      inputs: { question: `${EVIL} ![x](https://elsewhere.example/?q=1) [l](javascript:alert(1))` },
    }),
    of(1, 1, 10, { event_name: '\u202egnp.exe \u0007 😀' }),
    of(2, 2, 10, { event_name: 'x'.repeat(10_000) }),
    of(3, 3, 10, { event_name: 'cycle a', parent_id: eventId(104) }),
    of(4, 4, 10, { event_name: 'cycle b', parent_id: eventId(103) }),
    of(5, 5, -50, { event_name: 'backwards' }),
    of(8, 7, 10, {
      ...{ event_type: 'model', event_name: EVERY_FIELD, source: HOSTILE_TEXT, error: HOSTILE_TEXT },
      ...{ inputs: { question: HOSTILE_TEXT }, outputs: { answer: HOSTILE_TEXT } },
      ...{ config: { model: HOSTILE_TEXT }, metadata: { note: HOSTILE_TEXT, [HOSTILE_TEXT]: HOSTILE_TEXT } },
      ...{ user_properties: { name: HOSTILE_TEXT }, metrics: { verdict: HOSTILE_TEXT } },
      feedback: { 'note@ada': HOSTILE_TEXT, ground_truth: HOSTILE_TEXT },
    }),
    of(6, -500, 10, { event_name: 'too early' }),
    of(7, 6, 10, {
      ...{ event_type: 'tool', event_name: 'payloads' },
      inputs: {
        deep: JSON.parse(`${'['.repeat(50)}${']'.repeat(50)}`) as unknown,
        line: 'y'.repeat(1_000_000),
        image: `data:image/png;base64,${PIXEL}`,
        remote: { type: 'image', url: 'https://elsewhere.example/pixel.png' },
      },
    }),
  ];
}

/** A session whose name, texts, fields, values and error turn around what stands beside them. */
export function turningSession(): readonly SentEvent[] {
  const text = TURNING_TEXT;
  const call = {
    ...{ event_id: eventId(220), event_type: 'model', event_name: text, error: text, source: text },
    inputs: { chat_history: [{ role: 'user', content: text }], [text]: text },
    outputs: { role: 'assistant', content: `**${text}** and more` },
    ...{ config: { model: text }, metadata: { note: text, [text]: 1 }, user_properties: { name: text } },
    feedback: { 'note@ada': text },
  };
  return [
    aSession(SESSIONS.turning, text, 100, { inputs: { question: text } }),
    anEventOf(SESSIONS.turning, 1, 50, call),
  ];
}

/** Integers that no JavaScript number holds. */
export const EXACT = {
  order: '9007199254740993',
  least: '-9223372036854775808',
  longest: '123456789012345678901234567890',
} as const;
/** How payloads have them: beyond 64 bits with an exponent. */
export const STORED = [EXACT.order, EXACT.least, '1.23456789012345678901234567890e+29'] as const;

/** Sends a session whose fields have these integers, as digits of the body. Events are stored as soon as queries say so. */
export async function sendExactNumbers(stack: Stack): Promise<void> {
  const { order, least, longest } = EXACT;
  const session = aSession(SESSIONS.exact, 'exact numbers', 100, {
    inputs: { order, limits: [least, longest] },
    ...{ metadata: { order, longest, total_tokens: order, cost: order }, metrics: { order } },
  });
  const digits = Object.values(EXACT).join('|');
  const body = JSON.stringify({ events: [session] }).replace(new RegExp(`"(${digits})"`, 'g'), '$1');
  await post(stack, '/v1/events/batch', body);
}

const DEEP = 10_000;
/** JSON of a depth that no body may have. */
export const TOO_DEEP = `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`;
const ALLOWED = 60;

/** The deepest JSON that one event may have, with a text at its bottom, and JSON of depth 10,000 as the text of an attribute. */
export async function sendDeepJson(stack: Stack): Promise<void> {
  const innermost = `${'['.repeat(ALLOWED)}"the bottom"${']'.repeat(ALLOWED)}`;
  const event = anEventOf(SESSIONS.deep, 0, 10, {
    ...{ event_id: eventId(200), event_type: 'tool', event_name: 'deepest' },
    inputs: { deep: JSON.parse(innermost) as unknown },
  });
  await post(stack, '/v1/events', JSON.stringify(event));
  const attributes = { 'session.id': SESSIONS.deep, 'gen_ai.operation.name': 'execute_tool' };
  const start = Date.now() - 60_000;
  const span = {
    ...{ traceId: 'd'.repeat(32), spanId: 'd'.repeat(16), name: 'deeper' },
    ...{ startTimeUnixNano: `${start}000000`, endTimeUnixNano: `${start + 10}000000` },
    attributes: Object.entries({ ...attributes, 'gen_ai.tool.call.arguments': TOO_DEEP }).map(
      ([key, stringValue]) => ({ key, value: { stringValue } }),
    ),
  };
  await post(stack, '/v1/traces', JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }));
}

/** Markdown that wants to load, to run and to lead elsewhere, beside some that is harmless. */
export const HOSTILE_MARKDOWN = [
  '# A heading',
  'Some **strong** text, `code` and [a link](https://assay.example/docs).',
  '![a picture](https://elsewhere.example/pixel.png)',
  '[run](javascript:alert(1)) [also](JaVaScRiPt:alert(1)) [page](data:text/html,<script>alert(1)</script>)',
  '<img src=x onerror=alert(1)> <script>alert(1)</script> <https://elsewhere.example/auto>',
  '[![a picture in a link](https://elsewhere.example/2.png)](javascript:alert(2))',
  '| amount | currency |\n|---|---|\n| 40 | EUR |',
  '1. first\n2. second\n\n> quoted\n\n```js\nalert(1)\n```',
].join('\n\n');

/** A session of one model call whose texts are such Markdown. */
export function markdownSession(): readonly SentEvent[] {
  const call = {
    ...{ event_id: eventId(210), event_type: 'model', event_name: 'writes Markdown' },
    inputs: { chat_history: [{ role: 'user', content: HOSTILE_MARKDOWN }] },
    outputs: { role: 'assistant', content: HOSTILE_MARKDOWN },
  };
  return [aSession(SESSIONS.markdown, 'markdown', 100), anEventOf(SESSIONS.markdown, 1, 50, call)];
}

async function post(stack: Stack, path: string, body: string): Promise<void> {
  const response = await sendBody(stack, path, body);
  if (!response.ok) throw new Error(`${path} refused a body: ${response.status} ${await response.text()}`);
}

/** Sends a body as it is. */
export const sendBody = (stack: Stack, path: string, body: string) =>
  fetch(stack.baseUrl + path, {
    ...{ method: 'POST', body },
    headers: { Authorization: `Bearer ${stack.apiKey}`, 'Content-Type': 'application/json' },
  });
