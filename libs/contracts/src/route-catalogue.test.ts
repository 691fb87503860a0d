import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TSchema } from '@sinclair/typebox';
import { AppError } from '@assay/errors';
import {
  acceptBatch,
  acceptDateRange,
  acceptEvent,
  acceptFilters,
  acceptSession,
  acceptUpdate,
  toWireEvent,
} from '@assay/domain';
import type { CreateEventBatchRequest } from './api/events/create-event-batch.js';
import type { CreateEventRequest } from './api/events/create-event.js';
import { eventResponse } from './api/events/event.js';
import { searchEvents, type SearchEventsRequest } from './api/events/search-events.js';
import type { UpdateEventRequest } from './api/events/update-event.js';
import { startedSession } from './api/sessions/start-session.js';
import type { StartSessionRequest } from './api/sessions/start-session.js';
import { routesDocument } from './generate/routes-document.js';
import { ROUTES } from './route-catalogue.js';
import { compile } from './validate.js';

const pathsOf = ROUTES.flatMap((route) =>
  [route.path, ...(route.aliases ?? [])].map((path) => `${route.method} ${path.replace(/\{\w+\}/g, '{}')}`),
);

function refusalOf(schema: TSchema, body: unknown): string {
  try {
    compile(schema)(body);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('the route catalogue', () => {
  test('contains every route that a file of the API declares', () => {
    const folder = join(__dirname, 'api');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const declared = files
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) => readFileSync(join(folder, path), 'utf8').match(/defineRoute\(\{/g) ?? []);
    expect(ROUTES).toHaveLength(declared.length);
  });

  test('has unique operation names, and unique pairs of method and path', () => {
    const operations = ROUTES.map((route) => route.operation);
    expect(new Set(operations).size).toBe(operations.length);
    expect(new Set(pathsOf).size).toBe(pathsOf.length);
  });

  test('declares exactly the parameters of each path', () => {
    for (const route of ROUTES) {
      const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const declared = Object.keys((route.params?.properties ?? {}) as object);
      expect({ [route.operation]: declared }).toEqual({ [route.operation]: inPath });
    }
  });

  test('has no administrative body that ignores a field which it does not know', () => {
    const administrative = ROUTES.filter(
      ({ access, body }) => access.startsWith('admin') && body !== undefined,
    );
    expect(administrative.length).toBeGreaterThan(10);
    for (const { operation, body } of administrative) {
      const fields = Object.entries((body?.properties ?? {}) as Record<string, { examples?: unknown[] }>);
      const known = Object.fromEntries(fields.map(([name, { examples }]) => [name, examples?.[0]]));
      expect(Object.values(known)).not.toContain(undefined);
      expect(refusalOf(body as TSchema, known)).toBe('');
      expect([operation, refusalOf(body as TSchema, { ...known, retention_days: 30 })]).toEqual([
        operation,
        'retention_days is not a field of this request',
      ]);
    }
  });

  test('names an existing operation as successor', () => {
    const operations = ROUTES.map((route) => route.operation);
    for (const route of ROUTES)
      if (route.successor !== undefined) expect(operations).toContain(route.successor);
  });

  test('is documented with one item per route', () => {
    const lines = routesDocument().split('\n');
    for (const { method, path } of ROUTES)
      expect(lines.filter((line) => /^- `([^`]+)`†?: /.exec(line)?.[1] === `${method} ${path}`)).toHaveLength(
        1,
      );
  });
});

describe('every property of a schema', () => {
  const nodes = ROUTES.flatMap((route) =>
    [route.params, route.query, route.body, route.response]
      .filter((schema) => schema !== undefined)
      .flatMap((schema) => propertiesOf(schema, route.operation)),
  );

  // Routes repeat properties, and compiling a schema takes milliseconds: equal ones are compiled once.
  const checks = new Map<string, (value: unknown) => unknown>();
  const checkOf = (schema: Node) => {
    const text = JSON.stringify(schema);
    const check = checks.get(text) ?? compile(schema as never);
    checks.set(text, check);
    return check;
  };

  test.each(nodes)('$path has a description and a valid example', ({ schema }) => {
    expect(schema.description).toMatch(/^[A-Z].*\.$/);
    if (schema.properties !== undefined) return;
    expect(schema.examples).toBeDefined();
    const check = checkOf(schema);
    for (const example of schema.examples ?? []) expect(() => check(example)).not.toThrow();
  });
});

describe('every schema', () => {
  const schemas = ROUTES.flatMap(({ operation, params, query, body, response }) =>
    Object.entries({ params, query, body, response }).flatMap(([part, schema]) =>
      schema ? [{ name: `${operation} ${part}`, schema }] : [],
    ),
  );

  test.each(schemas)('$name compiles strictly', ({ schema }) => {
    // The result for undefined is irrelevant: validating makes ajv compile the schema.
    expect(() => compile(schema)(undefined)).toThrow(AppError);
  });
});

interface Node {
  readonly type?: unknown;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
}

function propertiesOf(schema: Node, path: string): { path: string; schema: Node }[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    ...(property.description?.startsWith('First moment') || property.description?.startsWith('Last moment')
      ? []
      : [{ path: `${path}.${name}`, schema: property }]),
    ...propertiesOf(property, `${path}.${name}`),
  ]);
  return [...own, ...(schema.items ? propertiesOf(schema.items, `${path}[]`) : [])];
}

describe('the domain rules accept what a schema accepts', () => {
  let ids = 0;
  const context = {
    projectId: 'p',
    now: 1795255200000,
    newId: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
  };
  const project = { name: 'support-bot' };

  test('an event, a session and a batch, and the results match the response schemas', () => {
    const event: CreateEventRequest = { event_type: 'model', inputs: {}, outputs: [1], error: null };
    const session: StartSessionRequest = { session_name: 'chat' };
    const batch: CreateEventBatchRequest = {
      events: [event],
      single_session: true,
      session_properties: session,
    };
    const update: UpdateEventRequest = { outputs: 1, metadata: { a: 1 } };
    const accepted = [
      acceptEvent(event, context),
      acceptSession(session, context),
      ...acceptBatch(batch, context).events,
    ];
    const check = compile(eventResponse);
    for (const { event: complete } of accepted)
      expect(check(toWireEvent(complete, project))).toMatchObject({ project: 'support-bot' });
    expect(
      compile(startedSession)(toWireEvent(acceptSession(session, context).event, project)),
    ).toMatchObject({ session_name: 'chat' });
    expect(acceptUpdate(update)).toMatchObject({ outputs: { value: 1 } });
  });

  test('the filters and the date range of a search', () => {
    const sent: SearchEventsRequest = {
      filters: [{ field: 'metadata.cost', operator: 'greater than', value: 1, type: 'number' }],
      dateRange: '7d',
    };
    const checked = compile(searchEvents.body!)(sent);
    if (typeof checked.filters === 'string') throw new Error('the filters are a list');
    expect(acceptFilters(checked.filters ?? [], 'strict')).toHaveLength(1);
    expect(acceptDateRange(checked.dateRange, context.now)).toEqual({
      from: context.now - 7 * 86_400_000,
      to: context.now,
    });
  });
});
