import fc from 'fast-check';
import { CONVENTIONS } from '../src/conventions/catalogue.js';
import { conventionVectors } from './convention-vectors.js';
import type { SpanInput } from './otlp-request.js';
import { sdkVectors } from './sdk-vectors.js';
import { shippedClientVectors } from './shipped-client-vectors.js';

/** All vectors of the conventions, of the SDKs and of shipped clients. */
export const ALL_VECTORS = [...conventionVectors, ...sdkVectors, ...shippedClientVectors];

/** Gives every value that is drawn a text or a number of its own, so that it can be found again. */
class Canaries {
  private next = 0;

  text(): string {
    return `canary${this.next++}x`;
  }

  number(): number {
    return 700_001 + this.next++;
  }
}

/** Kinds of values that instrumentations put into an attribute. */
const SHAPES: readonly ((canaries: Canaries) => unknown)[] = [
  (c) => c.text(),
  (c) => c.number(),
  (c) => String(c.number()),
  (c) => ({ k: c.text(), n: c.number() }),
  (c) => JSON.stringify({ k: c.text(), nested: { n: c.number() } }),
  (c) => JSON.stringify({ text: c.text(), toolCalls: [{ toolName: c.text(), args: { a: c.text() } }] }),
  (c) => JSON.stringify({ messages: [{ role: 'user', content: c.text() }], model: c.text() }),
  (c) => JSON.stringify([{ role: 'user', content: c.text(), annotation: c.text() }]),
  () => JSON.stringify([{ role: 'assistant', parts: [] }]),
  (c) =>
    JSON.stringify([
      {
        role: 'assistant',
        parts: [
          { type: 'text', content: c.text(), cache: c.text() },
          { type: 'tool_call', id: c.text(), name: c.text(), arguments: { a: c.text() }, extra: c.text() },
          { type: 'reasoning', content: c.text(), signature: c.text() },
          { type: 'uri', modality: 'image', uri: c.text(), detail: c.text() },
        ],
        finish_reason: c.text(),
      },
      {
        role: 'tool',
        parts: [{ type: 'tool_call_response', id: c.text(), response: { r: c.text() }, status: c.text() }],
      },
    ]),
  (c) => [c.text(), c.text()],
  (c) =>
    JSON.stringify([
      c.text(),
      {
        role: 'human',
        content: c.text(),
        tool_calls: [{ function: { name: c.text(), arguments: c.text() } }],
      },
    ]),
];

const SUFFIXES = [
  '0.x',
  '0.message.content',
  '0.content',
  '1.role',
  'foo',
  'foo.bar',
  '0.document.id',
  'x.input',
  'x.output',
  'x.type',
  'x.role',
  'x.index',
];
/** Placeholders of running spans are not events. */
const isEvent = ({ attributes }: SpanInput) => attributes?.['logfire.span_type'] !== 'pending_span';
const KEYS = [...new Set(CONVENTIONS.flatMap(({ rules }) => rules.map(({ key }) => key)))];
const TYPES = ['chat', 'execute_tool', 'invoke_agent', 'embeddings', 'retrieval'];
const MESSAGE_EVENTS = [
  'gen_ai.user.message',
  'gen_ai.assistant.message',
  'gen_ai.tool.message',
  'gen_ai.choice',
  'gen_ai.content.prompt',
  'gen_ai.evaluation.result',
  'gen_ai.client.inference.operation.details',
  'exception',
  'log',
];
const EVENT_KEYS = [
  'content',
  'id',
  'message',
  'gen_ai.event.content',
  'gen_ai.system',
  'gen_ai.prompt',
  'other',
  'gen_ai.output.messages',
  'exception.message',
  'gen_ai.evaluation.name',
  'gen_ai.evaluation.score.label',
];

/** Attribute of a convention, with the index of the shape of its value. */
const attribute = fc.record({
  key: fc.constantFrom(...KEYS),
  suffix: fc.constantFrom(...SUFFIXES),
  shape: fc.nat(SHAPES.length - 1),
});

/** Spans that mix the attributes of vectors with attributes of any conventions, and span events. */
export const randomSpan: fc.Arbitrary<SpanInput> = fc
  .record({
    vectors: fc.array(fc.nat(ALL_VECTORS.length - 1), { maxLength: 2 }),
    operation: fc.option(fc.constantFrom(...TYPES), { nil: undefined }),
    attributes: fc.array(attribute, { minLength: 1, maxLength: 8 }),
    events: fc.array(
      fc.record({
        name: fc.constantFrom(...MESSAGE_EVENTS),
        attributes: fc.array(fc.tuple(fc.constantFrom(...EVENT_KEYS), fc.nat(SHAPES.length - 1)), {
          maxLength: 3,
        }),
      }),
      { maxLength: 3 },
    ),
    isChild: fc.boolean(),
    fails: fc.boolean(),
  })
  .map(({ vectors, operation, attributes, events, isChild, fails }): SpanInput => {
    const canaries = new Canaries();
    const value = (shape: number) => SHAPES[shape]?.(canaries);
    return {
      ...(isChild && { parentSpanId: 'aaaaaaaaaaaaaaaa' }),
      ...(fails && { status: { code: 2 } }),
      attributes: Object.fromEntries([
        ...vectors.flatMap((index) => Object.entries(ALL_VECTORS[index]?.[1][0]?.attributes ?? {})),
        ...(operation === undefined ? [] : [['gen_ai.operation.name', operation]]),
        ...attributes.map(({ key, suffix, shape }) => [key.replace(/\*$/, suffix), value(shape)]),
      ]) as Record<string, unknown>,
      events: events.map((event) => ({
        name: event.name,
        attributes: Object.fromEntries(event.attributes.map(([key, shape]) => [key, value(shape)])),
      })),
    };
  })
  .filter(isEvent);
