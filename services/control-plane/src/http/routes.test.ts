import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpControlPlane } from '@assay/control-plane-client';
import { ByteBudget, createApp, sharedTokenDataPlane } from '@assay/http';
import { type StartedControlPlane, startControlPlane } from '../../test/started-control-plane.js';
import { createInternalApi } from './create-internal-api.js';
import { withInternalApi } from './with-internal-api.js';

const adminToken = 'token-of-the-administrator';
const internalToken = 'token-of-the-data-plane';

interface ApiResponse {
  readonly status: number;
  // Fields that tests read.
  readonly body: {
    id: string;
    api_key: string;
    message: string;
    errorCode: string;
    data: Record<string, string>;
  } & Record<string, unknown>;
}

describe('the routes of the control plane', () => {
  let started: StartedControlPlane;
  let server: Server;
  let url: string;

  beforeEach(async () => {
    started = await startControlPlane();
    const { controlPlane } = started;
    const bindings = started.routes;
    const app = createApp({
      bindings,
      authenticator: controlPlane,
      adminToken,
      budget: new ByteBudget({ maxBytes: 1_000_000 }),
    });
    server = createServer(
      { keepAliveTimeout: 0 },
      withInternalApi(
        app,
        createInternalApi({ controlPlane, identifyDataPlane: sharedTokenDataPlane(internalToken) }),
      ),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
    await started.stop();
  });

  const send = async (method: string, path: string, token?: string, body?: object): Promise<ApiResponse> => {
    const headers = {
      'content-type': 'application/json',
      // The same for each request, so that two responses can be compared.
      'x-request-id': 'of-the-test',
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as ApiResponse['body'] };
  };
  const newProject = async (name: string) => (await send('POST', '/v1/projects', adminToken, { name })).body;

  it('create a project with a key that is valid immediately and lists that project', async () => {
    const project = await newProject(' bot ');
    expect(project).toMatchObject({ name: 'bot', org_id: 'default', created_at: '2026-11-01T00:00:00.000Z' });
    const listed = await send('GET', '/v1/projects?name=whatever', project.api_key);
    const { api_key: _, ...withoutKey } = project;
    expect(listed).toEqual({ status: 200, body: [withoutKey] });
    expect((await send('GET', '/projects', project.api_key)).status).toBe(200);
  });

  it('list all projects sorted by name, or one project, to the administrator', async () => {
    await newProject('b');
    await newProject('a');
    expect((await send('GET', '/v1/projects', adminToken)).body).toMatchObject([
      { name: 'a' },
      { name: 'b' },
    ]);
    expect((await send('GET', '/v1/projects?name=b', adminToken)).body).toMatchObject([{ name: 'b' }]);
    expect((await send('GET', '/v1/projects?name=c', adminToken)).body).toEqual([]);
  });

  it('reject a taken or blank name', async () => {
    await newProject('a');
    const taken = await send('POST', '/v1/projects', adminToken, { name: 'a' });
    expect(taken).toMatchObject({
      status: 409,
      body: { errorCode: 'CONFLICT', message: 'another project has this name', success: false },
    });
    expect((await send('POST', '/v1/projects', adminToken, { name: '  ' })).status).toBe(400);
  });

  it('update a project without affecting its keys', async () => {
    const project = await newProject('a');
    await newProject('b');
    const changed = await send('PUT', '/v1/projects', adminToken, {
      name: 'a',
      new_name: 'c',
      description: 'd',
    });
    expect(changed).toMatchObject({ status: 200, body: { id: project.id, name: 'c', description: 'd' } });
    expect((await send('PUT', '/v1/projects', adminToken, { name: 'c', new_name: 'b' })).status).toBe(409);
    expect((await send('PUT', '/v1/projects', adminToken, { name: 'a' })).status).toBe(404);
    expect((await send('GET', '/v1/projects', project.api_key)).body).toMatchObject([{ name: 'c' }]);
  });

  it('delete a project and invalidate its keys', async () => {
    const project = await newProject('a');
    const other = await newProject('b');
    expect(await send('DELETE', '/v1/projects?name=a', adminToken)).toEqual({
      status: 200,
      body: { success: true, deleted: project.id },
    });
    expect((await send('GET', '/v1/projects', project.api_key)).status).toBe(401);
    expect((await send('GET', '/v1/projects', other.api_key)).status).toBe(200);
    expect((await send('DELETE', '/v1/projects?name=a', adminToken)).status).toBe(404);
  });

  it('create, list and revoke keys', async () => {
    const { id, api_key: key } = await newProject('a');
    started.clock.time += 1_000;
    const ingest = await send('POST', `/v1/projects/${id}/ingestion_api_keys`, key, { name: 'collector' });
    started.clock.time += 1_000;
    const full = await send('POST', `/v1/projects/${id}/fine_grained_api_keys`, adminToken, {
      permissions: ['projects:read'],
      expires_at: '2027-01-01T00:00:00Z',
    });
    expect(ingest.body.data).toMatchObject({
      name: 'collector',
      description: '',
      root_scope_type: 'project',
      root_scope_id: id,
    });
    expect(full.body.data).toMatchObject({
      permissions: ['projects:read'],
      expires_at: '2027-01-01T00:00:00.000Z',
    });
    const listed = await send('GET', `/v1/projects/${id}/api_keys`, key);
    expect(listed.body.data).toMatchObject([
      { key_id: full.body.data.key_id, scope: 'project', expires_at: '2027-01-01T00:00:00.000Z' },
      { key_id: ingest.body.data.key_id, scope: 'ingest', name: 'collector', expires_at: null },
      { scope: 'project', name: 'first key' },
    ]);
    expect(JSON.stringify(listed.body)).not.toMatch(/hash|key_value|hh_/);
    const path = `/v1/projects/${id}/api_keys/${full.body.data.key_id}`;
    expect((await send('GET', '/v1/projects', full.body.data.key_value)).status).toBe(200);
    expect(await send('DELETE', path, key)).toEqual({
      status: 200,
      body: { success: true, deleted: full.body.data.key_id },
    });
    expect((await send('GET', '/v1/projects', full.body.data.key_value)).status).toBe(401);
    expect((await send('DELETE', path, key)).status).toBe(404);
    expect((await send('GET', `/v1/projects/${id}/api_keys`, key)).body.data).toHaveLength(2);
  });

  it('store the name and the description of a key with permissions', async () => {
    const { id, api_key: key } = await newProject('a');
    const path = `/v1/projects/${id}/fine_grained_api_keys`;
    const texts = { name: 'dashboard', description: 'Reads charts' };
    started.clock.time += 1_000;
    const named = await send('POST', path, key, { ...texts, permissions: ['charts:read'] });
    expect(named.body.data).toMatchObject({ ...texts, permissions: ['charts:read'], expires_at: null });
    started.clock.time += 1_000;
    const unnamed = await send('POST', path, key, { permissions: [] });
    expect(unnamed.body.data).toMatchObject({ name: 'project key', description: '' });
    const listed = await send('GET', `/v1/projects/${id}/api_keys`, key);
    expect(listed.body.data).toMatchObject([
      { key_id: unnamed.body.data.key_id, name: 'project key', description: '' },
      { key_id: named.body.data.key_id, ...texts },
      { name: 'first key' },
    ]);
    for (const [field, value] of [
      ['name', ''],
      ['name', 'x'.repeat(201)],
      ['description', 'x'.repeat(1_001)],
      ['description', null],
    ] as const) {
      const refused = await send('POST', path, key, { permissions: [], [field]: value });
      expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining(`${field} must`)]);
    }
  });

  it.each([
    ['POST', '/v1/projects', { name: 'b' }],
    ['PUT', '/v1/projects', { name: 'a' }],
    ['POST', '/v1/projects/{id}/ingestion_api_keys', { name: 'x' }],
    ['POST', '/v1/projects/{id}/fine_grained_api_keys', { permissions: [] }],
  ])('reject unknown fields of %s %s and do nothing', async (method, path, body) => {
    const { id } = await newProject('a');
    const before = await send('GET', `/v1/projects/${id}/api_keys`, adminToken);
    const sent = { ...body, retention_days: 30 };
    const refused = await send(method, path.replace('{id}', id), adminToken, sent);
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'retention_days is not a field of this request',
    ]);
    expect(await send('GET', `/v1/projects/${id}/api_keys`, adminToken)).toEqual(before);
    expect((await send('GET', '/v1/projects', adminToken)).body).toMatchObject([{ name: 'a' }]);
  });

  it('create keys with permissions, and none with more than those of the creator', async () => {
    const { id, api_key: key } = await newProject('a');
    const path = `/v1/projects/${id}/fine_grained_api_keys`;
    const create = async (by: string, permissions: string[]) => send('POST', path, by, { permissions });
    expect((await create(key, ['events:all'])).status).toBe(400);
    expect((await create(key, ['keys:write', 'keys:write'])).status).toBe(400);
    const restricted = (await create(key, ['keys:write', 'runs:read'])).body.data.key_value as string;
    expect((await send('GET', '/v1/projects', restricted)).status).toBe(403);
    // Permitted, and unknown.
    expect((await send('GET', `/v1/runs/${randomUUID()}`, restricted)).status).toBe(404);
    expect((await create(restricted, ['runs:read'])).status).toBe(200);
    for (const permissions of [[], ['runs:write'], ['runs:read', 'events:read']])
      expect((await create(restricted, permissions)).status).toBe(403);
    const writer = (await create(key, ['keys:write', 'events:write'])).body.data.key_value as string;
    expect((await create(writer, ['events:delete'])).status).toBe(200);
    const deleter = (await create(key, ['keys:write', 'events:delete'])).body.data.key_value as string;
    expect((await create(deleter, ['events:write'])).status).toBe(403);
    const ingestion = `/v1/projects/${id}/ingestion_api_keys`;
    expect((await send('POST', ingestion, restricted, { name: 'x' })).status).toBe(403);
    const listed = await send('GET', `/v1/projects/${id}/api_keys`, key);
    const permissions = ['keys:write', 'runs:read'];
    expect(listed.body).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ permissions })]) as unknown,
    });
  });

  it('reject an expiry in the past, and an expired key', async () => {
    const { id, api_key: key } = await newProject('a');
    const path = `/v1/projects/${id}/fine_grained_api_keys`;
    expect(
      (await send('POST', path, key, { permissions: [], expires_at: '2026-11-01T00:00:00Z' })).status,
    ).toBe(400);
    const { body } = await send('POST', path, key, { permissions: [], expires_at: '2026-11-01T00:00:01Z' });
    expect((await send('GET', '/v1/projects', body.data.key_value)).status).toBe(200);
    started.clock.time += 1_000;
    expect((await send('GET', '/v1/projects', body.data.key_value)).status).toBe(401);
  });

  it('create no key that outlives the key of the request', async () => {
    const { id, api_key: key } = await newProject('a');
    const path = `/v1/projects/${id}/fine_grained_api_keys`;
    const ingestion = `/v1/projects/${id}/ingestion_api_keys`;
    const expires_at = '2026-11-01T00:00:10.000Z';
    for (const permissions of [['keys:write', 'events:write', 'projects:read'], []]) {
      const made = await send('POST', path, key, { permissions, expires_at });
      const maker = made.body.data.key_value;
      const create = (more: object) =>
        send('POST', path, maker, { permissions: ['keys:write', 'projects:read'], ...more });
      const later = await create({ expires_at: '2026-11-01T00:00:10.001Z' });
      expect([later.status, later.body.errorCode]).toEqual([403, 'FORBIDDEN']);
      const sooner = await create({ expires_at: '2026-11-01T00:00:05+00:00' });
      expect(sooner.body.data).toMatchObject({ expires_at: '2026-11-01T00:00:05.000Z' });
      const inherited = await create({});
      expect(inherited.body.data).toMatchObject({ expires_at });
      const collector = await send('POST', ingestion, maker, { name: 'collector' });
      expect(collector.body.data).toMatchObject({ expires_at });
      const second = await send('POST', path, inherited.body.data.key_value, {
        permissions: ['projects:read'],
      });
      expect(second.body.data).toMatchObject({ expires_at });
    }
    started.clock.time += 10_000;
    const { body } = await send('GET', `/v1/projects/${id}/api_keys`, key);
    const live = (body.data as unknown as { name: string; expires_at: string | null }[]).filter(
      ({ expires_at: at }) => at === null || Date.parse(at) > started.clock.time,
    );
    expect(live).toMatchObject([{ name: 'first key' }]);
  });

  it('leave the keys that they have created when they are revoked', async () => {
    const { id, api_key: key } = await newProject('a');
    const path = `/v1/projects/${id}/fine_grained_api_keys`;
    const created = (await send('POST', path, key, { permissions: ['projects:read'] })).body.data.key_value;
    const { keyId } = (await started.controlPlane.authenticate(key))!;
    await send('DELETE', `/v1/projects/${id}/api_keys/${keyId}`, adminToken);
    expect((await send('GET', '/v1/projects', key)).status).toBe(401);
    expect((await send('GET', '/v1/projects', created)).status).toBe(200);
  });

  it('create no key by a key that was revoked', async () => {
    const { id, api_key: key } = await newProject('a');
    const caller = (await started.controlPlane.authenticate(key))!;
    await send('DELETE', `/v1/projects/${id}/api_keys/${caller.keyId}`, adminToken);
    const request = { params: { project_id: id }, body: { permissions: [] } };
    await expect(started.operations.createFineGrainedApiKey(request, { caller })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
  });

  it('reject an ingestion key on every route', async () => {
    const { id, api_key: key } = await newProject('a');
    const { body } = await send('POST', `/v1/projects/${id}/ingestion_api_keys`, key, { name: 'collector' });
    const ingest = body.data.key_value;
    expect((await send('GET', '/v1/projects', ingest)).status).toBe(403);
    expect((await send('GET', `/v1/projects/${id}/api_keys`, ingest)).status).toBe(403);
    expect(
      (await send('POST', `/v1/projects/${id}/fine_grained_api_keys`, ingest, { permissions: [] })).status,
    ).toBe(403);
  });

  it('respond identically for another project and a missing one', async () => {
    const mine = await newProject('mine');
    const theirs = await newProject('theirs');
    const theirKey = theirs.api_key.slice('hh_fgdp_'.length).slice(0, 24);
    const calls = (id: string): [string, string, object?][] => [
      ['GET', `/v1/projects/${id}/api_keys`],
      ['POST', `/v1/projects/${id}/ingestion_api_keys`, { name: 'x' }],
      ['POST', `/v1/projects/${id}/fine_grained_api_keys`, { permissions: [] }],
      ['DELETE', `/v1/projects/${id}/api_keys/${theirKey}`],
    ];
    for (const [n, [method, path, body]] of calls(theirs.id).entries()) {
      const [, unknownPath = ''] = calls('0'.repeat(24))[n] ?? [];
      const refused = await send(method, path, mine.api_key, body);
      expect(refused.status).toBe(404);
      expect(refused).toEqual(await send(method, unknownPath, mine.api_key, body));
    }
    const through = await send('DELETE', `/v1/projects/${mine.id}/api_keys/${theirKey}`, mine.api_key);
    expect(through.status).toBe(404);
    expect((await send('GET', '/v1/projects', theirs.api_key)).status).toBe(200);
  });

  it.each([
    ['POST', '/v1/projects', { name: 'x' }],
    ['PUT', '/v1/projects', { name: 'a', new_name: 'x' }],
    ['DELETE', '/v1/projects?name=a', undefined],
  ])('allow %s %s only to the administrator', async (method, path, body) => {
    const { api_key: key } = await newProject('a');
    expect((await send(method, path, key, body)).status).toBe(403);
    expect((await send(method, path, undefined, body)).status).toBe(401);
    expect((await send(method, path, `${adminToken}x`, body)).status).toBe(401);
  });

  it('serve the internal interface only with the data-plane token', async () => {
    const { id, api_key: key } = await newProject('a');
    const asked = createHttpControlPlane({ url, token: internalToken, timeoutMs: 60_000 });
    expect(await asked.authenticate(key)).toMatchObject({
      projectId: id,
      projectName: 'a',
      scope: 'project',
    });
    expect(await asked.authenticate('x'.repeat(40))).toBeUndefined();
    await expect(
      createHttpControlPlane({ url, token: adminToken, timeoutMs: 60_000 }).authenticate(key),
    ).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
  });
});
