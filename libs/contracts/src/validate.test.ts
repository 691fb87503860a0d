import { Type } from '@sinclair/typebox';
import { AppError } from '@assay/errors';
import { createEvent } from './api/events/create-event.js';
import { createEventBatch } from './api/events/create-event-batch.js';
import { searchEvents } from './api/events/search-events.js';
import { startSession } from './api/sessions/start-session.js';
import { updateEvent } from './api/events/update-event.js';
import { createProject } from './api/projects/create-project.js';
import { eventPath } from './api/events/event-path.js';
import { createFineGrainedApiKeyRequest } from './api/api-keys/create-fine-grained-api-key.js';
import { compile } from './validate.js';

function rejection(check: (value: unknown) => unknown, value: unknown): string {
  try {
    check(value);
  } catch (error) {
    if (error instanceof AppError && error.code === 'VALIDATION_ERROR') return error.message;
    throw error;
  }
  throw new Error('the value was accepted');
}

const event = { event_type: 'model', inputs: { q: 'x' } };
const uuid = 'AB5F9D0C-7f0a-1f6e-0c1b-3f1f8f0a1d2e';

describe('the validation of a request', () => {
  const checkEvent = compile(createEvent.body!);
  const checkBatch = compile(createEventBatch.body!);
  const checkSession = compile(startSession.body!);
  const checkUpdate = compile(updateEvent.body!);
  const checkSearch = compile(searchEvents.body!);

  test.each<[string, unknown, string]>([
    ['a list', [], 'body must be an object'],
    ['a number', 5, 'body must be an object'],
    ['no type', { inputs: {} }, 'event_type is required'],
    [
      'an unknown type',
      { ...event, event_type: 'generic' },
      'event_type must be one of "session", "model", "tool", "chain"',
    ],
    ['text as inputs', { ...event, inputs: 'secret' }, 'inputs must be an object'],
    ['a list as inputs', { ...event, inputs: [] }, 'inputs must be an object'],
    [
      'a short id',
      { ...event, event_id: '123' },
      'event_id must be a valid UUID (expected format: xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx)',
    ],
    ['an operator as id', { ...event, session_id: { $ne: null } }, 'session_id must be a string'],
    [
      'a word as time',
      { ...event, start_time: 'yesterday' },
      'start_time must be a finite number of milliseconds',
    ],
    [
      'an endless time',
      { ...event, start_time: Infinity },
      'start_time must be a finite number of milliseconds',
    ],
    ['a time before 1970', { ...event, end_time: -1 }, 'end_time must be milliseconds, 0 or more'],
    [
      'a project',
      { ...event, project: 'x' },
      'project is not a field of this request: the project comes from the key',
    ],
    ['an unknown name', { ...event, evnt: 1 }, 'evnt is not a field of this request'],
    [
      'an unknown name of the language',
      { ...event, ...(JSON.parse('{"__proto__": 1}') as object) },
      '__proto__ is not a field of this request',
    ],
    ['a number as error', { ...event, error: 5 }, 'error must be a string or null'],
    ['a number among the children', { ...event, children_ids: ['a', 5] }, 'children_ids[1] must be a string'],
  ])('rejects an event with %s and names the field', (_, value, message) => {
    expect(rejection(checkEvent, value)).toBe(message);
  });

  test('ignores inherited properties', () => {
    expect(rejection(checkEvent, Object.create(event))).toBe('event_type is required');
  });

  test('leaves the keys of user data unchanged', () => {
    const sent: unknown = JSON.parse(
      '{"event_type":"tool","inputs":{"__proto__":{"isAdmin":true}},"metadata":{"constructor":{"prototype":{"x":1}}}}',
    );
    expect(JSON.stringify(checkEvent(sent))).toContain('"inputs":{"__proto__":{"isAdmin":true}}');
    expect('isAdmin' in {}).toBe(false);
  });

  test('accepts ids of any UUID version and case, and a list as outputs', () => {
    expect(
      checkEvent({ ...event, event_id: uuid, outputs: [1], parent_id: null, error: null, start_time: 1.5 }),
    ).toMatchObject({
      event_id: uuid,
    });
  });

  test.each<[string, unknown, string]>([
    ['no events', {}, 'events is required'],
    [
      'an event without inputs',
      { events: [event, event, { event_type: 'tool' }] },
      'events[2].inputs is required',
    ],
    [
      'inputs of the wrong type',
      { events: [event, event, { ...event, inputs: 1 }] },
      'events[2].inputs must be an object',
    ],
    [
      'a project in an event',
      { events: [{ ...event, project: 'p' }] },
      'events[0].project is not a field of this request: the project comes from the key',
    ],
    [
      'the alias of older routes',
      { events: [], is_single_session: true },
      'is_single_session is not a field of this request: use single_session',
    ],
    [
      'the other alias',
      { events: [], session: {} },
      'session is not a field of this request: use session_properties',
    ],
  ])('rejects a batch with %s and names the path', (_, value, message) => {
    expect(rejection(checkBatch, value)).toBe(message);
  });

  test('accepts undeclared fields in the session of a batch', () => {
    expect(
      checkBatch({ events: [event], session_properties: { session_name: 's', tenant: 1 } }),
    ).toMatchObject({
      session_properties: { tenant: 1 },
    });
  });

  test('accepts an empty session and the field names of the former route, but no unknown field', () => {
    expect(checkSession({})).toEqual({});
    expect(checkSession({ project: 'p', event_type: 'session', metrics: {} })).toMatchObject({
      project: 'p',
    });
    expect(rejection(checkSession, { session: {} })).toContain('session is not a field of this request');
    expect(rejection(checkSession, { duration: 'long' })).toContain('duration must be');
  });

  test('accepts any outputs in an update and ignores unknown fields', () => {
    for (const outputs of [null, 1, 'x', [1], {}]) expect(checkUpdate({ outputs, unknown: 1 })).toBeDefined();
    expect(rejection(checkUpdate, { metadata: [] })).toBe('metadata must be an object');
  });

  test.each<[unknown, string]>([
    [{ limit: -1 }, 'limit must be at least 1'],
    [{ limit: 1001 }, 'limit must be at most 1000'],
    [{ limit: 'abc' }, 'limit must be an integer'],
    [{ limit: 1.5 }, 'limit must be an integer'],
    [{ page: 0 }, 'page must be at least 1'],
    [{ filters: {} }, 'filters must be a list or a string'],
    [{ filters: [{ value: 1 }] }, 'filters[0].field is required'],
    [{ filters: [{ field: 'a', type: 5 }] }, 'filters[0].type must be a string'],
    [{ filters: [{ field: 'a', extra: 1 }] }, 'filters[0].extra is not a field of this request'],
    [{ dateRange: 5 }, 'dateRange must be an object or a string'],
    [{ dateRange: { $gt: 1 } }, 'dateRange.$gt is not a field of this request'],
    [{ projections: [] }, 'projections is not a field of this request'],
  ])('rejects the search %j', (value, message) => {
    expect(rejection(checkSearch, value)).toBe(message);
  });

  test('counts the length of a name in characters, not in bytes', () => {
    const check = compile(createProject.body!);
    expect(check({ name: '😀'.repeat(200) })).toBeDefined();
    expect(rejection(check, { name: 'x'.repeat(201) })).toBe('name must have at most 200 characters');
    expect(rejection(check, { name: '' })).toBe('name must have at least 1 character');
  });

  test('rejects a malformed date', () => {
    const check = compile(createFineGrainedApiKeyRequest);
    expect(check({ permissions: [], expires_at: '2027-01-01T00:00:00Z' })).toBeDefined();
    expect(rejection(check, { permissions: [], expires_at: '2024-13-45' })).toContain(
      'expires_at must be a date and time',
    );
  });

  test('names the whole value when it is invalid itself', () => {
    expect(rejection(compile(eventPath, 'path'), 5)).toBe('path must be an object');
  });

  test.each([
    ['a bound that the meta-schema excludes', Type.String({ maxLength: -1 })],
    ['an unknown keyword', Type.String({ maxLenght: 5 })],
  ])('does not compile a schema with %s', (_case, schema) => {
    expect(() => compile(schema)('x')).toThrow(/schema is invalid|strict mode/);
  });

  test('shortens field names of clients and makes them printable', () => {
    expect(rejection(checkEvent, { ...event, ['\n'.repeat(5000)]: 1 }).length).toBeLessThan(200);
  });
});
