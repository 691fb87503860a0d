import { randomUUID } from 'node:crypto';
import { ROUTES, compile, errorBody, type Route } from '@assay/contracts';
import { Client, type Answer } from '../harness/stack/client.js';
import type { Stack } from '../harness/stack/stack.js';
import { pathsOf, sampleRequest, uuidParams } from './sample-request.js';

const checkError = compile(errorBody);
const served = ROUTES.flatMap((route) =>
  pathsOf(route).map((path) => ({ name: `${route.method} ${path}`, route, path })),
);
const withBody = served.filter(({ route }) => route.body !== undefined);
const withUuid = served.filter(({ route }) => uuidParams(route).length > 0);
const forProjects = served.filter(({ route }) => route.access === 'project');
const forAdministrators = served.filter(({ route }) => route.access === 'admin');

/** Walks the catalogue of routes: what holds for every route is asked of every route, whoever answers it. */
export function routeConformance(startStack: () => Promise<Stack>): void {
  let stack: Stack;
  let client: Client;
  let ingestKey: string;
  beforeAll(async () => {
    stack = await startStack();
    client = new Client(stack);
    const [project] = (await client.call('GET', '/v1/projects')).json<{ id: string }[]>();
    const created = await client.post(`/v1/projects/${project!.id}/ingestion_api_keys`, {
      name: 'conformance',
    });
    ingestKey = created.json<{ data: { key_value: string } }>().data.key_value;
  }, 120_000);
  afterAll(async () => {
    expect(await stack.stop()).toBe(true);
  }, 60_000);

  const send = (route: Route, path: string, options: Parameters<Client['call']>[2] = {}): Promise<Answer> => {
    const sample = sampleRequest(route, path);
    const body = 'bytes' in options ? undefined : sample.body;
    return client.call(route.method, sample.path, { ...(body === undefined ? {} : { body }), ...options });
  };

  /** Every refusal is JSON of one shape; OTLP speaks its own dialect of it. */
  const expectRefusal = (answer: Answer, status: number, errorCode: string): string => {
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/json']);
    const body = answer.json<{ message: string; success: boolean }>();
    expect(body).toMatchObject({ statusCode: status, success: false, errorCode });
    checkError(body);
    return body.message;
  };

  describe('without a key, with a broken one, and with an unknown one', () => {
    it.each(served)('$name is refused with 401', async ({ route, path }) => {
      const values = [undefined, 'Basic abc', 'Bearer', 'Bearer nobody-knows-this-key'];
      for (const authorization of values) {
        const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
        const answer = await send(route, path, { key: '', headers });
        expectRefusal(answer, 401, 'UNAUTHORIZED');
        expect(answer.headers.get('www-authenticate')).toContain('Bearer');
      }
    });
  });

  describe('with a key that may only ingest', () => {
    it.each(forProjects)('$name is refused with 403', async ({ route, path }) => {
      expectRefusal(await send(route, path, { key: ingestKey }), 403, 'FORBIDDEN');
    });
  });

  describe('with a key of a project', () => {
    it.each(forAdministrators)('$name is refused with 403', async ({ route, path }) => {
      expectRefusal(await send(route, path), 403, 'FORBIDDEN');
    });
  });

  describe('a body that is none', () => {
    it.each(withBody)('$name: broken JSON, no object, no body, another type', async ({ route, path }) => {
      const key = route.access === 'admin' ? stack.adminToken : stack.apiKey;
      const json = { 'content-type': 'application/json' };
      expectRefusal(await send(route, path, { key, bytes: '{"a":', headers: json }), 400, 'VALIDATION_ERROR');
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
    });
  });

  describe('an id that is no UUID', () => {
    it.each(withUuid)('$name is refused with the form of a UUID', async ({ route, path }) => {
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

  describe('another method on a known path', () => {
    it.each([...new Set(served.map(({ path }) => path))])('%s names what it allows', async (path) => {
      const methods = served.filter((one) => one.path === path).map(({ route }) => route.method as string);
      const other = ['PATCH', 'DELETE', 'PUT', 'GET'].find((method) => !methods.includes(method))!;
      const answer = await client.call(other, path.replace(/\{\w+\}/g, randomUUID()));
      expectRefusal(answer, 405, 'METHOD_NOT_ALLOWED');
      expect(answer.headers.get('allow')?.split(', ').sort()).toEqual([...new Set(methods)].sort());
    });
  });

  it('a path that is no route is 404 in JSON, with and without a key', async () => {
    expectRefusal(await client.call('GET', '/v1/nothing'), 404, 'NOT_FOUND');
    expectRefusal(await client.call('GET', '/v1/nothing', { key: '' }), 404, 'NOT_FOUND');
  });

  it('a path that is not valid percent-encoding is 400', async () => {
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

  it('health is answered without a key', async () => {
    expect((await client.call('GET', '/healthz', { key: '' })).status).toBe(200);
    expect((await client.call('GET', '/readyz', { key: '' })).json()).toMatchObject({ ready: true });
  });

  describe('the examples of the catalogue', () => {
    it.each(served.filter(({ route }) => route.access === 'ingest' && route.body !== undefined))(
      '$name takes its own example and answers its own shape',
      async ({ route, path }) => {
        const answer = await send(route, path);
        expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.any(String)]);
        compile(route.response)(answer.json());
      },
    );
  });
}
