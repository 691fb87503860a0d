import { randomUUID } from 'node:crypto';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';

describe('the standalone process as its own data plane', () => {
  const { stack, client } = onStack(() => startStandalone());
  const claims = (token: string, principal: object) => ({
    'assay-internal-token': token,
    'assay-principal': encodeURIComponent(JSON.stringify(principal)),
  });

  it('rejects claims about the caller, also from a registered data plane', async () => {
    const [project] = (await client.call('GET', '/v1/projects')).json<{ id: string }[]>();
    const registered = await client.post(
      '/v1/data-planes',
      { name: 'other', project_ids: null },
      { key: stack.adminToken },
    );
    const { token } = registered.json<{ token: string }>();
    const caller = { projectId: project!.id, projectName: 'n', keyId: 'k', scope: 'project' };
    for (const sent of [token, stack.adminToken, stack.apiKey, '']) {
      for (const principal of [caller, { administrator: true }]) {
        expect(
          (await client.call('GET', '/v1/metrics', { key: '', headers: claims(sent, principal) })).status,
        ).toBe(401);
        expect(
          (await client.call('GET', '/v1/data-planes', { key: '', headers: claims(sent, principal) })).status,
        ).toBe(401);
      }
    }
    expect((await client.call('GET', '/v1/metrics', { key: token })).status).toBe(401);
  });

  it('does not serve the internal API', async () => {
    for (const path of [
      'keys/authenticate',
      'events',
      'queues/entries',
      'queues/filters',
      'queues/add',
      'check',
    ]) {
      expect((await client.post(`/internal/v1/${path}`, {}, { key: stack.adminToken })).status).toBe(404);
    }
  });

  it('records actions with their address in the audit trail and removes a deleted project', async () => {
    const name = randomUUID();
    const made = await client.post('/v1/projects', { name }, { key: stack.adminToken });
    const { id, api_key } = made.json<{ id: string; api_key: string }>();
    await client.post('/v1/charts', { name: 'c', metric: 'cost' }, { key: api_key });
    await client.call('DELETE', `/v1/projects?name=${name}`, { key: stack.adminToken });
    expect((await client.post('/v1/charts', { name: 'late', metric: 'cost' }, { key: api_key })).status).toBe(
      401,
    );
    const trail = await client.call('GET', `/v1/audit-entries?project_id=${id}`, { key: stack.adminToken });
    const entries = trail.json<{ entries: { action: string; address: string }[] }>().entries;
    expect(entries.map(({ action }) => action)).toEqual([
      'project.deleted',
      'chart.created',
      'key.created',
      'project.created',
    ]);
    expect(new Set(entries.map(({ address }) => address))).toEqual(new Set(['127.0.0.1']));
  });
});
