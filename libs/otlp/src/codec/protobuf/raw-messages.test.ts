import { withoutRawText } from '@assay/domain';
import fc from 'fast-check';
import { PROJECT } from '../../../test/map-one.js';
import { requestJson, spanJson, type SpanInput } from '../../../test/otlp-request.js';
import { ALL_VECTORS, randomSpan } from '../../../test/random-span.js';
import { toEvents } from '../../to-events.js';
import { decodeTraces } from '../decode-traces.js';
import { encodeRequest } from './encode-request.js';
import { readRawMessages } from './raw-messages.js';

const seed = Date.now() % 1_000_000_007;
process.stdout.write(`raw-messages.test.ts seed ${seed}\n`);

const context = { projectId: PROJECT, receivedAt: 1 };
const LONG = 'A long text. '.repeat(150);

/** Expects the events of spans to be the same with and without raw text. */
function expectSameEvents(spans: readonly SpanInput[]): void {
  const body = encodeRequest(requestJson(spans.map(spanJson)));
  const raw = toEvents(decodeTraces(body, 'protobuf', { rawText: true }), context);
  const plain = toEvents(decodeTraces(body, 'protobuf'), context);
  expect(JSON.stringify(withoutRawText(raw.events))).toBe(JSON.stringify(plain.events));
  expect(raw).toMatchObject({ sessions: plain.sessions, patches: plain.patches });
}

const text = fc.oneof(
  fc.constantFrom(LONG, `[{"a":1}]${LONG}`, `1${'0'.repeat(2_000)}`, `{"v":"${LONG}"}`, `é漢😀${LONG}`),
  fc.string({ maxLength: 20 }),
  fc.string({ minLength: 20, maxLength: 40, unit: 'binary' }).map((some) => some.repeat(60)),
  fc.constantFrom(
    `"\\/\b\f\n\r\t${LONG}`,
    `\u0001${LONG}`,
    `\u0000${LONG}`,
    `\ud83d${LONG}`,
    `\u2028${LONG}`,
  ),
);
const message = fc.oneof(
  fc.record({
    role: fc.constantFrom('user', 'system', 'assistant', 'human', 'tool', 'Developer', ''),
    parts: fc.array(fc.record({ type: fc.constantFrom('text', 'reasoning'), content: text }), {
      maxLength: 2,
    }),
  }),
  fc.record({ content: text, role: fc.constantFrom('user', 'assistant', 'tool') }),
  fc.record({
    role: fc.constant('assistant'),
    parts: fc.array(fc.record({ text, type: fc.constant('text') }), { minLength: 1, maxLength: 1 }),
    finish_reason: fc.constantFrom('stop', '', null),
  }),
  fc.record({ role: fc.constant('user'), content: text, name: fc.constant('Ada') }),
  fc.record({
    role: fc.constant('assistant'),
    parts: fc.constant([{ type: 'tool_call', name: 'f', arguments: LONG }]),
  }),
);
const messages = fc
  .record({ list: fc.array(message, { maxLength: 3 }), form: fc.nat(5) })
  .map(({ list, form }): string => {
    const json = JSON.stringify(list);
    if (form === 0) return JSON.stringify(list, null, 2);
    if (form === 1) return json.replaceAll('é', '\\u00e9').replaceAll('\\/', '/');
    if (form === 2) return ` \n${json}\t`;
    if (form === 3) return json.slice(0, -1);
    return form === 4 ? `${json} x` : json;
  });
const span = fc.record({
  attributes: fc.record(
    {
      'gen_ai.operation.name': fc.constantFrom('chat', 'execute_tool', 'embeddings', 'invoke_agent', 'other'),
      'gen_ai.input.messages': messages,
      'gen_ai.output.messages': messages,
      'gen_ai.system_instructions': fc.constantFrom(LONG, JSON.stringify([{ type: 'text', content: LONG }])),
      'llm.input_messages.0.message.content': fc.constantFrom(LONG, 'x'),
      'gen_ai.response.finish_reasons': fc.constantFrom(['stop'], 'length'),
      'output.value': fc.constantFrom(LONG, 'x'),
      'openinference.span.kind': fc.constantFrom('LLM', 'TOOL'),
    },
    { requiredKeys: [] },
  ),
});

describe('long messages that are not decoded', () => {
  it('give the same events as decoded ones', () => {
    fc.assert(fc.property(fc.array(span, { minLength: 1, maxLength: 1 }), expectSameEvents), {
      seed,
      numRuns: 200,
    });
  });

  it('give the same events on spans of several conventions', () => {
    fc.assert(
      fc.property(randomSpan, messages, (one, list) => {
        const attributes = {
          ...one.attributes,
          'gen_ai.input.messages': list,
          'gen_ai.output.messages': list,
        };
        expectSameEvents([{ ...one, attributes }]);
      }),
      { seed, numRuns: 100 },
    );
  });

  it.each(ALL_VECTORS.map(([name, spans]) => ({ name, spans })))(
    'give the same events: $name',
    ({ spans }) => {
      expectSameEvents(spans);
      expectSameEvents(spans.map(lengthened));
    },
  );

  it('are read from the forms that instrumentations write', () => {
    const parts = JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: LONG }] }]);
    const python = `[{"role": "assistant", "parts": [{"content": "${LONG}", "type": "text"}], "finish_reason": "stop"}]`;
    for (const json of [parts, python, JSON.stringify([{ role: 'user', content: LONG }])])
      expect(readRawMessages(Buffer.from(json))).toBeDefined();
  });

  it.each([
    ['escapes that JSON.stringify does not write', `[{"role":"user","content":"\\u0041${LONG}"}]`],
    ['an escaped slash', `[{"role":"user","content":"\\/${LONG}"}]`],
    ['other fields', `[{"role":"user","content":"${LONG}","name":"Ada"}]`],
    ['a field twice', `[{"role":"user","content":"x","content":"${LONG}"}]`],
    ['no end', `[{"role":"user","content":"${LONG}`],
    ['nothing long', `[{"role":"user","content":"x"}]`],
  ])('are decoded if they have %s', (_name, json) => {
    expect(readRawMessages(Buffer.from(json))).toBeUndefined();
  });

  it('are decoded if they are not UTF-8', () => {
    const bytes = Buffer.from(`[{"role":"user","content":"\xff${LONG}"}]`, 'latin1');
    expect(readRawMessages(bytes)).toBeUndefined();
  });
});

/** The span with long contents in its messages. */
function lengthened(one: SpanInput): SpanInput {
  const attributes = Object.entries(one.attributes ?? {}).map(([key, value]) => [
    key,
    typeof value === 'string' ? value.replaceAll('"content":"', `"content":"${LONG}`) : value,
  ]);
  return { ...one, attributes: Object.fromEntries(attributes) as Record<string, unknown> };
}
