import { randomUUID } from 'node:crypto';
import {
  ROUTES,
  compile,
  errorBody,
  ignoredParameters,
  requiredPermissions,
  type Route,
} from '@assay/contracts';
import { PERMISSIONS } from '@assay/domain';
import { Client, type ApiResponse } from '../harness/stack/client.js';
import type { Stack } from '../harness/stack/stack.js';
import {
  ADMINISTRATOR_ONLY,
  ADMINISTRATOR_OR_PROJECT,
  BY_PERMISSIONS,
  BY_ROLE,
  INGESTION_KEY,
  mayCall,
} from './allowed-operations.js';
import { CLIENT_PATHS } from './client-paths.js';
import { pathsOf, sampleRequest, uuidParams } from './sample-request.js';

const checkError = compile(errorBody);
const served = ROUTES.flatMap((route) =>
  pathsOf(route).map((path) => ({ name: `${route.method} ${path}`, route, path })),
);
const withBody = served.filter(({ route }) => route.body !== undefined);
const withUuid = served.filter(({ route }) => uuidParams(route).length > 0);
const forKeys = served.filter(({ route }) => !['admin', 'public'].includes(route.access));
const forProjects = served.filter(({ route }) => route.access === 'project');
const administrative = withBody.filter(({ route }) => ['admin', 'admin-or-project'].includes(route.access));
const forAdministrators = served.filter(({ route }) => route.access === 'admin');

