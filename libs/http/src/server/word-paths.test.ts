import { randomUUID } from 'node:crypto';
import { ROUTES, type Route } from '@assay/contracts';
import request from 'supertest';
import { KEY, sampleApp } from '../../test/sample-app.js';
import { pathsOf } from './paths.js';
import { isUnknownWord } from './word-paths.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Paths that end with a parameter, with its name and its format. */
const PARAMETER_PATHS = ROUTES.flatMap((route) =>
  [route.path, ...(route.aliases ?? [])].flatMap((path) => {
    const name = /\{(\w+)\}$/.exec(path)?.[1];
    const properties = route.params?.properties as Record<string, { format?: string }> | undefined;
    return name === undefined ? [] : [{ route, path, name, format: properties?.[name]?.format }];
  }),
);
const ofFormat = (isUuid: boolean) => PARAMETER_PATHS.filter(({ format }) => (format === 'uuid') === isUuid);

describe('a word in place of an id', () => {
  it('is never an id of a route, however it is written', () => {
    const ids = [randomUUID(), randomUUID().toUpperCase(), 'abcdefab-cdef-abcd-efab-cdefabcdefab'];
    expect(ofFormat(true).length).toBeGreaterThan(5);
    for (const { route, path, name } of ofFormat(true))
      for (const id of ids) expect([path, isUnknownWord(route, path, { [name]: id })]).toEqual([path, false]);
  });

  it('is an id where ids may be any text', () => {
    expect(ofFormat(false).length).toBeGreaterThan(20);
    for (const { route, path, name } of ofFormat(false))
      expect([path, isUnknownWord(route, path, { [name]: 'helpfulness' })]).toEqual([path, false]);
  });

  it.each([
    ['schema', true],
    ['all_values', true],
    ['deadbeef', true],
    ['page', true],
    ['api', false],
    ['Schema', false],
    ['not-a-uuid', false],
    ['0b5f9d0c', false],
    ['schema2', false],
    ['_schema', false],
    ['', false],
  ])('%j is the name of a route: %s', (word, expected) => {
    for (const { route, path, name } of ofFormat(true))
      expect(isUnknownWord(route, path, { [name]: word })).toBe(expected);
  });

  it('is looked for at the end of the path only', () => {
    const route = ROUTES.find(({ path }) => path === '/v1/sessions/{session_id}/tree') as Route;
    expect(isUnknownWord(route, route.path, { session_id: 'schema' })).toBe(false);
  });
});

describe('the routes of the catalogue', () => {
  const bindings = ROUTES.map((route) => ({
    route,
    handle: () => Promise.resolve({ status: 200, contentType: 'text/plain', body: route.operation }),
  }));
  const literal = ROUTES.filter(
    ({ path, access }) => !path.includes('{') && access !== 'admin' && access !== 'data-plane',
  );

  it.each([
    ['as listed', bindings],
    ['in the opposite order', [...bindings].reverse()],
  ])('have precedence over a parameter in the same place: %s', async (_title, all) => {
    const { listener } = sampleApp({ bindings: all });
    const operations = new Map(
      bindings.flatMap((one) =>
        pathsOf(one).map((path) => [`${one.route.method} ${path}`, one.route.operation]),
      ),
    );
    for (const { path } of literal.filter((one) => parametersBeside(one.path).length > 0))
      for (const method of METHODS) {
        const operation = operations.get(`${method.toUpperCase()} ${path}`);
        // Where ids may be any text, the word is one for the other methods.
        if (operation === undefined && parametersBeside(path).some(({ format }) => format !== 'uuid'))
          continue;
        const response = await request(listener)[method](path).set(KEY);
        const found = [method, path, response.status, operation && response.text];
        expect(found).toEqual([method, path, operation ? 200 : 405, operation]);
      }
  });
});

it('a literal path has precedence over a parameter in the same place, also one that is no word', async () => {
  const [getEvent, getRun] = ['/v1/events/{event_id}', '/v1/runs/{run_id}'].map(
    (path) => ROUTES.find((route) => route.path === path && route.method === 'GET') as Route,
  ) as [Route, Route];
  const { params: _params, aliases: _aliases, ...withoutParameter } = getRun;
  const routes: Route[] = [getEvent, { ...withoutParameter, path: '/v1/events/top' }];
  const bindings = routes.map((route) => ({
    route,
    handle: () => Promise.resolve({ status: 200, contentType: 'text/plain', body: route.operation }),
  }));
  const response = await request(sampleApp({ bindings }).listener).get('/v1/events/top').set(KEY);
  expect(response.text).toBe(getRun.operation);
});

/** Paths with a parameter at their end that a literal path matches. */
function parametersBeside(path: string) {
  const parentOf = (child: string) => child.slice(0, child.lastIndexOf('/'));
  return PARAMETER_PATHS.filter((other) => parentOf(other.path) === parentOf(path));
}
