import { AppError } from '@assay/errors';
import { ROUTES } from '../route-catalogue.js';
import { compile } from '../validate.js';
import { forwardEvents } from './forward-events.js';
import { INTERNAL_ROUTES } from './internal-routes.js';

const schemas = INTERNAL_ROUTES.flatMap(({ operation, body, response }) =>
  Object.entries({ body, response }).flatMap(([part, schema]) =>
    schema ? [{ name: `${operation} ${part}`, schema }] : [],
  ),
);

describe('the internal routes', () => {
  test('are for data planes only, bound to one path each, and no part of the public catalogue', () => {
    const keys = INTERNAL_ROUTES.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(keys).size).toBe(INTERNAL_ROUTES.length);
    for (const { access, path } of INTERNAL_ROUTES)
      expect([access, path]).toEqual(['data-plane', expect.stringMatching(/^\/internal\/v1\/[a-z/]+$/)]);
    expect(ROUTES.filter(({ access }) => access === 'data-plane')).toEqual([]);
    const operations = [...INTERNAL_ROUTES, ...ROUTES].map(({ operation }) => operation);
    expect(new Set(operations).size).toBe(operations.length);
  });

  test('have a size limit wherever they take a body', () => {
    for (const { operation, body, limits } of INTERNAL_ROUTES)
      expect([operation, limits?.maxBodyBytes !== undefined]).toEqual([operation, body !== undefined]);
  });

  test.each(schemas)('have a strict schema for $name', ({ schema }) => {
    // Checking any value makes ajv compile the schema.
    expect(() => compile(schema)(undefined)).toThrow(AppError);
  });
});

describe('a forwarded event', () => {
  const check = compile(forwardEvents.body!);
  const messageOf = (item: unknown): string => {
    try {
      check({ events: [item] });
      return 'accepted';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const eventId = '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';

  test.each([
    [{ kind: 'delete', version: 1, projectId: 'p', eventId }, 'accepted'],
    [
      { kind: 'delete', version: 1, projectId: '', eventId },
      'events[0].projectId must have at least 1 character',
    ],
    [{ kind: 'delete', version: 1.5, projectId: 'p', eventId }, 'events[0].version must be an integer'],
    [
      { kind: 'delete', version: 2 ** 53, projectId: 'p', eventId },
      'events[0].version must be at most 9007199254740991',
    ],
    [{ kind: 'event', version: 1, arrivedAt: 1 }, 'events[0].event is required'],
    [{ version: 1 }, 'events[0] must have a known kind'],
  ])('%j is checked by its kind: %s', (item, message) => {
    expect(messageOf(item)).toBe(message);
  });
});
