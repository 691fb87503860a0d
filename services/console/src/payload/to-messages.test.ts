import type { Event } from '@assay/domain';
import { conventionVectors } from '@assay/otlp/test/convention-vectors';
import { conventionProgramVectors } from '@assay/otlp/test/program-vectors/convention-vectors';
import { messageVectors } from '@assay/otlp/test/program-vectors/message-vectors';
import { sdkVectors } from '@assay/otlp/test/sdk-vectors';
import { shippedClientVectors } from '@assay/otlp/test/shipped-client-vectors';
import { storedInEveryWay } from '@assay/otlp/test/arrival';
import { mapBothWays } from '@assay/otlp/test/vectors';
import { indexBytes, rootEntry } from './byte-index.js';
import type { Message, MessagePart } from './message.js';
import { pairCalls } from './pair-calls.js';
import { MESSAGE_LIMITS, readValue, type Value } from './read-value.js';
import { freshMessages } from './repeated-history.js';
import { toExchange } from './to-messages.js';

const read = (value: unknown, limits = MESSAGE_LIMITS): Value => {
  const index = indexBytes(new TextEncoder().encode(JSON.stringify(value)));
  return readValue(index, rootEntry(index), limits);
};
const exchangeOf = ({ inputs, outputs }: Pick<Event, 'inputs' | 'outputs'>) =>
  toExchange(read(inputs), read(outputs));

/** Everything that a reader sees of messages, without blanks and JSON syntax. */
function shownText(messages: readonly Message[]): string {
  return plainText(messages.map((message) => [message, message.parts.map(partText), message.details]));
}
const partText = (part: MessagePart) =>
  'text' in part ? part.text : part.kind === 'call' ? part.arguments : part.dataUrl;
const plainText = (value: unknown) => JSON.stringify(value).replaceAll(/\\+[nt"]|[\s"\\]/g, '');

/** Texts and numbers of a value, in order. A message without content shows none, and the type of a part is its shape. */
function leavesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  if (typeof value !== 'object' || value === null) return [plainText(value)];
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'type' || (key === 'content' && item === null) ? [] : leavesOf(item),
  );
}

const programs = [...conventionProgramVectors, ...messageVectors].map((vector) => ({
  name: vector.name,
  events: () => Object.values(storedInEveryWay(vector)),
}));
const requests = [...conventionVectors, ...sdkVectors, ...shippedClientVectors].map(
  ([name, spans, , scope]) => ({
    name,
    events: () => mapBothWays(spans, scope).events,
  }),
);

describe('messages of events that libraries of every convention have sent', () => {
  it.each([...requests, ...programs])('$name: every value is shown', ({ events }) => {
    for (const event of events()) {
      const { asked, answered } = exchangeOf(event);
      const [given, returned] = [shownText(asked), shownText(answered)];
      for (const leaf of leavesOf(event.inputs)) expect(given).toContain(leaf);
      for (const leaf of leavesOf(event.outputs)) expect(returned).toContain(leaf);
    }
  });

  it.each([...requests, ...programs])('$name: every message is shown once, in order', ({ events }) => {
    for (const event of events()) {
      const history = event.inputs['chat_history'];
      if (!Array.isArray(history)) continue;
      const { asked } = exchangeOf(event);
      const messages = asked.filter(({ role }) => role !== 'inputs');
      expect(messages.map(({ role }) => role)).toEqual(
        history.map((one) => (one as { role?: string }).role ?? ''),
      );
      history.forEach((one, at) => {
        const visible = shownText(messages.slice(at, at + 1));
        for (const leaf of leavesOf((one as { content?: unknown }).content ?? []))
          expect(visible).toContain(leaf);
      });
      const turns = pairCalls(messages);
      const inTurns = turns.flatMap(({ message, results }) => [
        message,
        ...results.filter((one) => one !== undefined),
      ]);
      expect(new Set(inTurns)).toEqual(new Set(messages));
      expect(inTurns).toHaveLength(messages.length);
    }
  });
});

