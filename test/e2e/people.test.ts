import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@assay/testing';
import {
  claimsOf,
  signed,
  startIdentityProvider,
  type IdentityProvider,
} from '../harness/identity/start-identity-provider.js';
import { Client } from '../harness/stack/client.js';
import { readMetrics } from '../harness/stack/read-metrics.js';
import { startEmbeddedSplit, type EmbeddedSplit } from '../harness/stack/start-embedded-split.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import type { Stack } from '../harness/stack/stack.js';

const PEOPLE = {
  ada: { groups: ['viewers', 'unknown'], email: 'ada@example.com' },
  olga: { groups: ['owners'], preferred_username: 'olga' },
  edit: { groups: ['viewers', 'editors'], name: 'Edit' },
  nina: { groups: ['unknown'] },
  none: { roles: ['owners'] },
  many: { groups: [...Array.from({ length: 700 }, (_, n) => `g${n}`), 'viewers'] },
};
const GROUPS = {
  viewers: { '*': 'viewer' },
  editors: { '*': ['charts:write'] },
  owners: { '*': 'owner' },
};

describe('with an identity provider', () => {
  let folder: string;
  let settings: Record<string, string>;
  let provider: IdentityProvider;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'assay-people-'));
    provider = await startIdentityProvider(PEOPLE);
    const file = join(folder, 'groups.json');
    writeFileSync(file, JSON.stringify(GROUPS));
    settings = { OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: 'assay', OIDC_GROUPS_FILE: file };
  }, 60_000);
  afterAll(async () => {
    await provider.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  interface Failure {
    readonly message: string;
    readonly errorCode: string;
  }

  describe('people of an identity provider, at the single process', () => {
    let stack: Stack;
    let client: Client;
    beforeAll(async () => {
      stack = await startStandalone(settings);
      client = new Client(stack);
    }, 120_000);
    afterAll(async () => {
      expect(await stack.stop()).toBe(true);
    }, 60_000);

    const read = (key: string, headers: Record<string, string> = {}) =>
      client.call('GET', '/v1/charts', { key, headers });
    const refusal = async (key: string) => {
      const response = await read(key);
      return [response.status, response.json<Failure>().message];
    };

    it('may do what their groups grant together, and learn which permission they lack', async () => {
      const chart = { name: 'c', metric: 'cost' };
      const [ada, edit, olga] = await Promise.all(['ada', 'edit', 'olga'].map((one) => provider.issue(one)));
      for (const key of [ada, edit, olga]) expect((await read(key!)).status).toBe(200);
      const refused = await client.post('/v1/charts', chart, { key: ada! });
      expect([refused.status, refused.json<Failure>().message]).toEqual([
        403,
        'this key lacks the permission charts:write',
      ]);
      expect((await client.post('/v1/charts', chart, { key: edit! })).status).toBe(200);
      expect((await client.call('GET', '/v1/audit-entries', { key: olga! })).status).toBe(403);
      const event = { event_type: 'model', event_name: 'sent', inputs: {}, outputs: {} };
      expect((await client.post('/v1/events', event, { key: olga! })).status).toBe(200);
      expect((await client.post('/v1/events', event, { key: ada! })).status).toBe(403);
    });

    it('are in the audit trail by subject and name, also with the keys that they make', async () => {
      const key = await provider.issue('olga');
      const [project] = (await client.call('GET', '/v1/projects', { key })).json<{ id: string }[]>();
      const made = await client.post(
        `/v1/projects/${project!.id}/ingestion_api_keys`,
        { name: 'k' },
        { key },
      );
      expect(made.status).toBe(200);
      const trail = await client.call('GET', '/v1/audit-entries?action=key.created&limit=1', {
        key: stack.adminToken,
      });
      expect(trail.json<{ entries: object[] }>().entries[0]).toMatchObject({
        ...{ actor: 'person', actor_id: 'olga', actor_name: 'olga', identity: 'olga' },
      });
    });

    it('choose one of several projects by a header', async () => {
      const made = await client.post('/v1/projects', { name: 'second' }, { key: stack.adminToken });
      const { id } = made.json<{ id: string }>();
      const key = await provider.issue('ada');
      const ambiguous = await read(key);
      expect([ambiguous.status, ambiguous.json<Failure>().message]).toEqual([
        400,
        expect.stringContaining('the header Assay-Project is missing'),
      ]);
      expect((await read(key, { 'assay-project': id })).status).toBe(200);
      const listed = await client.call('GET', '/v1/projects', { key, headers: { 'assay-project': id } });
      expect(listed.json<{ id: string }[]>()).toMatchObject([{ id }]);
      const foreign = await read(key, { 'assay-project': 'none' });
      expect([foreign.status, foreign.json<Failure>().message]).toEqual([
        403,
        'no group of this person has access to the project that Assay-Project names',
      ]);
      await client.call('DELETE', '/v1/projects?name=second', { key: stack.adminToken });
      // Of another person, whom no cache has.
      expect((await read(await provider.issue('olga'), { 'assay-project': id })).status).toBe(403);
    });

    it('have no access without a group that is known, or without the claim', async () => {
      expect(await refusal(await provider.issue('nina'))).toEqual([
        403,
        'no group of this person has access to a project',
      ]);
      expect(await refusal(await provider.issue('none'))).toEqual([
        403,
        'the token has no list of groups in the claim groups',
      ]);
    });

    it('may have hundreds of groups; what no header can hold is refused', async () => {
      expect((await read(await provider.issue('many'))).status).toBe(200);
      const groups = Array.from({ length: 10_000 }, (_, n) => `group-${n}`);
      for (const claims of [{ groups }, { padding: 'x'.repeat(75_000) }]) {
        const token = provider.forge(claims);
        expect(token.length).toBeGreaterThan(100_000);
        expect(await statusOf(stack.baseUrl, token)).toBe(431);
      }
    });

    const hour = 3_600;
    const now = () => Math.floor(Date.now() / 1_000);
    it.each<[string, () => string | Promise<string>, string]>([
      ['for another audience', () => provider.issue('ada', 'other'), 'it is for another audience'],
      ['of another issuer', () => provider.forge({ iss: `${provider.issuer}/` }), 'it is of another issuer'],
      ['that has expired', () => provider.forge({ exp: now() - hour }), 'it has expired'],
      ['that is not valid yet', () => provider.forge({ nbf: now() + hour }), 'it is not valid yet'],
      ['without an expiry', () => provider.forge({ exp: undefined }), 'it has no expiry'],
      ['without a subject', () => provider.forge({ sub: undefined }), 'it has no subject'],
      ['with an empty subject', () => provider.forge({ sub: '' }), 'it has no subject'],
      ['with a long subject', () => provider.forge({ sub: 'x'.repeat(300) }), 'it has no subject'],
      [
        'without a signature',
        () => signed({ alg: 'none' }, claimsOf(provider.issuer, {}), Buffer.alloc(0)),
        'its signature is not one of the identity provider',
      ],
      [
        'signed with the public key as a secret',
        () => {
          const text = signed({ alg: 'HS256' }, claimsOf(provider.issuer, {}), Buffer.alloc(0)).slice(0, -1);
          return `${text}.${createHmac('sha256', provider.publicKey).update(text).digest('base64url')}`;
        },
        'its signature is not one of the identity provider',
      ],
      [
        'with another signature',
        () => `${provider.forge({}).split('.').slice(0, 2).join('.')}.${'A'.repeat(342)}`,
        'its signature is not one of the identity provider',
      ],
      ['that is no JSON', () => 'eyJh.eyJh.eyJh', 'it cannot be read'],
      [
        'with an unknown critical header',
        () => provider.forge({}, { crit: ['x'], x: 1 }),
        'it cannot be read',
      ],
    ])('are rejected with a token %s', async (_name, make, message) => {
      expect(await refusal(await make())).toEqual([401, `the token is not valid: ${message}`]);
    });

    it('with an unknown key lead to one request for the keys at most', async () => {
      const before = provider.keyRequests();
      for (let n = 0; n < 20; n++)
        expect(await refusal(provider.forge({ n }, { kid: `unknown-${n}` }))).toEqual([
          401,
          'the token is not valid: the identity provider does not publish its key',
        ]);
      expect(provider.keyRequests() - before).toBeLessThanOrEqual(1);
      expect((await read(await provider.issue('ada'))).status).toBe(200);
      expect(await readMetrics(stack.adminUrl('standalone'))).toMatch(
        /^assay_oidc_refused_tokens_total\{reason="unknown_key"\} 20$/m,
      );
    });

    it('are known while the provider is broken, by the keys that it had published', async () => {
      const key = await provider.issue('ada');
      provider.breakKeys('fail');
      expect((await read(key)).status).toBe(200);
      provider.breakKeys(undefined);
    });
  });

  it('people of an identity provider get 401 while its keys cannot be read for the first time, and keys of projects work', async () => {
    const stack = await startStandalone(settings);
    const client = new Client(stack);
    const key = await provider.issue('ada');
    const forged = async () => {
      const response = await client.call('GET', '/v1/charts', { key: provider.forge({}) });
      return [response.status, response.json<Failure>().message];
    };
    for (const fault of ['hang', 'huge', 'fail'] as const) {
      provider.breakKeys(fault);
      const before = provider.keyRequests();
      // The keys of a provider that has failed are asked for again after a while.
      const isAsked = async () => {
        expect([fault, await forged()]).toEqual([
          fault,
          [401, 'the token is not valid: the identity provider cannot be reached'],
        ]);
        return provider.keyRequests() > before;
      };
      await waitFor('the provider is asked for its keys', isAsked, { withinMs: 60_000, pollIntervalMs: 100 });
      expect((await client.call('GET', '/v1/charts')).status).toBe(200);
    }
    provider.breakKeys(undefined);
    const read = async () => (await client.call('GET', '/v1/charts', { key })).status;
    await waitFor('the keys are read', async () => (await read()) === 200, {
      withinMs: 60_000,
      pollIntervalMs: 100,
    });
    expect(await stack.stop()).toBe(true);
  }, 240_000);

  describe('people of an identity provider, at a data plane with a control plane of its own', () => {
    let split: EmbeddedSplit;
    let client: Client;
    beforeAll(async () => {
      split = await startEmbeddedSplit({}, settings);
      client = new Client(split);
    }, 120_000);
    afterAll(async () => {
      expect(await split?.stop()).toBe(true);
    }, 60_000);

    it('read and write as their groups grant, and are named in the audit trail', async () => {
      const key = await provider.issue('edit');
      const event = { filters: [], limit: 1 };
      expect((await client.post('/v1/events/search', event, { key })).status).toBe(200);
      expect((await client.post('/v1/charts', { name: 'c', metric: 'cost' }, { key })).status).toBe(200);
      expect((await client.post('/v1/datasets', { name: 'd' }, { key })).status).toBe(403);
      const trail = await client.call('GET', '/v1/audit-entries?limit=1', { key: split.adminToken });
      expect(trail.json<{ entries: object[] }>().entries[0]).toMatchObject({
        ...{ action: 'chart.created', actor: 'person', actor_id: 'edit', actor_name: 'Edit' },
        data_plane_id: 'deployment',
      });
    });

    it('are rejected there as at the control plane', async () => {
      const response = await client.call('GET', '/v1/charts', { key: await provider.issue('ada', 'other') });
      expect([response.status, response.json<Failure>().message]).toEqual([
        401,
        'the token is not valid: it is for another audience',
      ]);
      expect((await client.call('GET', '/v1/charts', { key: provider.forge({ groups: [] }) })).status).toBe(
        403,
      );
    });
  });

  /** The status of a request whose headers are larger than a client of the tests sends. */
  function statusOf(baseUrl: string, token: string): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      request(`${baseUrl}/v1/charts`, { headers: { authorization: `Bearer ${token}` } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
  }
});
