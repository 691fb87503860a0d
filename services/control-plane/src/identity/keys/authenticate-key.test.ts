import type { DocumentCollection } from '@assay/document-store';
import { ADMINISTRATOR } from '@assay/domain';
import { type StartedControlPlane, startControlPlane } from '../../../test/started-control-plane.js';
import { type ProjectFields, PROJECT_COLLECTION } from '../projects/project-document.js';
import { makeAuthenticateKey } from './authenticate-key.js';
import { makeHashKey } from './hash-key.js';
import { API_KEY_COLLECTION, type ApiKeyFields } from './key-document.js';
import { newKeyText } from './new-key-text.js';

/** Returns the collection with a counter of look-ups. */
function counting<Fields extends object>(collection: DocumentCollection<Fields>) {
  const counted = { lookUps: 0 };
  const watched = new Proxy(collection, {
    get(target, name) {
      counted.lookUps++;
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
