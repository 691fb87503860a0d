import { ADMINISTRATOR } from '@assay/domain';
import { Administration, callerOf, proxied, type Project } from './administration-api.js';
import type { OpenStore } from './resource-api.js';

/** Test suite of data planes on any document store. */
export function describeDataPlanes(title: string, open: OpenStore): void {
  describe(`data planes ${title}`, () => {
    let api: Administration;
    let a: Project;
    let b: Project;
    beforeAll(async () => {
      api = await Administration.start(open);
      [a, b] = [await api.newProject('a'), await api.newProject('b')];
    });
    afterAll(() => api.stop());

    const knows = async (token: string, key: string): Promise<boolean | string> =>
      api
        .dataPlane(token)
        .authenticate(key)
        .then(
          (caller) => caller !== undefined,
          (error: { code: string }) => error.code,
        );
    const listed = async (id: string) => {
      const { body } = await api.asAdministrator('GET', '/v1/data-planes');
      return (body.data_planes as { id: string }[]).find((one) => one.id === id);
    };

    it('get a token once, and can access only their projects', async () => {
      const { status, body } = await api.asAdministrator('POST', '/v1/data-planes', {
        name: ' eu ',
        description: 'Frankfurt',
        project_ids: [a.id, a.id],
      });
      expect(status).toBe(200);
      expect(body.token).toMatch(/^assay_dp_[A-Za-z0-9]{24}_[A-Za-z0-9]{64}$/);
      const never = { rotated_at: null, previous_token_until: null, ended_at: null, last_seen_at: null };
      const times = { created_at: '2026-11-01T00:00:00.000Z', updated_at: '2026-11-01T00:00:00.000Z' };
      const expected = {
        id: body.data_plane.id,
        name: 'eu',
        description: 'Frankfurt',
        project_ids: [a.id],
        ...times,
        ...never,
      };
      expect(body.data_plane).toEqual(expected);
      expect(await listed(body.data_plane.id)).toEqual(expected);
      expect(await knows(body.token, a.api_key)).toBe(true);
      expect(await knows(body.token, b.api_key)).toBe(false);
      expect(await listed(body.data_plane.id)).toMatchObject({ last_seen_at: '2026-11-01T00:00:00.000Z' });
    });

    it('may be bound to all projects, including later ones', async () => {
      const { token } = await api.newDataPlane(null);
      const later = await api.newProject('later');
      for (const { api_key } of [a, b, later]) expect(await knows(token, api_key)).toBe(true);
    });

    it('get other projects with their next call', async () => {
      const { id, token } = await api.newDataPlane([a.id]);
      const { body } = await api.asAdministrator('PUT', `/v1/data-planes/${id}`, { project_ids: [b.id] });
      expect(body.data_plane).toMatchObject({ name: 'dp', project_ids: [b.id] });
      expect([await knows(token, a.api_key), await knows(token, b.api_key)]).toEqual([false, true]);
      await api.asAdministrator('PUT', `/v1/data-planes/${id}`, { project_ids: [] });
      expect([await knows(token, a.api_key), await knows(token, b.api_key)]).toEqual([false, false]);
      const renamed = await api.asAdministrator('PUT', `/v1/data-planes/${id}`, { name: 'other' });
      expect(renamed.body.data_plane).toMatchObject({ name: 'other', project_ids: [] });
    });

    it('rotate their token immediately, or with an overlap during which both are valid', async () => {
      const { id, token: first } = await api.newDataPlane([a.id]);
      const second = (await api.asAdministrator('POST', `/v1/data-planes/${id}/rotate`, { keep_seconds: 60 }))
        .body;
      expect(second.data_plane).toMatchObject({
        previous_token_until: new Date(api.clock.time + 60_000).toISOString(),
      });
      expect([await knows(first, a.api_key), await knows(second.token, a.api_key)]).toEqual([true, true]);
      api.clock.time += 60_000;
      expect([await knows(first, a.api_key), await knows(second.token, a.api_key)]).toEqual([
        'UNAVAILABLE',
        true,
      ]);
      expect(await listed(id)).toMatchObject({ previous_token_until: null });
      const third = (await api.asAdministrator('POST', `/v1/data-planes/${id}/rotate`, {})).body;
      expect([await knows(second.token, a.api_key), await knows(third.token, a.api_key)]).toEqual([
        'UNAVAILABLE',
        true,
      ]);
    });

    it('are ended permanently', async () => {
      const { id, token } = await api.newDataPlane(null);
      await api.asAdministrator('POST', `/v1/data-planes/${id}/rotate`, { keep_seconds: 600 });
      const ended = await api.asAdministrator('DELETE', `/v1/data-planes/${id}`);
      expect(ended.body.data_plane).toMatchObject({
        ended_at: new Date(api.clock.time).toISOString(),
        previous_token_until: null,
      });
      expect(await knows(token, a.api_key)).toBe('UNAVAILABLE');
      expect((await api.send('GET', '/v1/charts', proxied(token, callerOf(a.id)))).status).toBe(401);
      expect((await api.asAdministrator('DELETE', `/v1/data-planes/${id}`)).status).toBe(404);
      expect((await api.asAdministrator('PUT', `/v1/data-planes/${id}`, { name: 'x' })).status).toBe(404);
      expect((await api.asAdministrator('POST', `/v1/data-planes/${id}/rotate`, {})).status).toBe(404);
      expect((await api.asAdministrator('DELETE', '/v1/data-planes/none')).status).toBe(404);
    });

    it.each([
      [{ name: 'x' }, 'project_ids'],
      [{ name: ' ', project_ids: null }, 'name'],
      [{ name: 'x', project_ids: ['nobody-knows-this'] }, 'project_ids'],
      [{ name: 'x', project_ids: 'all' }, 'project_ids'],
      [{ name: 'x', project_ids: null, token: 'mine' }, 'token'],
    ])('are not registered with %j', async (body, field) => {
      const response = await api.asAdministrator('POST', '/v1/data-planes', body);
      expect([response.status, response.body.message]).toEqual([400, expect.stringContaining(field)]);
    });

    it('proxy requests of their projects, with the client address', async () => {
      const { id, token } = await api.newDataPlane([a.id]);
      const chart = { name: 'c', metric: 'cost' };
      const from = {
        ...{ 'assay-client-address': '203.0.113.9', 'x-request-id': 'r-1' },
        'assay-client-identity': encodeURIComponent('zoë@example.com'),
      };
      expect((await api.send('POST', '/v1/charts', proxied(token, callerOf(a.id), from), chart)).status).toBe(
        200,
      );
      const [entry] = await api.trail(`?project_id=${a.id}&action=chart.created`);
      expect(entry).toMatchObject({
        ...{
          actor: 'key',
          actor_id: 'k1',
          address: '203.0.113.9',
          identity: 'zoë@example.com',
          data_plane_id: id,
          data_plane_address: '127.0.0.1',
          request_id: 'r-1',
        },
      });
      const refused = await api.send('POST', '/v1/charts', proxied(token, callerOf(b.id), from), chart);
      expect([refused.status, refused.body.message]).toEqual([
        403,
        'the token of this data plane is not bound to the project',
      ]);
    });

    it('proxy administrative requests only with the key or token of the client', async () => {
      const { token } = await api.newDataPlane([a.id]);
      const path = `/v1/projects/${a.id}/ingestion_api_keys`;
      const withKey = proxied(token, callerOf(a.id), { authorization: `Bearer ${a.api_key}` });
      expect((await api.send('POST', path, withKey, { name: 'made' })).status).toBe(200);
      expect(
        (await api.send('POST', path, proxied(token, callerOf(a.id)), { name: 'not made' })).status,
      ).toBe(403);
      expect((await api.send('GET', '/v1/data-planes', proxied(token, ADMINISTRATOR))).status).toBe(403);
    });

    it('leave no token in the log, in responses, or in the audit trail', async () => {
      const { id, token } = await api.newDataPlane([a.id]);
      await knows(token, a.api_key);
      const listed = await api.asAdministrator('GET', '/v1/data-planes');
      const stored = await (
        await api.documents.collection({ name: 'data_planes', unique: [], indexes: [['created_at']] })
      ).get(id);
      const everything = JSON.stringify([api.logged, listed.body, await api.trail('?limit=500'), stored]);
      const secret = token.slice(-64);
      for (let n = 0; n + 12 <= secret.length; n++) expect(everything).not.toContain(secret.slice(n, n + 12));
      expect(api.logged.filter(({ fields }) => fields.subjectId === id).map(({ phrase }) => phrase)).toEqual([
        'data_plane created',
      ]);
    });
  });
}
