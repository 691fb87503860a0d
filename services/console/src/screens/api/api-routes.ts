import type { ApiDocument, Operation, Parameter, Schema } from '../../api/openapi.js';

/** A field of a request or a response. */
export interface ApiField {
  /** Path from the body, as `events[].event_id`. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

export interface ApiRoute {
  /** Its operation, which an address can name. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly isDeprecated: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  readonly response: Schema | undefined;
  readonly failures: readonly { readonly status: string; readonly text: string }[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** Deeper fields are in the document. */
const MAX_DEPTH = 4;
const MAX_FIELDS = 300;

/** Returns the routes of a document, by tag. */
export function routesOf({ paths, components }: ApiDocument): readonly ApiRoute[] {
  const texts = components?.responses ?? {};
  const routes = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [routeOf(method, path, operation, texts)];
    }),
  );
  const tags = [...new Set(routes.map(({ tag }) => tag))].sort();
  return tags.flatMap((tag) => routes.filter((route) => route.tag === tag));
}

function routeOf(
  method: string,
  path: string,
  operation: Operation,
  texts: Readonly<Record<string, { readonly description?: string }>>,
): ApiRoute {
  const { operationId, tags, summary = '', description = '', parameters = [], responses = {} } = operation;
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const failures = Object.entries(responses).filter(([status]) => !status.startsWith('2'));
  return {
    id: operationId ?? `${method} ${path}`,
    method: method.toUpperCase(),
    ...{ path, summary, description, parameters },
    tag: tags?.[0] ?? 'Others',
    isDeprecated: operation.deprecated === true,
    body: operation.requestBody?.content?.['application/json']?.schema,
    response: success?.content?.['application/json']?.schema,
    failures: failures.map(([status, one]) => ({
      status,
      text: one.description ?? texts[one.$ref?.split('/').at(-1) ?? '']?.description ?? '',
    })),
  };
}

/** Routes that have every word of a query in their path, summary, tag or operation. */
export function searchRoutes(routes: readonly ApiRoute[], query: string): readonly ApiRoute[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return routes.filter(({ id, method, path, tag, summary }) => {
    const text = `${method} ${path} ${tag} ${summary} ${id}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Follows a reference into the document. Undefined: there is nothing at its end, or it leads to itself. */
export function resolve(document: ApiDocument, schema: Schema | undefined): Schema | undefined {
  let found = schema;
  for (let hops = 0; found?.$ref !== undefined; hops++) {
    const name = found.$ref.split('/').at(-1) ?? '';
    const schemas = document.components?.schemas ?? {};
    found = hops < MAX_DEPTH && Object.hasOwn(schemas, name) ? schemas[name] : undefined;
  }
  return found;
}

/** Lists the fields of a body, the outer ones first, however its schemas refer to each other. */
export function fieldsOf(document: ApiDocument, schema: Schema | undefined): readonly ApiField[] {
  const fields: ApiField[] = [];
  const visit = (one: Schema | undefined, path: string, depth: number): void => {
    const found = resolve(document, one);
    if (found === undefined || depth > MAX_DEPTH) return;
    if (found.items !== undefined) visit(found.items, `${path}[]`, depth);
    for (const [name, property] of Object.entries(found.properties ?? {})) {
      if (fields.length >= MAX_FIELDS) return;
      const value = resolve(document, property);
      const isRequired = found.required?.includes(name) === true;
      const at = path === '' ? name : `${path}.${name}`;
      const description = property.description ?? value?.description ?? '';
      fields.push({ path: at, type: typeOf(document, value), isRequired, description });
      visit(value, at, depth + 1);
    }
  };
  visit(schema, '', 0);
  return fields;
}

/** Returns the type of a schema as people read it: `text or null`, `list of objects`. */
export function typeOf(document: ApiDocument, schema: Schema | undefined): string {
  const found = resolve(document, schema);
  if (found === undefined) return 'any';
  if (found.const !== undefined) return JSON.stringify(found.const);
  if (found.enum !== undefined) return found.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (found.anyOf !== undefined)
    return [...new Set(found.anyOf.map((one) => typeOf(document, one)))].join(' or ');
  const types = [found.type ?? 'any'].flat();
  return types
    .map((type) => (type === 'array' && found.items ? `list of ${typeOf(document, found.items)}` : type))
    .join(' or ');
}
