import { compile, ROUTES, type Route } from '@assay/contracts';
import { openEmbedded, type ResourceApi, startResourceApi } from '../../test/resource-api.js';
import { badValues, sampleOf, type SchemaNode } from '../../test/invalid-values.js';

const routes = ROUTES.filter((route) => route.owner === 'control-plane' && route.access === 'project');
const nodeOf = (schema: unknown): SchemaNode => JSON.parse(JSON.stringify(schema ?? {})) as SchemaNode;

function filledPath(route: Route): string {
  const { properties = {} } = nodeOf(route.params);
  return route.path.replace(/\{(\w+)\}/g, (_, name: string) => String(sampleOf(properties[name] ?? {})));
}

/** A query string contains only text. Its conversion to types is covered by the tests of query strings. */
function queryTextOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

/** Returns a query with its required parameters and one parameter with this text. */
function queryWith(route: Route, name: string, text: string): string {
  const { properties = {}, required = [] } = nodeOf(route.query);
  const others = required
    .filter((one) => one !== name)
    .map((one) => `${one}=${String(sampleOf(properties[one] ?? {}))}`);
  return `?${[...others, `${name}=${text}`].join('&')}`;
}

describe('every resource route', () => {
  let api: ResourceApi;
  beforeAll(async () => {
    api = await startResourceApi(openEmbedded);
  });
  afterAll(() => api.stop());

  const expectRefused = async (route: Route, query: string, body: unknown, path: string) => {
    const response = await api.send(route.method, `${filledPath(route)}${query}`, body);
    expect(response).toMatchObject({ status: 400, body: { errorCode: 'VALIDATION_ERROR', success: false } });
    expect(response.body.message).toContain(path);
  };

  describe.each(
    routes.filter(({ body }) => body).map((route) => ({ name: `${route.method} ${route.path}`, route })),
  )('$name', ({ route }) => {
    const schema = nodeOf(route.body);
    it('accepts the valid sample', () => {
      expect(() => compile(route.body!)(sampleOf(schema))).not.toThrow();
    });
    it.each(badValues(schema).map((bad) => ({ ...bad, shown: bad.path || 'body' })))(
      'rejects $shown with $why and names the field',
      ({ path, value }) => expectRefused(route, '', value, path || 'body'),
    );
  });

  const queries = routes.flatMap((route) =>
    Object.entries(nodeOf(route.query).properties ?? {}).flatMap(([name, inner]) =>
      badValues(inner, name).flatMap(({ why, path, value }) => {
        const text = path === name && !why.startsWith('a value of type') ? queryTextOf(value) : undefined;
        return text === undefined
          ? []
          : [
              {
                name: `${route.method} ${route.path}?${name}`,
                route,
                why,
                query: queryWith(route, name, text),
                path,
              },
            ];
      }),
    ),
  );
  it.each(queries)('$name is rejected with $why, naming the parameter', ({ route, query, path }) =>
    expectRefused(route, query, undefined, path),
  );

  const params = routes.flatMap((route) =>
    Object.entries(nodeOf(route.params).properties ?? {}).flatMap(([name, { maxLength }]) =>
      maxLength === undefined
        ? []
        : [{ name: `${route.method} ${route.path}`, route, param: name, text: 'x'.repeat(maxLength + 1) }],
    ),
  );
  it.each(params)('$name is rejected if $param is too long', async ({ route, param, text }) => {
    const { properties = {} } = nodeOf(route.params);
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      name === param ? text : String(sampleOf(properties[name] ?? {})),
    );
    const response = await api.send(route.method, path, sampleOf(nodeOf(route.body)));
    expect(response).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(param) as string },
    });
  });
});
