import { randomBytes, randomUUID } from 'node:crypto';
import { ROUTES, type Route } from '@assay/contracts';
import { Client, type ApiResponse } from '../harness/stack/client.js';
import type { Stack } from '../harness/stack/stack.js';
import { fillWithCanaries, type CanaryProject } from './canary-project.js';
import { pathsOf, sampleRequest } from './sample-request.js';

/** Whether a route creates what it names: two projects may have the same ids. Such routes come last. */
const creates = ({ access, operation }: Route) => access === 'ingest' || operation === 'createRun';
const served = ROUTES.filter(({ access }) => !['admin', 'public'].includes(access))
  .toSorted((one, other) => Number(creates(one)) - Number(creates(other)))
  .flatMap((route) => pathsOf(route).map((path) => ({ name: `${route.method} ${path}`, route, path })));

interface Described {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Described>>;
}
type Ids = CanaryProject['ids'];

const propertiesOf = (schema: unknown) => (schema as Described | undefined)?.properties ?? {};

/** The members of a schema that name stored things, with ids in the form that the schema asks for. */
function references(schema: unknown, ids: Ids): Record<string, unknown> {
  const named = Object.entries(propertiesOf(schema)).flatMap(([name, { type }]) => {
    const id = ids[name] ?? ids[name.replace(/^(add|remove)_|s$/g, '')] ?? ids[name.replace(/_\d$/, '')];
    if (id === undefined) return [];
    return [[name, type === 'array' ? [id] : id]];
  });
  return Object.fromEntries(named) as Record<string, unknown>;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Ids that nothing has, of the same forms. */
function unknownIds(ids: Ids): Ids {
  const random = (id: string) =>
    /^(?:[0-9a-f]{24}|[0-9a-f]{64})$/.test(id)
      ? randomBytes(id.length / 2).toString('hex')
      : UUID.test(id)
        ? randomUUID()
        : id;
  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, random(id)]));
}

/** The parts of a response that do not depend on which id was asked for. */
function withoutIds({ status, text }: ApiResponse): readonly [number, string] {
  return [
    status,
    status < 300 ? '' : text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24}/g, '#'),
  ];
}

/** Checks for every route in the catalogue that a key reaches nothing of another project, however it names it. */
export function otherProjects(startStack: () => Promise<Stack>): void {
  let stack: Stack;
  let client: Client;
  let key: string;
  let theirs: CanaryProject;
  beforeAll(async () => {
    stack = await startStack();
    client = new Client(stack);
    const body = { name: `other ${randomUUID()}` };
    const created = await client.post('/v1/projects', body, { key: stack.adminToken });
    key = created.json<{ api_key: string }>().api_key;
    theirs = await fillWithCanaries(client);
  }, 240_000);
  afterAll(async () => {
    expect(await stack.stop()).toBe(true);
  }, 60_000);

  const send = (route: Route, path: string, ids: Ids): Promise<ApiResponse> => {
    const sample = sampleRequest(route, path, ids);
    const query = new URLSearchParams();
    for (const [name, id] of Object.entries(references(route.query, ids))) query.set(name, String(id));
    const named = references(route.body, ids);
    const body = sample.body === undefined ? undefined : { ...(sample.body as object), ...named };
    return client.call(route.method, `${sample.path}?${query.toString()}`, {
      key,
      ...(body !== undefined && { body }),
    });
  };

  it('names every path parameter', () => {
    const names = served.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    expect(names.filter((name) => theirs.ids[String(name)] === undefined)).toEqual([]);
  });

  it.each(served)('$name responds as for ids that nothing has', async ({ route, path }) => {
    const response = await send(route, path, theirs.ids);
    const unknown = await send(route, path, unknownIds(theirs.ids));
    expect(withoutIds(response)).toEqual(withoutIds(unknown));
    expect(response.text).not.toContain(theirs.canary);
  });

  it('has changed nothing of the other project', async () => {
    await client.call('POST', '/v1/events/page', { key, body: { limit: 1 }, headers: { prefer: 'wait=30' } });
    expect(await theirs.read()).toEqual(theirs.before);
  });
}
