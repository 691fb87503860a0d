import type { TSchema } from '@sinclair/typebox';
import type { JsonObject, JsonValue } from '@assay/domain';
import { errorBody } from './error-body.js';
import { SchemaRegistry } from './schema-registry.js';
import { inDocumentOrder } from './route-catalogue.js';
import type { Route } from './route.js';

/** Returns the OpenAPI 3.1 document of these routes, built from the schemas that validate the requests. */
export function openApiDocument(
  declared: readonly Route[],
  options: { readonly version: string },
): JsonObject {
  const registry = new SchemaRegistry();
  const routes = inDocumentOrder(declared);
  const paths = pathItems(routes, registry);
  const error = registry.reference(errorBody);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Assay',
      description: 'Evaluation and tracing for LLM applications.',
      version: options.version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A project key or the token of an administrator.',
        },
      },
      schemas: registry.schemas(),
      responses: Object.fromEntries(
        REFUSALS.map(([status, description]) => [status, refusal(description, error)]),
      ),
    },
  };
}

const REFUSALS: readonly (readonly [status: string, description: string])[] = [
  ['400', 'The request is not valid; the message names the field.'],
  ['401', 'The key is missing, unknown, expired or revoked.'],
  ['403', 'The key lacks the permission, or the administrator the role.'],
  ['404', 'No such resource in the project.'],
  ['409', 'Concurrent update, name already in use, or Idempotency-Key used for another request.'],
  ['413', 'The body is larger than 50 MB after decompression.'],
  ['415', 'Unsupported content type or content encoding.'],
  [
    '429',
    'A limit of the project or key is reached: retry the same request after the seconds in Retry-After.',
  ],
  ['503', 'Overloaded or unavailable: retry the same request after the seconds in Retry-After.'],
  ['507', 'The disk is full: retry the same request after the seconds in Retry-After.'],
];

function refusal(description: string, schema: JsonObject): JsonObject {
  return { description, content: { 'application/json': { schema } } };
}

function pathItems(routes: readonly Route[], registry: SchemaRegistry): JsonObject {
  const items = new Map<string, JsonObject>();
  const add = (path: string, method: string, described: JsonObject) =>
    items.set(path, { ...items.get(path), [method.toLowerCase()]: described });
  for (const route of routes) {
    const described = operation(route, registry);
    add(route.path, route.method, described);
    for (const alias of route.describedAliases ?? [])
      add(alias, route.method, { ...described, operationId: `${route.operation}WithoutPrefix` });
  }
  return Object.fromEntries(items);
}

function operation(route: Route, registry: SchemaRegistry): JsonObject {
  const parameters = [
    ...parametersOf(route.params, 'path'),
    ...parametersOf(route.query, 'query'),
    ...(route.repeatable ? [IDEMPOTENCY_KEY] : []),
  ];
  return {
    operationId: route.operation,
    tags: [route.tag],
    summary: route.summary,
    ...(route.successor === undefined
      ? {}
      : { deprecated: true, description: `Use ${route.successor} instead.` }),
    ...(route.access === 'public' ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBody(route, registry),
    responses: responses(route, registry),
  };
}

const IDEMPOTENCY_KEY: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A client-chosen key. A retry of the same request with the same key within 24 hours returns the same ids and creates nothing new; a different request with the same key gets 409. Keys are scoped to the project.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$', example: 'order-4711-attempt' },
};

function parametersOf(schema: TSchema | undefined, location: 'path' | 'query'): JsonObject[] {
  const plain = schema === undefined ? {} : SchemaRegistry.plain(schema);
  const properties = Object.entries(isObject(plain.properties) ? plain.properties : {});
  const required = Array.isArray(plain.required) ? plain.required : [];
  return properties.map(([name, property]) =>
    parameter(name, location, required.includes(name), isObject(property) ? property : {}),
  );
}

function parameter(
  name: string,
  location: 'path' | 'query',
  required: boolean,
  { description = '', ...schema }: JsonObject,
): JsonObject {
  const form: JsonObject = hasObjects(schema) ? { content: { 'application/json': { schema } } } : { schema };
  return { name, in: location, required, description, ...form };
}

/**
 * Objects in a query are declared as JSON: by default a generated client spreads their properties over the
 * query.
 */
function hasObjects({ type, items }: JsonObject): boolean {
  return [type].flat().includes('object') || (isObject(items) && hasObjects(items));
}

function requestBody(route: Route, registry: SchemaRegistry): JsonObject {
  if (route.encoding === 'otlp')
    return {
      requestBody: {
        required: true,
        description: 'An OTLP export request.',
        content: OTLP_CONTENT,
      },
    };
  if (route.body === undefined) return {};
  return {
    requestBody: {
      required: true,
      content: { 'application/json': { schema: registry.reference(route.body) } },
    },
  };
}

/** Protobuf message. Binary content has no schema (OpenAPI 3.1, "Considerations for File Uploads"). */
const PROTOBUF_CONTENT: JsonObject = { 'application/x-protobuf': {} };
const OTLP_CONTENT: JsonObject = { 'application/json': { schema: { type: 'object' } }, ...PROTOBUF_CONTENT };

function responses(route: Route, registry: SchemaRegistry): JsonObject {
  const json: JsonObject = { 'application/json': { schema: registry.reference(route.response) } };
  const success = {
    description: 'Done.',
    content: route.encoding === 'otlp' ? { ...json, ...PROTOBUF_CONTENT } : json,
  };
  const refusals = REFUSALS.map(([status]): [string, JsonValue] => [
    status,
    { $ref: `#/components/responses/${status}` },
  ]);
  return Object.fromEntries<JsonValue>([['200', success], ...refusals]);
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
