import type { JsonValue } from '../../json.js';
import { AppError } from '@assay/errors';
import { isJsonObject, type JsonObject } from '../../json.js';
import type { EventInput } from '../event.js';
import { acceptEvent, type AcceptContext } from './accept-event.js';

const ID = '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';
const OTHER_ID = '1c6fad1d-8f1b-4a7f-8d2c-4f2f9f1b2e3f';
const NOW = 1_795_255_200_000;

const accept = (input: Partial<EventInput>, path?: string) =>
  acceptEvent({ event_type: 'model', inputs: {}, ...input }, context(), path);

function parsed(json: string): JsonObject {
  const value: unknown = JSON.parse(json);
  if (!isJsonObject(value)) throw new Error('not an object');
  return value;
}

function context(): AcceptContext {
  let made = 0;
  return {
    projectId: 'p',
    now: NOW,
    newId: () => `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`,
  };
}

function refusal(input: Partial<EventInput>, path?: string): AppError {
  try {
    accept(input, path);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('the event was accepted');
}

describe('an accepted event', () => {
  it('has a value in every field if only the type was sent', () => {
    const { event, fresh } = accept({});
    expect(fresh).toBe(true);
    expect(event).toEqual({
      project_id: 'p',
      event_id: '00000000-0000-4000-8000-000000000001',
      session_id: '00000000-0000-4000-8000-000000000002',
      parent_id: '00000000-0000-4000-8000-000000000002',
      children_ids: [],
      event_type: 'model',
      event_name: 'unknown',
      source: 'unknown',
      start_time: NOW,
      end_time: null,
      duration: null,
      error: null,
      inputs: {},
      outputs: {},
      config: {},
      metadata: {},
      metrics: {},
      feedback: {},
      user_properties: {},
      origin: 'sent',
    });
  });

  it('keeps the ids of the client, in lower case', () => {
    const { event, fresh } = accept({
      event_id: ID.toUpperCase(),
      session_id: OTHER_ID.toUpperCase(),
      parent_id: ID.toUpperCase(),
    });
    expect(fresh).toBe(false);
    expect(event).toMatchObject({ event_id: ID, session_id: OTHER_ID, parent_id: ID });
  });

  it('of a session is its own session, by either id', () => {
    expect(accept({ event_type: 'session', event_id: ID }).event).toMatchObject({
      event_id: ID,
      session_id: ID,
      parent_id: null,
    });
    expect(accept({ event_type: 'session', session_id: ID })).toMatchObject({
      fresh: false,
      event: { event_id: ID, session_id: ID },
    });
    const { event, fresh } = accept({ event_type: 'session', parent_id: ID });
    expect(event).toMatchObject({ event_id: event.session_id, parent_id: null });
    expect(fresh).toBe(true);
  });

  it('of a session has one id', () => {
    expect(refusal({ event_type: 'session', event_id: ID, session_id: OTHER_ID }).message).toMatch(
      /event_id must equal session_id/,
    );
  });

  it('derives the end from the duration and the duration from the end', () => {
    expect(accept({ start_time: 1000, duration: 50 }).event).toMatchObject({ end_time: 1050, duration: 50 });
    expect(accept({ start_time: 1000, end_time: 1200 }).event).toMatchObject({
      end_time: 1200,
      duration: 200,
    });
    expect(accept({ start_time: 1000, end_time: 1200, duration: 7 }).event).toMatchObject({
      end_time: 1200,
      duration: 7,
    });
    expect(accept({ start_time: 1000, end_time: 900 }).event).toMatchObject({
      start_time: 1000,
      end_time: 900,
      duration: -100,
    });
  });

  it('scales micro- and nanoseconds to milliseconds', () => {
    const times = accept({ start_time: 1_795_255_200_000_500, end_time: 1_795_255_200_250_000_000 }).event;
    expect(times).toMatchObject({ start_time: 1_795_255_200_000.5, end_time: 1_795_255_200_250 });
  });

  it('wraps outputs that are not an object', () => {
    expect(accept({ outputs: [1, 2] }).event.outputs).toEqual({ value: [1, 2] });
    expect(accept({ outputs: 'Paris' }).event.outputs).toEqual({ value: 'Paris' });
    expect(accept({ outputs: false }).event.outputs).toEqual({ value: false });
    expect(accept({ outputs: null }).event.outputs).toEqual({});
    expect(accept({ outputs: { a: 1 } }).event.outputs).toEqual({ a: 1 });
  });

  it('moves the ground truth to its feedback', () => {
    const { event } = accept({ metadata: { ground_truth: { a: 1 }, b: 2 }, feedback: { rating: 5 } });
    expect(event).toMatchObject({ metadata: { b: 2 }, feedback: { rating: 5, ground_truth: { a: 1 } } });
    expect(event.metadata).not.toHaveProperty('ground_truth');
  });

  it.each<[JsonValue]>([[0], [false], [''], [{}], [[]]])(
    'moves the ground truth %j, which is a value',
    (truth) => {
      const { metadata, feedback } = accept({ metadata: { ground_truth: truth } }).event;
      expect([metadata, feedback]).toEqual([{}, { ground_truth: truth }]);
    },
  );

  it('leaves a ground truth that is null where it is', () => {
    const { metadata, feedback } = accept({ metadata: { ground_truth: null } }).event;
    expect([metadata, feedback]).toEqual([{ ground_truth: null }, {}]);
  });

  it('prefers the ground truth of the feedback', () => {
    const { event } = accept({ metadata: { ground_truth: 'm' }, feedback: { ground_truth: 'f' } });
    expect(event).toMatchObject({ metadata: { ground_truth: 'm' }, feedback: { ground_truth: 'f' } });
  });

  it('has the total of its tokens', () => {
    expect(accept({ metadata: { prompt_tokens: 3, completion_tokens: 4 } }).event.metadata.total_tokens).toBe(
      7,
    );
    expect(
      accept({ metadata: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 9 } }).event.metadata
        .total_tokens,
    ).toBe(9);
    expect(accept({ metadata: { prompt_tokens: 3 } }).event.metadata).toEqual({ prompt_tokens: 3 });
  });

  it('has a text or null as its error', () => {
    expect(accept({ error: 'broken' }).event.error).toBe('broken');
    expect(accept({ error: { code: 7 } }).event.error).toBe('{"code":7}');
    expect(accept({ error: null }).event.error).toBeNull();
  });

  it('keeps keys such as __proto__ as data', () => {
    const inputs = parsed(
      '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}},"bad":"\\ud800"}',
    );
    const { event } = accept({ inputs });
    expect(JSON.stringify(event.inputs)).toBe(
      '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}},"bad":"\ufffd"}',
    );
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined();
  });

  it('has no unpaired surrogates and no U+0000 in any text', () => {
    const { event } = accept({
      event_name: 'a\ud800b',
      error: '\0',
      inputs: { q: ['x\0y', { '\udfff': '🚀' }] },
      source: '\udc00',
    });
    expect(event).toMatchObject({ event_name: 'a\ufffdb', error: '\ufffd', source: '\ufffd' });
    expect(event.inputs).toEqual({ q: ['x\ufffdy', { '\ufffd': '🚀' }] });
  });

  it('keeps text that only resembles an escape', () => {
    expect(accept({ inputs: { q: '\\u0000 \\ud800' } }).event.inputs).toEqual({ q: '\\u0000 \\ud800' });
  });
});

