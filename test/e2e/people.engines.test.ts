import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startIdentityProvider, type IdentityProvider } from '../harness/identity/start-identity-provider.js';
import { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';

const PEOPLE = {
  ada: { groups: ['viewers'] },
  olga: { groups: ['owners'], name: 'Olga' },
  nina: { groups: ['unknown'] },
};
const GROUPS = { viewers: { '*': 'viewer' }, owners: { '*': 'owner' } };
const EVENT = { event_type: 'tool', event_name: 'sent by a person', inputs: {} };

describe('people of an identity provider, on separate services', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-people-'));
  let provider: IdentityProvider;
  const { stack, client } = onStack(async () => {
    provider = await startIdentityProvider(PEOPLE);
    const file = join(folder, 'groups.json');
    writeFileSync(file, JSON.stringify(GROUPS));
    return startSplit(enginesFromEnvironment(), {
      everywhere: { OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: 'assay', OIDC_GROUPS_FILE: file },
    });
  });
  afterAll(async () => {
    await provider.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('send, read and change what their groups grant, at each service', async () => {
    const [ada, olga, nina] = await Promise.all(['ada', 'olga', 'nina'].map((one) => provider.issue(one)));
    const ingestion = new Client({ baseUrl: stack.urlOf('ingestion'), apiKey: stack.apiKey });
    const statuses = async (key: string | undefined) => [
      (await ingestion.post('/v1/events', EVENT, { key })).status,
      (await client.post('/v1/events/search', { filters: [], limit: 1 }, { key })).status,
      (await client.post('/v1/charts', { name: 'c', metric: 'cost' }, { key })).status,
    ];
    expect(await statuses(olga)).toEqual([200, 200, 200]);
    expect(await statuses(ada)).toEqual([403, 200, 403]);
    expect(await statuses(nina)).toEqual([403, 403, 403]);
    expect(await statuses(await provider.issue('olga', 'other'))).toEqual([401, 401, 401]);
    const trail = await client.call('GET', '/v1/audit-entries?limit=1', { key: stack.adminToken });
    expect(trail.json<{ entries: object[] }>().entries[0]).toMatchObject({
      ...{ action: 'chart.created', actor: 'person', actor_id: 'olga', actor_name: 'Olga' },
    });
    const { events } = await client.search({
      filters: [{ field: 'event_name', operator: 'is', value: EVENT.event_name, type: 'string' }],
    });
    expect(events).toHaveLength(1);
  });

  it('are known while the provider is broken, and a key of a project is not affected', async () => {
    const key = await provider.issue('ada');
    provider.breakKeys('hang');
    expect((await client.call('GET', '/v1/charts', { key })).status).toBe(200);
    expect((await client.call('GET', '/v1/charts')).status).toBe(200);
    provider.breakKeys(undefined);
  });
});
