import type { Event } from '@assay/domain';
import { encodeEventRow } from '@assay/event-rows';
import { decodeTraces, encodeRequest, toEvents, type DecodeOptions } from '@assay/otlp';

const LONG = 'A long text with "quotes", a line\nbreak and ümläuts 漢字. '.repeat(60);
const context = { projectId: 'p1', receivedAt: 1 };

function rowsOf(attributes: Record<string, string>, options?: DecodeOptions) {
  const span = {
    traceId: '5b8efff798038103d269b633813fc60c',
    spanId: 'eee19b7ec3c1b174',
    name: 'chat',
    attributes: Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })),
  };
  const body = encodeRequest({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  const { events } = toEvents(decodeTraces(body, 'protobuf', options), context);
  return {
    events,
    rows: events.map((event: Event) => Buffer.from(encodeEventRow(event)).toString('latin1')),
  };
}

const MESSAGES = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.input.messages': JSON.stringify([
    { role: 'system', parts: [{ type: 'text', content: 'Be brief.' }] },
    { role: 'human', parts: [{ type: 'text', content: LONG }] },
  ]),
  'gen_ai.output.messages': JSON.stringify([
    { role: 'assistant', parts: [{ type: 'text', content: LONG }], finish_reason: 'stop' },
  ]),
};

describe('rows of spans with long messages', () => {
  it.each<[string, Record<string, string>]>([
    ['a model', {}],
    ['a tool', { 'gen_ai.operation.name': 'execute_tool' }],
    ['embeddings', { 'gen_ai.operation.name': 'embeddings' }],
    ['a text with U+0000 elsewhere', { other: 'a\0b' }],
    ['two paths of one leaf', { 'a.b': 'x', a: 'y' }],
    ['instructions', { 'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: LONG }]) }],
    ['the same text in another attribute', { 'output.value': LONG, 'openinference.span.kind': 'LLM' }],
  ])('are the same whether the messages are decoded or copied: %s', (_name, attributes) => {
    const copied = rowsOf({ ...MESSAGES, ...attributes }, { rawText: true });
    expect(copied.rows).toEqual(rowsOf({ ...MESSAGES, ...attributes }).rows);
    expect(JSON.stringify(copied.events)).toContain('A long text');
  });
});
