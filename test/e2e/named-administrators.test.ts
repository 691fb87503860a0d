import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '../harness/stack/client.js';
import { startEmbeddedSplit, type EmbeddedSplit } from '../harness/stack/start-embedded-split.js';

describe('named administrators of a control plane, at its data plane', () => {
  let split: EmbeddedSplit;
  let client: Client;
  beforeAll(async () => {
    split = await startEmbeddedSplit({});
    client = new Client(split);
  }, 120_000);
  afterAll(async () => {
    expect(await split?.stop()).toBe(true);
  }, 60_000);

  const create = async (name: string, role: string) => {
    const made = await client.post('/v1/administrators', { name, role }, { key: split.adminToken });
    expect(made.status).toBe(200);
    return made.json<{ token: string; administrator: { id: string } }>();
  };

  it('may do there what their role includes', async () => {
    const { token: viewer } = await create('victor', 'viewer');
    const { token: operator } = await create('olga', 'operator');
    const statusOf = async (key: string, method: string, path: string, body?: object) =>
      (await client.call(method, path, { key, ...(body && { body }) })).status;
    for (const key of [viewer, operator]) expect(await statusOf(key, 'GET', '/v1/dead-letters')).toBe(200);
    const replay = ['POST', '/v1/dead-letters/replay', { group: 'store' }] as const;
    expect(await statusOf(operator, ...replay)).toBe(200);
    const refused = await client.post('/v1/dead-letters/replay', { group: 'store' }, { key: viewer });
    expect([refused.status, refused.json<{ message: string }>().message]).toEqual([
      403,
      'this needs an administrator with the role operator',
    ]);
    expect(await statusOf(operator, 'POST', '/v1/projects', { name: 'not made' })).toBe(403);
    expect(await statusOf(operator, 'GET', '/v1/metrics')).toBe(403);
    expect(await statusOf(`${operator.slice(0, -1)}_`, 'GET', '/v1/dead-letters')).toBe(401);
  });

  it('are in the audit trail by their names, and reach the control plane through the data plane', async () => {
    const { token, administrator } = await create('grace', 'admin');
    expect((await client.post('/v1/projects', { name: 'of grace' }, { key: token })).status).toBe(200);
    const trail = await client.call('GET', '/v1/audit-entries?action=project.created', { key: token });
    const [entry] = trail.json<{ entries: object[] }>().entries;
    expect(entry).toMatchObject({
      ...{ actor: 'administrator', actor_id: administrator.id, actor_name: 'grace' },
      data_plane_id: 'deployment',
    });
  });

  it('are in the audit trail with what they begin at the data plane', async () => {
    const { token, administrator } = await create('otto', 'operator');
    const begun = { group: 'store', error_class: 'of no letter' };
    for (const path of ['replay', 'delete'])
      expect((await client.post(`/v1/dead-letters/${path}`, begun, { key: token })).status).toBe(200);
    expect((await client.call('DELETE', '/v1/dead-letters/store-0-0-9', { key: token })).status).toBe(404);
    const refused = await client.post('/v1/dead-letters/delete', begun, { key: split.apiKey });
    expect(refused.status).toBe(403);
    const trail = await client.call('GET', '/v1/audit-entries?limit=4', { key: split.adminToken });
    const entry = { actor_id: administrator.id, actor_name: 'otto', project_id: null };
    const origin = { data_plane_id: 'deployment', address: '127.0.0.1' };
    const fields = ['group', 'error_class'];
    const deletion = { ...entry, ...origin, action: 'dead_letters.deletion_started' };
    expect(trail.json<{ entries: object[] }>().entries).toMatchObject([
      { ...deletion, subject_id: 'store-0-0-9', fields: [] },
      { ...deletion, subject_id: 'dead-letters', fields },
      { ...entry, ...origin, action: 'dead_letters.replay_started', fields },
      { action: 'administrator.created' },
    ]);
    expect(JSON.stringify(trail.json())).not.toContain('of no letter');
  });

  it('leave no token in a file of either process', async () => {
    const { token } = await create('nora', 'viewer');
    expect((await client.call('GET', '/v1/dead-letters', { key: token })).status).toBe(200);
    const files = readdirSync(split.dir, { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    );
    expect(files.length).toBeGreaterThan(2);
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name)).includes(token.slice(-40))).toBe(false);
  });
});
