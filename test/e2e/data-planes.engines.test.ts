import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '@assay/testing';
import { Client } from '../harness/stack/client.js';
import { FalseControlPlane, type Pretence } from '../harness/stack/false-control-plane.js';
import { onStack } from '../harness/stack/on-stack.js';
import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import type { Stack } from '../harness/stack/stack.js';

const OWN_ADMIN_TOKEN = 'admin-token-of-the-data-plane';
const METRIC = { name: 'm', type: 'PYTHON', criteria: 'x', return_type: 'float' };

interface Project {
  readonly id: string;
  readonly api_key: string;
}

describe('a data plane registered for one of several projects', () => {
  let a: Project;
  let b: Project;
  let token: string;
  let front: FalseControlPlane | undefined;
  let elsewhere: Server;
  const reached: string[] = [];

  const start = async (): Promise<Stack> => {
    const tap = async (target: string) => {
      // The control plane is tapped first, MongoDB is left alone.
      if (front) return target;
      front = await FalseControlPlane.start(target);
      return front.address;
    };
    const register = async ({ baseUrl, adminToken }: { baseUrl: string; adminToken: string }) => {
      const admin = new Client({ baseUrl, apiKey: adminToken });
      a = (await admin.post('/v1/projects', { name: 'tenant a' })).json<Project>();
      b = (await admin.post('/v1/projects', { name: 'tenant b' })).json<Project>();
      const registered = await admin.post('/v1/data-planes', { name: 'of a', project_ids: [a.id] });
      token = registered.json<{ token: string }>().token;
      return { CONTROL_PLANE_TOKEN: token, INGESTION_TOKEN: 'between-data-plane-and-ingestion' };
    };
    const dataPlane = { ASSAY_ADMIN_TOKEN: OWN_ADMIN_TOKEN, TRUSTED_PROXIES: '127.0.0.1' };
    return startSplit(enginesFromEnvironment(), { dataPlane, tap, register });
  };
  const on = onStack(start);
  beforeAll(async () => {
    elsewhere = createServer((request, response) => {
      reached.push(`${request.method} ${request.url}`);
      response.end('{"caller":null}');
    }).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
  });
  afterAll(async () => {
    elsewhere.close();
    await front?.close();
    expect(reached).toEqual([]);
  });

  const tenant = () => new Client(on.stack, a.api_key);
  const atControlPlane = (key: string) =>
    new Client({ baseUrl: on.stack.urlOf('control-plane'), apiKey: key });
  const pretending = async (pretence: Pretence, act: () => Promise<void>) => {
    front!.pretence = pretence;
    await act().finally(() => (front!.pretence = undefined));
  };

  it('serves its project: events, resources, queues and new keys', async () => {
    const marker = randomUUID();
    const filters = {
      filterArray: [{ field: 'metadata.marker', operator: 'is', value: marker, type: 'string' }],
    };
    const queue = (await tenant().post('/v1/queues', { name: 'q', filters })).json<{
      queue: { id: string };
    }>().queue.id;
    const made = await tenant().post(`/v1/projects/${a.id}/ingestion_api_keys`, { name: 'collector' });
    const { key_value } = made.json<{ data: { key_value: string } }>().data;
    const sent = await new Client(on.stack, key_value).post('/v1/events', {
      event_type: 'model',
      inputs: { q: 1 },
      metadata: { marker },
    });
    const { event_id } = sent.json<{ event_id: string }>();
    expect(
      (
        await tenant().search({
          filters: [{ field: 'event_id', operator: 'is', value: event_id, type: 'string' }],
        })
      ).count,
    ).toBe(1);
    await waitFor(
      'the event is in the queue',
      async () => {
        const page = await tenant().call('GET', `/v1/queues/${queue}/events`);
        return page
          .json<{ events: { event_id: string }[] }>()
          .events.some((one) => one.event_id === event_id);
      },
      { withinMs: 120_000 },
    );
  });

  it('rejects the key of an unauthorised project, which works at the control plane', async () => {
    const unauthorised = new Client(on.stack, b.api_key);
    expect((await unauthorised.post('/v1/events', { event_type: 'model', inputs: {} })).status).toBe(401);
    expect((await unauthorised.call('GET', '/v1/metrics')).status).toBe(401);
    expect((await unauthorised.call('GET', `/v1/projects/${b.id}/api_keys`)).status).toBe(401);
    expect((await atControlPlane(b.api_key).call('GET', '/v1/metrics')).status).toBe(200);
  });

  it('accepts its own administrator token, which does not authorise administration at the control plane', async () => {
    expect((await tenant().call('GET', '/v1/dead-letters', { key: OWN_ADMIN_TOKEN })).status).toBe(200);
    expect((await tenant().call('GET', '/v1/data-planes', { key: OWN_ADMIN_TOKEN })).status).toBe(401);
    expect((await tenant().post('/v1/projects', { name: 'mine' }, { key: OWN_ADMIN_TOKEN })).status).toBe(
      401,
    );
  });

  it('records the origin of a change in the audit trail', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9', 'x-request-id': randomUUID() };
    const created = await tenant().post('/v1/metrics', METRIC, { headers });
    const { metric_id } = created.json<{ metric_id: string }>();
    const trail = await atControlPlane(on.stack.adminToken).call(
      'GET',
      `/v1/audit-entries?project_id=${a.id}&action=metric.created`,
    );
    expect(trail.json<{ entries: object[] }>().entries[0]).toMatchObject({
      subject_id: metric_id,
      fields: Object.keys(METRIC),
      address: '203.0.113.9',
      data_plane_address: '127.0.0.1',
      data_plane_id: token.split('_')[2],
      request_id: headers['x-request-id'],
    });
  });

  it('has a token that gives no access to other projects, to administration or to ingestion', async () => {
    const claim = (projectId: string) => ({
      'assay-internal-token': token,
      'assay-principal': encodeURIComponent(
        JSON.stringify({ projectId, projectName: 'n', keyId: 'k', scope: 'project' }),
      ),
    });
    const control = atControlPlane('');
    expect((await control.call('GET', '/v1/metrics', { headers: claim(b.id) })).status).toBe(403);
    const made = await control.post(
      `/v1/projects/${a.id}/fine_grained_api_keys`,
      { permissions: [] },
      { headers: claim(a.id) },
    );
    expect(made.status).toBe(403);
    const asked = await control.post('/internal/v1/keys/authenticate', { key: b.api_key }, { key: token });
    expect(asked.json()).toEqual({ caller: null });
    const ingestion = new Client({ baseUrl: on.stack.urlOf('ingestion'), apiKey: '' });
    expect(
      (await ingestion.post('/v1/events', { event_type: 'model', inputs: {} }, { headers: claim(a.id) }))
        .status,
    ).toBe(401);
  });

  it('rejects responses of an impostor of the control plane and keeps accepting cached keys', async () => {
    const { port } = elsewhere.address() as AddressInfo;
    const redirect: Pretence = (request, response) => {
      request.resume();
      response
        .writeHead(307, {
          location: `http://127.0.0.1:${port}${request.url}`,
          'content-type': 'application/json',
        })
        .end('{}');
    };
    const page: Pretence = (request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'a=b' }).end('<script>');
    };
    for (const pretence of [redirect, page]) {
      await pretending(pretence, async () => {
        const resource = await tenant().call('GET', '/v1/metrics');
        expect([resource.status, resource.headers.get('set-cookie')]).toEqual([503, null]);
        const unknown = new Client(on.stack, `unknown-key-${randomUUID()}`);
        expect((await unknown.call('GET', '/v1/events')).status).toBe(503);
        expect((await tenant().post('/v1/events', { event_type: 'model', inputs: {} })).status).toBe(200);
      });
    }
    expect((await tenant().call('GET', '/v1/metrics')).status).toBe(200);
  });

  it('keeps its old token during a rotation and is rejected once it is deleted', async () => {
    const admin = atControlPlane(on.stack.adminToken);
    const id = token.split('_')[2]!;
    const rotated = await admin.post(`/v1/data-planes/${id}/rotate`, { keep_seconds: 600 });
    expect(rotated.json<{ token: string }>().token).not.toBe(token);
    expect((await tenant().call('GET', '/v1/metrics')).status).toBe(200);
    await admin.call('DELETE', `/v1/data-planes/${id}`);
    expect((await tenant().call('GET', '/v1/metrics')).status).toBe(401);
  });
});
