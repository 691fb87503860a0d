import type { DocumentCollection } from '@assay/document-store';
import { ADMINISTRATOR, type Permission } from '@assay/domain';
import { type StartedControlPlane, startControlPlane } from '../../../test/started-control-plane.js';
import { type ProjectFields, PROJECT_COLLECTION } from '../projects/project-document.js';
import { makeAuthenticateKey } from './authenticate-key.js';
import { makeHashKey } from './hash-key.js';
import { API_KEY_COLLECTION, type ApiKeyFields } from './key-document.js';
import { newKeyText } from './new-key-text.js';

/** Returns the collection with a counter of look-ups. A key that is used is written as well. */
function counting<Fields extends object>(collection: DocumentCollection<Fields>) {
  const counted = { lookUps: 0 };
  const watched = new Proxy(collection, {
    get(target, name) {
      if (name !== 'replace') counted.lookUps++;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { watched, counted };
}

describe('authenticateKey', () => {
  let started: StartedControlPlane;
  let key: string;
  beforeEach(async () => {
    started = await startControlPlane();
    key = (await started.operations.createProject({ body: { name: 'bot' } }, { caller: ADMINISTRATOR }))
      .api_key;
  });
  afterEach(() => started.stop());

  it('rejects a malformed key without a look-up', async () => {
    const { watched, counted } = counting(
      await started.documents.collection<ApiKeyFields>(API_KEY_COLLECTION),
    );
    const projects = await started.documents.collection<ProjectFields>(PROJECT_COLLECTION);
    const hashKey = makeHashKey('p'.repeat(32));
    const authenticate = makeAuthenticateKey({
      keys: watched,
      projects,
      hashKey,
      now: () => new Date(started.clock.time),
    });
    const mistyped = key.slice(0, 40) + (key[40] === 'a' ? 'b' : 'a') + key.slice(41);
    for (const text of ['', 'short', mistyped, 'x'.repeat(10_000)])
      expect(await authenticate(text)).toBeUndefined();
    expect(counted.lookUps).toBe(0);
    expect(await authenticate(key)).toBeDefined();
    expect(counted.lookUps).toBe(1);
  });

  it('returns the permissions of a restricted key only', async () => {
    const admin = { caller: ADMINISTRATOR };
    const { projectId } = (await started.controlPlane.authenticate(key))!;
    const create = async (permissions: Permission[]) => {
      const request = { params: { project_id: projectId }, body: { permissions } };
      return (await started.operations.createFineGrainedApiKey(request, admin)).data.key_value;
    };
    const restricted = await started.controlPlane.authenticate(await create(['events:read']));
    expect(restricted).toMatchObject({ scope: 'project', permissions: ['events:read'] });
    expect(await started.controlPlane.authenticate(await create([]))).not.toHaveProperty('permissions');
  });

  describe('stores the last use of a key', () => {
    const collection = () => started.documents.collection<ApiKeyFields>(API_KEY_COLLECTION);
    const keyId = () => key.slice('hh_fgdp_'.length).slice(0, 24);
    const lastUse = async () => (await (await collection()).get(keyId()))?.last_used_at;
    const now = () => new Date(started.clock.time).toISOString();
    const stored = async (time: string) => {
      while ((await lastUse()) !== time) await new Promise((resume) => setImmediate(resume));
    };

    it('at most once a minute', async () => {
      expect(await lastUse()).toBeNull();
      const first = now();
      await started.controlPlane.authenticate(key);
      await stored(first);
      started.clock.time += 59_000;
      await started.controlPlane.authenticate(key);
      started.clock.time += 1_000;
      const third = now();
      await started.controlPlane.authenticate(key);
      await stored(third);
      expect((await (await collection()).get(keyId()))?.version).toBe(3);
    });

    it('without undoing a concurrent revocation, and not of a revoked key', async () => {
      const keys = await collection();
      const projects = await started.documents.collection<ProjectFields>(PROJECT_COLLECTION);
      const stale = (await keys.get(keyId()))!;
      await keys.replace({ ...stale, revoked_at: now() });
      const authenticate = makeAuthenticateKey({
        keys: new Proxy(keys, {
          get: (target, name) =>
            name === 'get' ? () => Promise.resolve(stale) : (Reflect.get(target, name) as unknown),
        }),
        projects,
        hashKey: makeHashKey('p'.repeat(32)),
        now: () => new Date(started.clock.time),
      });
      expect(await authenticate(key)).toBeDefined();
      expect(await started.controlPlane.authenticate(key)).toBeUndefined();
      expect(await keys.get(keyId())).toMatchObject({ version: 2, last_used_at: null });
    });
  });

  it('rejects the id of a key with another secret, even with a valid checksum', async () => {
    const forged = newKeyText('project');
    const collection = await started.documents.collection<ApiKeyFields>(API_KEY_COLLECTION);
    const known = await collection.get(key.slice('hh_fgdp_'.length).slice(0, 24));
    if (known) await collection.insert(forged.keyId, { ...known, hash: 'h'.repeat(43) });
    expect(await started.controlPlane.authenticate(forged.text)).toBeUndefined();
  });

  it('rejects every key under another pepper', async () => {
    const keys = await started.documents.collection<ApiKeyFields>(API_KEY_COLLECTION);
    const projects = await started.documents.collection<ProjectFields>(PROJECT_COLLECTION);
    const deps = { keys, projects, now: () => new Date(started.clock.time) };
    expect(await makeAuthenticateKey({ ...deps, hashKey: makeHashKey('p'.repeat(32)) })(key)).toBeDefined();
    expect(await makeAuthenticateKey({ ...deps, hashKey: makeHashKey('q'.repeat(32)) })(key)).toBeUndefined();
  });
});
