import type { ApiDocument, Schema } from '../../api/openapi.js';
import { resolve, type ApiRoute } from './api-routes.js';

const MAX_DEPTH = 6;
/** Fields of a body without required ones that an example shows. */
const SHOWN = 3;

/** Returns a request as a person can run it, with the examples of the document. The key is read from the environment. */
export function curlRequest(
  document: ApiDocument,
  route: ApiRoute,
  { origin, project }: { readonly origin: string; readonly project: string },
): string {
  const { method, path, parameters, body } = route;
  const example = (name: string) =>
    name === 'project_id'
      ? project
      : exampleOf(document, parameters.find((one) => one.name === name)?.schema);
  const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(print(example(name))));
  const query = parameters
    .filter((one) => one.in === 'query' && one.required === true)
    .map(({ name }) => `${encodeURIComponent(name)}=${encodeURIComponent(print(example(name)))}`)
    .join('&');
  const address = quote(`${origin}${filled}${query === '' ? '' : `?${query}`}`);
  const lines = [
    `curl -s ${method === 'GET' ? '' : `-X ${method} `}${address}`,
    `  -H "Authorization: Bearer $ASSAY_API_KEY"${body === undefined ? '' : ` -H 'Content-Type: application/json'`}`,
  ];
  if (body !== undefined) lines.push(`  -d ${quote(JSON.stringify(exampleOf(document, body), null, 2))}`);
  return lines.join(' \\\n');
}

/** Returns a value that fits a schema: its example, else one made of those of its required fields. */
export function exampleOf(document: ApiDocument, schema: Schema | undefined, depth = 0): unknown {
  const found = resolve(document, schema);
  if (found === undefined || depth > MAX_DEPTH) return null;
  const given = givenExample(found);
  if (given !== undefined) return given;
  if (found.anyOf !== undefined) return exampleOf(document, found.anyOf[0], depth + 1);
  const [type] = [found.type ?? 'object'].flat();
  if (type === 'array') return found.items === undefined ? [] : [exampleOf(document, found.items, depth + 1)];
  if (type === 'object') return objectOf(document, found, depth);
  return { string: 'text', boolean: true, null: null }[type ?? ''] ?? 1;
}

const givenExample = ({ examples, example, const: only, enum: values }: Schema): unknown =>
  examples?.[0] ?? example ?? only ?? values?.[0];

function objectOf(document: ApiDocument, { properties = {}, required = [] }: Schema, depth: number): object {
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, SHOWN);
  return Object.fromEntries(names.map((name) => [name, exampleOf(document, properties[name], depth + 1)]));
}

const print = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
