import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../json.js';
import { RawText } from '../../raw-text.js';
import { acceptEvent } from '../accept/accept-event.js';
import type { Event } from '../event.js';
import { truncateEvent, truncatePatch } from './truncate-event.js';

const ID = '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';
const LIMIT = 50_000;

function eventOf(fields: Partial<Event>): Event {
  const context = { projectId: 'p', now: 1000, newId: () => ID };
  return { ...acceptEvent({ event_type: 'model' }, context).event, ...fields };
}

const bytesOf = (value: object) => Buffer.byteLength(JSON.stringify(value));
const long = (letter: string, length: number) => letter.repeat(length);
const marker = (text: string) => ({
  assay_truncated: {
    bytes: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
    preview: text.slice(0, 200),
  },
});

describe('an event that is too large', () => {
  it('keeps everything but its longest texts', () => {
    const image = { type: 'image', data: long('A', 100_000) };
    const inputs: JsonObject = {
      chat_history: [{ role: 'user', content: [{ type: 'text', text: 'what is it?' }, image] }],
    };
    const event = eventOf({ inputs, outputs: { role: 'assistant', content: long('b', 20_000) } });
    const fitting = truncateEvent(event, LIMIT);
    const content = [
      { type: 'text', text: 'what is it?' },
      { type: 'image', data: marker(image.data) },
    ];
    expect(fitting).toEqual({
      ...event,
      inputs: { chat_history: [{ role: 'user', content }] },
      metadata: { truncated_values: 1 },
    });
    expect(image.data).toHaveLength(100_000);
  });

  it('is the same event when it fits, also when only an estimate exceeds the limit', () => {
    const event = eventOf({ inputs: { text: long('a', 40_000) } });
    expect(truncateEvent(event, LIMIT)).toBe(event);
  });

  it.each<[string, Partial<Event>]>([
    ['texts of other letters', { inputs: { a: long('é', 60_000), b: long('"', 60_000) } }],
    ['a text that ends within a pair of surrogates', { inputs: { a: `x${long('😀', 60_000)}` } }],
    ['an event name and an error', { event_name: long('n', 60_000), error: long('e', 60_000) }],
    ['many numbers', { inputs: { list: Array.from({ length: 60_000 }, (_, n) => n) } }],
    ['many members', { config: Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`k${n}`, n])) }],
    [
      'many members of the metadata and of the protocol',
      {
        metadata: {
          ...Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`k${n}`, n])),
          trace_id: 't',
          otel: { kind: 'CLIENT', links: Array.from({ length: 9_000 }, (_, n) => ({ span_id: String(n) })) },
        },
      },
    ],
    ['frozen objects', { metadata: { otel: { resource: Object.freeze({ a: long('a', 60_000) }) } } }],
    [
      'deep objects',
      { inputs: Array.from({ length: 60 }).reduce<JsonObject>((v) => ({ v }), { t: long('d', 60_000) }) },
    ],
    ['keys that are no names', { inputs: JSON.parse(`{"__proto__": "${long('p', 60_000)}"}`) as JsonObject }],
  ])('fits afterwards: %s', (_, fields) => {
    const event = eventOf(fields);
    const before = JSON.stringify(event);
    const fitting = truncateEvent(event, LIMIT);
    expect(bytesOf(fitting)).toBeLessThanOrEqual(LIMIT);
    expect(JSON.stringify(fitting)).toContain('assay_truncated');
    expect(fitting.metadata['truncated_values']).toBeGreaterThan(0);
    expect(JSON.stringify(event)).toBe(before);
    expect(fitting.metadata['trace_id']).toBe(event.metadata['trace_id']);
    expect(JSON.stringify(fitting)).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
  });

  it('keeps its short values when a long text is among many of them', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`k${n}`, `value ${n}`]));
    const fitting = truncateEvent(eventOf({ metadata: { ...many, text: long('t', 60_000) } }), LIMIT);
    expect(fitting.metadata).toMatchObject(many);
  });

  it('reads raw texts as what they stand for', () => {
    const text = `${long('a', 60_000)}"`;
    const raw = new RawText(Buffer.from(JSON.stringify(text)));
    const fitting = truncateEvent(eventOf({ inputs: { text: raw.asValue() } }), LIMIT);
    expect(fitting.inputs).toEqual({ text: marker(text) });
  });

  it('keeps a count that the sender named so', () => {
    const metadata: Record<string, JsonValue> = { truncated_values: 'mine', text: long('t', 60_000) };
    expect(truncateEvent(eventOf({ metadata }), LIMIT).metadata).toMatchObject({
      truncated_values: 1,
      'attributes.truncated_values': 'mine',
    });
  });
});

describe('an update that is too large', () => {
  it('has markers in place of its longest texts', () => {
    const patch = { feedback: { note: long('n', 60_000), rating: 1 } };
    expect(truncatePatch(patch, LIMIT)).toEqual({
      feedback: { note: marker(patch.feedback.note), rating: 1 },
    });
    expect(truncatePatch({ feedback: { rating: 1 } }, LIMIT)).toEqual({ feedback: { rating: 1 } });
  });
});
