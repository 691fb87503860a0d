import { spawnSync } from 'node:child_process';
import { openApiDocument } from './openapi.js';
import { ROUTES } from './route-catalogue.js';

const document = openApiDocument(ROUTES, { version: '1.0.0' });
const text = JSON.stringify(document);

const VALIDATE = `
  import { readFileSync } from 'node:fs';
  import { Validator } from '@seriousme/openapi-schema-validator';
  const { valid, errors } = await new Validator().validate(JSON.parse(readFileSync(0, 'utf8')));
  process.stdout.write(JSON.stringify({ valid, errors }));
`;

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', () => {
    // The validator is an ES module, which jest does not load, so it runs in a child process.
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', VALIDATE], {
      cwd: __dirname,
      input: text,
      encoding: 'utf8',
    });
    expect(JSON.parse(stdout)).toEqual({ valid: true });
  });

  test('has no dangling reference', () => {
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(references.length).toBeGreaterThan(0);
    for (const reference of references) {
      const target = reference
        .split('/')
        .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document);
      expect({ [reference]: typeof target }).toEqual({ [reference]: 'object' });
    }
  });

  test('describes each operation once, with every error response', () => {
    const operations = [...text.matchAll(/"operationId":"(\w+)"/g)].map((match) => match[1]);
    const ofAliases = ROUTES.filter((route) => route.describedAliases).map(
      ({ operation }) => `${operation}WithoutPrefix`,
    );
    expect([...operations].sort()).toEqual([...ROUTES.map((route) => route.operation), ...ofAliases].sort());
    expect(document).toMatchObject({
      paths: {
        '/v1/events': {
          post: {
            responses: { 200: {}, 400: {}, 401: {}, 403: {}, 404: {}, 409: {}, 413: {}, 415: {}, 503: {} },
          },
        },
      },
      components: {
        securitySchemes: { bearer: { scheme: 'bearer' } },
        schemas: { Error: {}, Event: {}, CreateEventRequest: {} },
      },
    });
  });

  test('describes the routes that have no prefix in the specification', () => {
    const id = (operationId: string) => ({ operationId, responses: { 200: {} } });
    expect(document).toMatchObject({
      paths: {
        '/metrics': { put: id('updateMetricByBodyWithoutPrefix') },
        '/events/schema': { get: id('getEventsSchemaWithoutPrefix') },
        '/runs/{run_id}/schema': { get: id('getRunSchemaWithoutPrefix') },
      },
    });
  });

  test('declares the encoding of objects in a query and of OTLP responses', () => {
    const schema = expect.any(Object) as object;
    const parameters = [
      { name: 'filters', content: { 'application/json': { schema } } },
      { name: 'dateRange', content: { 'application/json': { schema } } },
      { name: 'projections', schema },
    ];
    const containing = expect.arrayContaining(
      parameters.map((parameter) => expect.objectContaining(parameter) as object),
    ) as object[];
    expect(document).toMatchObject({
      paths: {
        '/v1/events': { get: { parameters: containing } },
        '/opentelemetry/v1/traces': {
          post: { responses: { 200: { content: { 'application/json': {}, 'application/x-protobuf': {} } } } },
        },
      },
    });
  });

  test('offers an Idempotency-Key exactly on the routes that create events or sessions', () => {
    const offering = ROUTES.filter((route) => route.repeatable).map(({ operation }) => operation);
    expect(offering.sort()).toEqual(
      ROUTES.filter(
        ({ owner, method, encoding }) => owner === 'ingestion' && method === 'POST' && encoding === undefined,
      )
        .map(({ operation }) => operation)
        .sort(),
    );
    const key = expect.objectContaining({ name: 'Idempotency-Key', in: 'header', required: false }) as object;
    expect(document).toMatchObject({ paths: { '/v1/events': { post: { parameters: [key] } } } });
    expect(text.match(/"name":"Idempotency-Key"/g)).toHaveLength(offering.length);
  });

  test('omits keywords that are internal to the validation', () => {
    expect(text).not.toContain('unknownFieldHints');
    expect(text).not.toContain('$id');
  });
});
