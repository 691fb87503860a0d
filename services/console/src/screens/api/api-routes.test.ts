import type { ApiDocument, Schema } from '../../api/openapi.js';
import { fieldsOf, routesOf, searchRoutes } from './api-routes.js';
import { curlRequest } from './curl-request.js';

const SELF = { $ref: '#/components/schemas/Self' };
const LOOP = { $ref: '#/components/schemas/Loop' };
const body: Schema = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', examples: ["it's $(x)"] }, tags: { type: 'array', items: SELF } },
};
const document: ApiDocument = {
  paths: {
    '/v1/runs': { get: { operationId: 'listRuns', tags: ['Runs'], summary: 'List runs' } },
    '/v1/projects/{project_id}/keys': {
      post: {
        ...{ operationId: 'createKey', tags: ['Keys'], summary: 'Create a key' },
        parameters: [{ name: 'project_id', in: 'path', required: true }],
        requestBody: { content: { 'application/json': { schema: body } } },
        responses: {
          '200': { content: { 'application/json': { schema: body } } },
          '400': { description: 'no' },
        },
      },
    },
  },
  components: { schemas: { Self: { type: 'object', properties: { a: SELF } }, Loop: LOOP } },
};
const routes = routesOf(document);
const ADDRESS = { origin: 'https://a.example', project: 'p1' };

describe('the routes of the API', () => {
  it('are those of the document, in the order of their tags', () =>
    expect(routes.map(({ id }) => id)).toEqual(['createKey', 'listRuns']));

  it.each([
    ['post keys', ['createKey']],
    ['RUNS list', ['listRuns']],
    [' ', ['createKey', 'listRuns']],
    ['runs nothing', []],
  ])('are found by the words %p', (query, ids) =>
    expect(searchRoutes(routes, query).map(({ id }) => id)).toEqual(ids),
  );

  it('have a request with curl: the required parts, the project, what a shell reads quoted, and no key', () => {
    const text = curlRequest(document, routes[0]!, ADDRESS);
    expect(text).toContain("curl -s -X POST 'https://a.example/v1/projects/p1/keys'");
    expect(text).toContain('"Authorization: Bearer $ASSAY_API_KEY"');
    expect(text).toContain(`"name": "it'\\''s $(x)"`);
    expect(curlRequest(document, routes[1]!, ADDRESS)).toContain("curl -s 'https://a.example/v1/runs'");
  });

  it('list the fields of bodies, also of schemas that refer to themselves', () => {
    const paths = fieldsOf(document, routes[0]?.body).map(({ path }) => path);
    expect(paths.slice(0, 3)).toEqual(['name', 'tags', 'tags[].a']);
    expect(fieldsOf(document, SELF).at(-1)?.path).toBe('a.a.a.a.a');
    expect(fieldsOf(document, LOOP)).toEqual([]);
    expect(fieldsOf(document, { $ref: '#/components/schemas/toString' })).toEqual([]);
  });
});
