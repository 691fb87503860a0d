import fc from 'fast-check';
import type { JsonValue } from '../../json.js';
import { acceptEvent } from '../accept/accept-event.js';
import { BUCKETS, type Event } from '../event.js';
import { emptied, redactEvent } from './redact-event.js';
import { acceptRedaction, NO_REDACTION, type RedactionSettings } from './redaction.js';

const ID = '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';
const TRACE_ID = '0123456789abcdef0123456789abcdef';
const seed = Date.now() % 1_000_000;

const eventOf = (fields: Partial<Event> = {}): Event => ({
  ...acceptEvent({ event_type: 'model', inputs: {} }, { projectId: 'p', now: 1000, newId: () => ID }).event,
  ...fields,
});
const redact = (fields: Partial<Event>, settings: Partial<RedactionSettings> = {}) =>
  redactEvent(eventOf(fields), acceptRedaction({ redactValues: true, ...settings }));
const parsed = (text: string) => JSON.parse(text) as Record<string, JsonValue>;

/** Returns the structure of a value: keys, lengths and types. */
function shape(value: JsonValue): unknown {
  if (Array.isArray(value)) return value.map(shape);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.entries(value).map(([key, item]) => [key, shape(item)]);
}

function leaves(value: JsonValue): JsonValue[] {
  if (typeof value !== 'object' || value === null) return [value];
  return Object.values(value).flatMap(leaves);
}

describe(`redaction of values (seed ${seed})`, () => {
  const objects = fc.dictionary(
    fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toJSON', 'a.b', '0')),
    fc.jsonValue() as fc.Arbitrary<JsonValue>,
  );

  it('empties every value of inputs and outputs and keeps their structure, whatever the keys', () => {
    fc.assert(
      fc.property(objects, objects, (inputs, outputs) => {
        const redacted = redact({
          inputs: parsed(JSON.stringify(inputs)),
          outputs: parsed(JSON.stringify(outputs)),
        });
        for (const [before, after] of [
          [inputs, redacted.inputs],
          [outputs, redacted.outputs],
        ] as const) {
          expect(JSON.stringify(shape(after))).toBe(JSON.stringify(shape(parsed(JSON.stringify(before)))));
          expect(
            leaves(after).filter((leaf) => leaf !== '' && leaf !== 0 && leaf !== false && leaf !== null),
          ).toEqual([]);
        }
      }),
      { seed, numRuns: 2_000 },
    );
  });

  it('changes nothing when applied again', () => {
    fc.assert(
      fc.property(objects, (inputs) => {
        const once = redact({ inputs });
        expect(redactEvent(once, acceptRedaction({ redactValues: true }))).toEqual(once);
      }),
      { seed, numRuns: 500 },
    );
  });

  it('changes nothing in an event without redacted fields', () => {
    fc.assert(
      fc.property(objects, objects, (inputs, metadata) => {
        const event = eventOf({ inputs, metadata });
        expect(redactEvent({ ...event, secret: 'x' } as Event, NO_REDACTION)).toEqual(event);
      }),
      { seed, numRuns: 500 },
    );
  });

  it('keeps the key __proto__ as data', () => {
    const { inputs } = redact({ inputs: parsed('{"__proto__":{"q":"secret"},"constructor":"secret"}') });
    expect(JSON.stringify(inputs)).toBe('{"__proto__":{"q":""},"constructor":""}');
    expect(({} as Record<string, unknown>)['q']).toBeUndefined();
  });

  it('rejects values that are nested too deep, with an error that is not retried', () => {
    const deep = parsed(`{"a":${'['.repeat(20_000)}"secret"${']'.repeat(20_000)}}`);
    for (const settings of [{}, { redactFields: ['metadata.x'] }]) {
      expect(() => redact({ inputs: deep }, settings)).toThrow(
        expect.objectContaining({ code: 'VALIDATION_ERROR' }) as Error,
      );
    }
    expect(() => redact({ metadata: deep }, { redactFields: ['metadata.x'] })).toThrow(
      'the event cannot be redacted',
    );
    expect(() => emptied(deep)).toThrow('nested deeper');
  });

  it('empties explanations, error texts and other text, and keeps scores, ids and models', () => {
    const fields = {
      error: 'cannot parse "secret"',
      metrics: {
        accuracy: 0.5,
        accuracy_explanation: 'because of secret',
        'a.b_explanation': 'secret',
        group: { x_explanation: 'secret' },
      },
      metadata: {
        user: 'u',
        error_stack: 'secret',
        otel: { trace_id: TRACE_ID, status: { code: 2, message: 'secret' } },
        log_content: { hidden: { messages: { '1-2': { content: 'secret', index: 4711 } } } },
        log_events: [{ name: 'secret', attributes: { count: 4711 } }],
      },
      feedback: { ground_truth: 'secret', rating: 5 },
      config: { model: 'gpt', template: [{ role: 'system', content: 'secret' }] },
      user_properties: { id: 'secret' },
    };
    const redacted = redact(fields);
    expect(JSON.stringify(redacted)).not.toContain('secret');
    expect(JSON.stringify(redacted)).not.toContain('4711');
    expect(redacted).toMatchObject({
      error: '',
      metrics: { accuracy: 0.5, accuracy_explanation: '' },
      metadata: { user: '', error_stack: '', otel: { trace_id: TRACE_ID, status: { code: 2, message: '' } } },
      feedback: { ground_truth: '', rating: 5 },
      config: { model: 'gpt', template: [{ role: '', content: '' }] },
      user_properties: { id: '' },
    });
  });

  it('distinguishes an absent error from an emptied one', () => {
    expect(redact({ error: null }).error).toBeNull();
  });
});