/** Checks for every route in the catalogue what must hold for all routes. */
export function routeConformance(startStack: () => Promise<Stack>): void {
  let stack: Stack;
  let client: Client;
  let ingestKey: string;
  let projectId: string;
  const keys = new Map<string, string>();
  beforeAll(async () => {
    stack = await startStack();
    client = new Client(stack);
    const [project] = (await client.call('GET', '/v1/projects')).json<{ id: string }[]>();
    projectId = project!.id;
    const created = await client.post(`/v1/projects/${projectId}/ingestion_api_keys`, {
      name: 'conformance',
    });
    ingestKey = created.json<{ data: { key_value: string } }>().data.key_value;
  }, 120_000);
  afterAll(async () => {
    expect(await stack.stop()).toBe(true);
  }, 60_000);

  /** Returns a key with these permissions, which is created once. */
  const keyWith = async (permissions: readonly string[]): Promise<string> => {
    const name = permissions.join();
    const found = keys.get(name);
    if (found !== undefined) return found;
    const path = `/v1/projects/${projectId}/fine_grained_api_keys`;
    const created = (await client.post(path, { permissions })).json<{ data: { key_value: string } }>();
    keys.set(name, created.data.key_value);
    return created.data.key_value;
  };

  const administratorWith = async (role: string): Promise<string> => {
    const body = { name: randomUUID(), role };
    const created = await client.post('/v1/administrators', body, { key: stack.adminToken });
    return created.json<{ token: string }>().token;
  };

  const send = (
    route: Route,
    path: string,
    options: Parameters<Client['call']>[2] = {},
  ): Promise<ApiResponse> => {
    const sample = sampleRequest(route, path);
    const body = 'bytes' in options ? undefined : sample.body;
    return client.call(route.method, sample.path, { ...(body === undefined ? {} : { body }), ...options });
  };

  /** Every rejection is JSON of one shape; OTLP routes use the OTLP status instead. */
  const expectRefusal = (response: ApiResponse, status: number, errorCode: string): string => {
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/json']);
    const body = response.json<{ message: string; success: boolean }>();
    expect(body).toMatchObject({ statusCode: status, success: false, errorCode });
    checkError(body);
    return body.message;
  };

  describe('without a key, with a malformed key and with an unknown key', () => {
    it.each(served)('$name responds 401', async ({ route, path }) => {
      const values = [undefined, 'Basic abc', 'Bearer', 'Bearer an-unknown-key'];
      for (const authorization of values) {
        const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
        const response = await send(route, path, { key: '', headers });
        expectRefusal(response, 401, 'UNAUTHORIZED');
        expect(response.headers.get('www-authenticate')).toContain('Bearer');
      }
    });
  });

  describe('with a key that may only ingest', () => {
    it.each(forProjects)('$name responds 403', async ({ route, path }) => {
      expectRefusal(await send(route, path, { key: ingestKey }), 403, 'FORBIDDEN');
    });
  });

  describe('with a key restricted to permissions', () => {
    it.each(forKeys)('$name needs those of the route', async ({ route, path }) => {
      const required = requiredPermissions(route) ?? [];
      const [first] = required;
      const others = PERMISSIONS.filter((one) => !mayCall([one, ...required.slice(1)], route.operation));
      const message = expectRefusal(
        await send(route, path, { key: await keyWith(others) }),
        403,
        'FORBIDDEN',
      );
      expect(message).toBe(`this key lacks the permission ${first}`);
      const allowed = await send(route, path, { key: await keyWith(required) });
      expect([401, 403]).not.toContain(allowed.status);
    });
  });

  describe('by the kind of credential', () => {
    const primary = served.filter(({ route, path }) => path === route.path);
    const restricted = Object.keys(BY_PERMISSIONS).map((names) => names.split(' '));
    const isForKeys = (operation: string) => !ADMINISTRATOR_ONLY.includes(operation);
    const isForAdministrator = (operation: string) =>
      ADMINISTRATOR_ONLY.includes(operation) || ADMINISTRATOR_OR_PROJECT.includes(operation);

    it('has every route in the table of allowed operations', () => {
      const listed = new Set([...ADMINISTRATOR_ONLY, ...Object.values(BY_PERMISSIONS).flat()]);
      expect([...listed].sort()).toEqual(ROUTES.map(({ operation }) => operation).sort());
    });

    it.each<[string, () => Promise<string>, (operation: string) => boolean]>([
      [
        'an ingestion key',
        () => Promise.resolve(ingestKey),
        (operation) => INGESTION_KEY.includes(operation),
      ],
      ['a key without restrictions', () => Promise.resolve(stack.apiKey), isForKeys],
      ['the token of the administrator', () => Promise.resolve(stack.adminToken), isForAdministrator],
      ['an administrator with the role admin', () => administratorWith('admin'), isForAdministrator],
      ...Object.entries(BY_ROLE).map(
        ([role, operations]): [string, () => Promise<string>, (operation: string) => boolean] => [
          `an administrator with the role ${role}`,
          () => administratorWith(role),
          (operation) => operations.includes(operation),
        ],
      ),
      ...restricted.map((permissions): [string, () => Promise<string>, (operation: string) => boolean] => [
        `a key with ${permissions.join(' and ')}`,
        () => keyWith(permissions),
        (operation) => mayCall(permissions, operation),
      ]),
    ])('allows %s exactly the operations of the table', async (_name, credential, isAllowed) => {
      const key = await credential();
      const allowed: string[] = [];
      for (const { route, path } of primary) {
        const response = await send(route, path, { key });
        if (response.status === 403) expectRefusal(response, 403, 'FORBIDDEN');
        else allowed.push(route.operation);
        expect(response.status).not.toBe(401);
      }
      expect(allowed).toEqual(primary.map(({ route }) => route.operation).filter(isAllowed));
    });
  });

  describe('with an unknown field in an administrative body', () => {
    it.each(administrative)('$name responds 400 and names the field', async ({ route, path }) => {
      const { body } = sampleRequest(route, path);
      const key = route.access === 'admin' ? stack.adminToken : stack.apiKey;
      const response = await send(route, path, { key, body: { ...(body as object), retention_days: 30 } });
      expect(expectRefusal(response, 400, 'VALIDATION_ERROR')).toBe(
        'retention_days is not a field of this request',
      );
    });
  });

  describe('with a query parameter that it does not have', () => {
    const reads = served.filter(({ route }) => route.method === 'GET');
    it.each(reads)('$name responds 400 and names the nearest one', async ({ route, path }) => {
      const known = Object.keys((route.query?.['properties'] as object | undefined) ?? {});
      const key = route.access === 'admin' ? stack.adminToken : stack.apiKey;
      const read = (query: string) =>
        client.call('GET', `${sampleRequest(route, path).path}?${query}`, { key });
      const message = expectRefusal(await read('evaluations_id=1'), 400, 'VALIDATION_ERROR');
      expect(message).toMatch(/^evaluations_id is not a parameter of this route/);
      if (known.includes('evaluation_id')) expect(message).toContain('did you mean evaluation_id');
      for (const name of known) {
        const misspelled = `${name.slice(0, 1)}${name}`;
        const refused = expectRefusal(
          await read(`${encodeURIComponent(misspelled)}=1`),
          400,
          'VALIDATION_ERROR',
        );
        expect(refused).toBe(`${misspelled} is not a parameter of this route: did you mean ${name}`);
      }
    });

    it.each(reads)('$name accepts those that public clients send', async ({ route, path }) => {
      const key = route.access === 'admin' ? stack.adminToken : stack.apiKey;
      const query = [...ignoredParameters(route), 'unheard_of'].map((name) => `${name}=None`).join('&');
      const { text } = await client.call('GET', `${sampleRequest(route, path).path}?${query}`, { key });
      expect(text).not.toContain('is not a parameter');
    });
  });

  describe('with a key of a project', () => {
    it.each(forAdministrators)('$name responds 403', async ({ route, path }) => {
      expectRefusal(await send(route, path), 403, 'FORBIDDEN');
    });
  });

  describe('with an invalid body', () => {
    it.each(withBody)(
      '$name rejects malformed JSON, a number, no body and other media types',
      async ({ route, path }) => {
        const key = route.access === 'admin' ? stack.adminToken : stack.apiKey;
        const json = { 'content-type': 'application/json' };
        expectRefusal(
          await send(route, path, { key, bytes: '{"a":', headers: json }),
          400,
          'VALIDATION_ERROR',
        );
        expectRefusal(await send(route, path, { key, bytes: '5', headers: json }), 400, 'VALIDATION_ERROR');
        expectRefusal(await send(route, path, { key, bytes: '', headers: json }), 400, 'VALIDATION_ERROR');
        expectRefusal(
          await send(route, path, { key, bytes: '{}', headers: { 'content-type': 'text/plain' } }),
          415,
          'UNSUPPORTED_MEDIA_TYPE',
        );
        expectRefusal(
          await send(route, path, { key, bytes: 'x', headers: { ...json, 'content-encoding': 'br' } }),
          415,
          'UNSUPPORTED_MEDIA_TYPE',
        );
      },
    );
  });

  describe('with an id that is not a UUID', () => {
    it.each(withUuid)('$name responds 400 and names the parameter', async ({ route, path }) => {
      for (const name of uuidParams(route)) {
        const { path: filled, body } = sampleRequest(route, path, { [name]: '123' });
        const message = expectRefusal(
          await client.call(route.method, filled, { body }),
          400,
          'VALIDATION_ERROR',
        );
        expect(message).toMatch(new RegExp(`${name}.*UUID`));
      }
    });
  });

  describe('with an unsupported method', () => {
    it.each([...new Set(served.map(({ path }) => path))])(
      '%s responds 405 and lists the allowed methods',
      async (path) => {
        const methods = served.filter((one) => one.path === path).map(({ route }) => route.method as string);
        const other = ['PATCH', 'DELETE', 'PUT', 'GET'].find((method) => !methods.includes(method))!;
        const response = await client.call(other, path.replace(/\{\w+\}/g, randomUUID()));
        expectRefusal(response, 405, 'METHOD_NOT_ALLOWED');
        expect(response.headers.get('allow')?.split(', ').sort()).toEqual([...new Set(methods)].sort());
      },
    );
  });

  describe('to a public client', () => {
    const calls = Object.entries(CLIENT_PATHS).flatMap(([action, paths]) =>
      paths.map((call) => ({ call, action })),
    );
    it.each(calls)('$call serves to $action', async ({ call }) => {
      const [method = '', pattern = ''] = call.split(' ');
      const body = method === 'POST' || method === 'PUT' ? {} : undefined;
      const { status, text } = await client.call(method, pattern.replace(/\{\w+\}/g, randomUUID()), { body });
      expect([status, text]).not.toEqual([404, expect.stringContaining('there is no such route')]);
      expect(status).not.toBe(405);
      expect(text).not.toContain('is not a parameter');
      expect(status).toBeLessThan(500);
    });
  });

  it('responds 404 in JSON to an unknown path, with and without a key', async () => {
    expectRefusal(await client.call('GET', '/v1/nothing'), 404, 'NOT_FOUND');
    expectRefusal(await client.call('GET', '/v1/nothing', { key: '' }), 404, 'NOT_FOUND');
  });

  it('responds 400 to a path that is not valid percent-encoding', async () => {
    expectRefusal(await client.call('GET', '/v1/events/%zz'), 400, 'VALIDATION_ERROR');
  });

  describe('the OpenAPI document', () => {
    it.each(served.filter(({ route, path }) => path === route.path))(
      'describes $name',
      async ({ route, path }) => {
        const document = (await client.call('GET', '/openapi.json', { key: '' })).json<{
          paths: Record<string, Record<string, object>>;
        }>();
        expect(document.paths[path]?.[route.method.toLowerCase()]).toMatchObject({
          responses: { 200: expect.any(Object) as unknown },
        });
      },
    );
  });

  it('serves health checks without a key', async () => {
    expect((await client.call('GET', '/healthz', { key: '' })).status).toBe(200);
    expect((await client.call('GET', '/readyz', { key: '' })).json()).toMatchObject({ ready: true });
  });

  describe('with the examples of the catalogue', () => {
    it.each(served.filter(({ route }) => route.access === 'ingest' && route.body !== undefined))(
      '$name accepts its own example and responds with its declared schema',
      async ({ route, path }) => {
        const response = await send(route, path);
        expect([response.status, response.text.slice(0, 200)]).toEqual([200, expect.any(String)]);
        compile(route.response)(response.json());
      },
    );
  });
}