describe('messages', () => {
  const call = { id: 'c1', name: 'search_orders', arguments: { order: 118 } };
  const question = { role: 'user', content: 'Where is my refund?' };
  const asking = { role: 'assistant', content: null, tool_calls: [call] };
  const result = { role: 'tool', tool_call_id: 'c1', content: { status: 'shipped' } };

  it('shows integers of tool calls digit for digit', () => {
    const index = indexBytes(
      new TextEncoder().encode(
        '{"role":"assistant","tool_calls":[{"name":"pay","arguments":{"id":9007199254740993}}]}',
      ),
    );
    const { answered } = toExchange(null, readValue(index, rootEntry(index)));
    expect(answered[0]?.parts[0]).toMatchObject({
      kind: 'call',
      arguments: '{\n  "id": 9007199254740993\n}',
    });
  });

  it('pairs calls with their results, and leaves other results where they are', () => {
    const stray = { role: 'tool', tool_call_id: 'c9', content: 'late' };
    const { asked } = exchangeOf({
      inputs: { chat_history: [question, asking, stray, result] },
      outputs: {},
    });
    const turns = pairCalls(asked);
    expect(turns.map(({ message }) => message.role)).toEqual(['user', 'assistant', 'tool']);
    expect(turns[1]?.results[0]?.callId).toBe('c1');
  });

  it('pairs calls without ids in order, up to the next response', () => {
    const [first, second] = [
      { name: 'a', arguments: 1 },
      { name: 'b', arguments: 2 },
    ];
    const of = (content: string) => ({ role: 'tool', content });
    const history = [{ role: 'assistant', content: '', tool_calls: [first, second] }, of('1'), of('2')];
    const [turn] = pairCalls(exchangeOf({ inputs: { chat_history: history }, outputs: {} }).asked);
    expect(turn?.results.map((one) => one?.parts[0])).toMatchObject([{ text: '1' }, { text: '2' }]);
  });

  it('collapses the history that a call repeats', () => {
    const before = exchangeOf({
      inputs: { chat_history: [question] },
      outputs: { ...asking, finish_reason: 'tool_calls' },
    });
    const { asked } = exchangeOf({ inputs: { chat_history: [question, asking, result] }, outputs: {} });
    expect(freshMessages(asked, before)).toEqual({ repeated: 2, fresh: asked.slice(2) });
    expect(freshMessages(asked, undefined).repeated).toBe(0);
  });

  it('collapses a history of which the client dropped the oldest messages', () => {
    const system = { role: 'system', content: 'Be kind.' };
    const chat = (...history: object[]) =>
      exchangeOf({ inputs: { chat_history: history as never }, outputs: {} });
    const before = chat(
      system,
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
      question,
    );
    const { asked } = chat(system, question, result);
    expect(freshMessages(asked, before)).toEqual({ repeated: 2, fresh: asked.slice(2) });
  });

  it('shows data URLs as media that are not loaded, and remote addresses as text', () => {
    const remote = { type: 'image', url: 'https://attacker.example/?q=secret' };
    const own = { type: 'image', url: `data:image/png;base64,${'A'.repeat(40)}` };
    const long = { type: 'image', url: `data:image/png;base64,${'A'.repeat(40_000)}` };
    const { asked } = exchangeOf({
      inputs: { chat_history: [{ role: 'user', content: [remote, own, long] }] },
      outputs: {},
    });
    const [first, second, third] = asked[0]?.parts ?? [];
    expect(first).toMatchObject({
      kind: 'media',
      dataUrl: '',
      elsewhere: 'https://attacker.example/?q=secret',
    });
    expect(second).toMatchObject({ kind: 'media', mimeType: 'image/png', dataUrl: own.url });
    expect(third).toMatchObject({
      kind: 'media',
      dataUrl: '',
      rest: { shownTo: expect.any(Number) as number },
    });
  });

  it('shows what is no message as fields', () => {
    const { asked, answered } = exchangeOf({
      inputs: { question: 'Why?', k: 3 },
      outputs: { result: ['a'] },
    });
    expect(asked).toMatchObject([
      {
        role: 'inputs',
        parts: [
          { name: 'question', text: 'Why?' },
          { name: 'k', text: '3' },
        ],
      },
    ]);
    expect(answered).toMatchObject([{ role: 'outputs', parts: [{ name: 'result', isJson: true }] }]);
  });

  it('cuts texts and says where the rest is', () => {
    const value = read({ role: 'assistant', content: 'x'.repeat(20_000) });
    const [message] = toExchange(null, value).answered;
    expect(message?.parts[0]).toMatchObject({
      kind: 'text',
      rest: { start: 31, shownTo: 31 + 16_384, end: 31 + 20_000 },
    });
  });
});