describe('fields that an operator names', () => {
  const metadata = { user: { name: 'secret', ids: [{ mail: 'secret' }] }, 'user.key': 'secret', env: 'prod' };

  it('are emptied with everything below them, with or without the values', () => {
    for (const redactValues of [true, false]) {
      const redacted = redact(
        { metadata, inputs: { q: 'x' } },
        { redactValues, redactFields: ['metadata.user', 'feedback', 'event_name'] },
      );
      expect(redacted.metadata).toEqual({
        user: { name: '', ids: [{ mail: '' }] },
        'user.key': '',
        env: 'prod',
      });
      expect(redacted).toMatchObject({ event_name: '', inputs: { q: redactValues ? '' : 'x' } });
    }
  });

  it('may be exceptions: the more specific rule takes precedence', () => {
    const redactFields = [
      'metadata',
      '!metadata.env',
      '!metadata.user.ids',
      '!error',
      '!metrics.style_explanation',
    ];
    const redacted = redact(
      { metadata, error: 'kept', metrics: { style_explanation: 'kept' } },
      { redactFields },
    );
    expect(redacted).toMatchObject({ error: 'kept', metrics: { style_explanation: 'kept' } });
    expect(redacted.metadata).toEqual({
      user: { name: '', ids: [{ mail: 'secret' }] },
      'user.key': '',
      env: 'prod',
    });
  });

  it('may be families of keys', () => {
    const redacted = redact(
      { metadata: { 'http.url': 'secret', http: { body: 'secret' }, mail_text: 'secret', env: 'prod' } },
      {
        redactFields: ['metadata.http*', 'metadata.*_text'],
      },
    );
    expect(redacted.metadata).toEqual({ 'http.url': '', http: { body: '' }, mail_text: '', env: 'prod' });
  });

  it.each([
    '',
    'event_id',
    'start_time',
    'secret',
    'metadata..a',
    'metadata.*.a',
    '*',
    'metadata.a*b*',
    '!inputs',
    '!outputs.text',
    'inputs ',
  ])('are rejected if they are invalid: %j', (text) => {
    expect(() => acceptRedaction({ redactValues: true, redactFields: ['metadata', text] })).toThrow(
      /entry 2 of REDACT_FIELDS/,
    );
  });

  it('may keep inputs if values are not redacted', () => {
    const redacted = redact(
      { inputs: { a: 'x', b: 'y' } },
      { redactValues: false, redactFields: ['inputs', '!inputs.b'] },
    );
    expect(redacted.inputs).toEqual({ a: '', b: 'y' });
  });
});

describe('the type of a redacted event', () => {
  it('is not assignable from an event', () => {
    const send = (event: ReturnType<typeof redactEvent>) => event.event_id;
    // @ts-expect-error the compiler rejects an event that was not redacted
    expect(send(eventOf())).toBe(ID);
    expect(send(redactEvent(eventOf(), NO_REDACTION))).toBe(ID);
    expect(BUCKETS).toContain('inputs');
  });
});
