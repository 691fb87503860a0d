import { administratorToken } from '@assay/domain';
import { Administration, proxied, type Response } from './administration-api.js';
import type { OpenStore } from './resource-api.js';

const HOUR_MS = 3_600_000;

interface Created {
  readonly id: string;
  readonly token: string;
}

/** Test suite of named administrators on any document store. */
export function describeAdministrators(title: string, open: OpenStore): void {
  describe(`named administrators ${title}`, () => {
    let api: Administration;
    beforeAll(async () => {
      api = await Administration.start(open);
    });
    afterAll(() => api.stop());

    const inAnHour = () => new Date(api.clock.time + HOUR_MS).toISOString();
    const create = (body: object): Promise<Response> =>
      api.asAdministrator('POST', '/v1/administrators', body);
    const made = async (name: string, role: string, more: object = {}): Promise<Created> => {
      const { status, body } = await create({ name, role, ...more });
      expect(status).toBe(200);
      return { id: (body.administrator as { id: string }).id, token: body.token };
    };
    const list = async () =>
      (await api.asAdministrator('GET', '/v1/administrators')).body.administrators as { id: string }[];
    const statusOf = async (token: string, method = 'GET', path = '/v1/data-planes', body?: object) =>
      (await api.as(token, method, path, body)).status;

    it('get a token once, and are listed without it', async () => {
      const { status, body } = await create({ name: ' ada ', role: 'operator', expires_at: inAnHour() });
      expect(status).toBe(200);
      expect(body.token).toMatch(/^assay_adm_[A-Za-z0-9]{24}_[A-Za-z0-9]{64}$/);
      const { id } = body.administrator as { id: string };
      const expected = {
        ...{ id, name: 'ada', role: 'operator', expires_at: inAnHour() },
        created_at: new Date(api.clock.time).toISOString(),
      };
      expect(body.administrator).toEqual(expected);
      expect(await list()).toEqual([expected]);
      const stored = await (
        await api.documents.collection({
          ...{ name: 'administrators', unique: [['name']], indexes: [['created_at']] },
        })
      ).get(id);
      const everything = JSON.stringify([stored, api.logged, await api.trail('?limit=500'), await list()]);
      expect(everything).not.toContain(body.token.slice(-30));
      expect(everything).not.toContain(body.token.slice(36, 60));
    });

    it.each<[string, string[]]>([
      ['viewer', ['GET']],
      ['operator', ['GET', 'end']],
      ['admin', ['GET', 'end', 'create', 'project', 'administrators']],
    ])('may do what the role %s includes, and learn which role the rest needs', async (role, allowed) => {
      const { token } = await made(`with ${role}`, role);
      const plane = await api.newDataPlane(null);
      const calls: [name: string, needed: string, method: string, path: string, body?: object][] = [
        ['GET', 'viewer', 'GET', '/v1/audit-entries'],
        ['end', 'operator', 'DELETE', `/v1/data-planes/${plane.id}`],
        ['create', 'admin', 'POST', '/v1/data-planes', { name: 'x', project_ids: null }],
        ['project', 'admin', 'POST', '/v1/projects', { name: `of ${role}` }],
        ['administrators', 'admin', 'GET', '/v1/administrators'],
      ];
      for (const [name, needed, method, path, body] of calls) {
        const response = await api.as(token, method, path, body);
        if (allowed.includes(name)) expect([name, response.status]).toEqual([name, 200]);
        else
          expect([name, response.status, response.body.message]).toEqual([
            ...[name, 403, `this needs an administrator with the role ${needed}`],
          ]);
      }
    });

    it('read the keys of every project, and belong to none', async () => {
      const project = await api.newProject('of keys');
      const { token } = await made('reads keys', 'viewer');
      const path = `/v1/projects/${project.id}/api_keys`;
      expect(await statusOf(token, 'GET', path)).toBe(200);
      const create = await api.as(token, 'POST', `/v1/projects/${project.id}/ingestion_api_keys`, {
        name: 'k',
      });
      expect([create.status, create.body.message]).toEqual([403, expect.stringContaining('role admin')]);
      expect(await statusOf(token, 'GET', '/v1/metrics')).toBe(403);
    });

    it('are named in the audit trail', async () => {
      const { id, token } = await made('grace@example.com', 'admin');
      const project = (await api.as(token, 'POST', '/v1/projects', { name: 'by grace' })).body;
      await api.asAdministrator('DELETE', '/v1/projects?name=by%20grace');
      const entries = await api.trail(`?project_id=${project.id as string}`);
      expect(
        entries.map(({ action, actor, actor_id, actor_name }) => [action, actor, actor_id, actor_name]),
      ).toEqual([
        ['project.deleted', 'administrator', null, 'administrator'],
        ['key.created', 'administrator', id, 'grace@example.com'],
        ['project.created', 'administrator', id, 'grace@example.com'],
      ]);
      const about = (await api.trail('?limit=500')).filter(({ subject_id }) => subject_id === id);
      expect(about.map(({ action, actor_name, fields }) => [action, actor_name, fields])).toEqual([
        ['administrator.created', 'administrator', ['name', 'role']],
      ]);
    });

    it('are rejected from their expiry on', async () => {
      const { token } = await made('expires', 'viewer', { expires_at: inAnHour() });
      api.clock.time += HOUR_MS - 1;
      expect(await statusOf(token)).toBe(200);
      api.clock.time += 1;
      expect(await statusOf(token)).toBe(401);
    });

    it('are rejected with the next request once they are deleted, and their name is free', async () => {
      const { id, token } = await made('leaves', 'admin');
      const path = `/v1/administrators/${id}`;
      expect((await api.asAdministrator('DELETE', path)).body).toMatchObject({ success: true, deleted: id });
      expect(await statusOf(token)).toBe(401);
      expect((await api.asAdministrator('DELETE', path)).status).toBe(404);
      const again = await made('leaves', 'viewer');
      expect(await statusOf(token)).toBe(401);
      expect(await statusOf(again.token)).toBe(200);
      const about = (await api.trail('?limit=500')).filter(({ subject_id }) => subject_id === id);
      expect(about.map(({ action }) => action)).toEqual(['administrator.deleted', 'administrator.created']);
    });

    it('are not another administrator with a token that was changed or invented', async () => {
      const { id, token } = await made('original', 'admin');
      for (const wrong of [
        administratorToken(id, 's'.repeat(58)),
        administratorToken('x'.repeat(24), token.slice(35, 93)),
        `${token.slice(0, -1)}_`,
        token.slice(0, -1),
      ])
        expect(await statusOf(wrong)).toBe(401);
    });

    it('create administrators that expire no later than they do', async () => {
      const end = inAnHour();
      const { id, token } = await made('temporary', 'admin', { expires_at: end });
      const later = new Date(api.clock.time + 2 * HOUR_MS).toISOString();
      const refused = await api.as(token, 'POST', '/v1/administrators', {
        ...{ name: 'outlives', role: 'admin', expires_at: later },
      });
      expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('expires_at')]);
      const inherits = await api.as(token, 'POST', '/v1/administrators', { name: 'inherits', role: 'admin' });
      expect(inherits.body.administrator).toMatchObject({ expires_at: end });
      await api.asAdministrator('DELETE', `/v1/administrators/${id}`);
      expect(await statusOf(inherits.body.token)).toBe(200);
    });

    it.each<[object, number, string]>([
      [{ name: 'x' }, 400, 'role'],
      [{ name: 'x', role: 'owner' }, 400, 'role'],
      [{ name: ' ', role: 'viewer' }, 400, 'name'],
      [{ name: 'Administrator', role: 'viewer' }, 400, 'name'],
      [{ name: 'x'.repeat(201), role: 'viewer' }, 400, 'name'],
      [{ name: 'x', role: 'viewer', expires_at: '2020-01-01T00:00:00Z' }, 400, 'expires_at'],
      [{ name: 'x', role: 'viewer', expires_at: 'tomorrow' }, 400, 'expires_at'],
      [{ name: 'x', role: 'viewer', token: 'mine' }, 400, 'token'],
      [{ name: 'taken', role: 'viewer' }, 409, 'name'],
    ])('are not created with %j', async (body, status, field) => {
      await create({ name: 'taken', role: 'viewer' });
      const refused = await create(body);
      expect([refused.status, refused.body.message]).toEqual([status, expect.stringContaining(field)]);
    });

    it('are created once under a name by concurrent requests', async () => {
      const body = { name: 'only once', role: 'viewer' };
      const statuses = (await Promise.all(Array.from({ length: 8 }, () => create(body)))).map(
        ({ status }) => status,
      );
      expect(statuses.sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
    });

    it('are known to every data plane, which cannot state who they are itself', async () => {
      const { id, token } = await made('of data planes', 'viewer', { expires_at: inAnHour() });
      const plane = await api.newDataPlane([]);
      const client = api.dataPlane(plane.token);
      const ada = { administrator: true, id, name: 'of data planes', role: 'viewer' } as const;
      expect(await client.authenticateAdministrator(token)).toEqual({ ...ada, expiresAt: inAnHour() });
      expect(await client.authenticateAdministrator(administratorToken(id, 's'.repeat(58)))).toBeUndefined();
      const stated = proxied(plane.token, { ...ada, role: 'admin' });
      expect((await api.send('GET', '/v1/data-planes', stated)).status).toBe(403);
      const withOwn = { ...stated, authorization: `Bearer ${token}` };
      expect((await api.send('GET', '/v1/data-planes', withOwn)).status).toBe(200);
      expect((await api.send('GET', '/v1/administrators', withOwn)).status).toBe(403);
      await api.asAdministrator('DELETE', `/v1/administrators/${id}`);
      expect(await client.authenticateAdministrator(token)).toBeUndefined();
    });
  });
}