describe('an event is rejected', () => {
  it('with an id that is not a UUID, showing the expected format', () => {
    expect(refusal({ event_id: '123' }).code).toBe('VALIDATION_ERROR');
    expect(refusal({ event_id: '123' }).message).toMatch(/^event_id must be a UUID/);
    expect(refusal({ session_id: 'x' }, 'events[2].').message).toMatch(
      /^events\[2\]\.session_id must be a UUID/,
    );
  });

  it('with a time that is negative or infinite', () => {
    expect(refusal({ start_time: -1 }).message).toMatch(/^start_time .*milliseconds/);
    expect(refusal({ end_time: Infinity }).message).toBe('end_time must be a finite number');
    expect(refusal({ duration: Infinity }).message).toBe('duration must be a finite number');
  });

  it('with U+0000 in a key, naming the object that holds it', () => {
    expect(refusal({ metadata: { a: [{ 'x\0': 1 }] } }, 'events[1].')).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'events[1].metadata.a[0] must not have a key that contains U+0000',
    });
  });

  it('when its JSON is larger than 10 MB, in bytes', () => {
    const fits = accept({ inputs: { q: 'ü'.repeat(5_242_000) } });
    expect(fits.event.inputs.q).toHaveLength(5_242_000);
    const tooLarge = refusal({ inputs: { q: 'ü'.repeat(5_243_000) } }, 'events[3].');
    expect(tooLarge.code).toBe('PAYLOAD_TOO_LARGE');
    expect(tooLarge.message).toMatch(/^events\[3\] must not be larger than 10 MB/);
  });
});
