import type { DocumentCollection } from '@assay/document-store';
import { ADMINISTRATOR } from '@assay/domain';
import { type StartedControlPlane, startControlPlane } from '../started-control-plane.fixture.js';
import type { ProjectFields } from '../projects/project-records.js';
import { PROJECT_RECORDS } from '../projects/project-records.js';
import { makeAuthenticateKey } from './authenticate-key.js';
import { makeHashKey } from './hash-key.js';
import { KEY_RECORDS, type KeyFields } from './key-records.js';
import { newKeyText } from './new-key-text.js';

/** The same collection, and how often it was asked. */
function counting<Fields extends object>(records: DocumentCollection<Fields>) {
  const counted = { lookUps: 0 };
  const watched = new Proxy(records, {
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

  it('looks nothing up for what cannot be a key', async () => {
    const { watched, counted } = counting(await started.documents.collection<KeyFields>(KEY_RECORDS));
    const projects = await started.documents.collection<ProjectFields>(PROJECT_RECORDS);
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

  it('refuses the id of a key with another secret, even with a right checksum', async () => {
    const forged = newKeyText('project');
    const records = await started.documents.collection<KeyFields>(KEY_RECORDS);
    const known = await records.get(key.slice('hh_fgdp_'.length).slice(0, 24));
    if (known) await records.insert(forged.keyId, { ...known, hash: 'h'.repeat(43) });
    expect(await started.controlPlane.authenticate(forged.text)).toBeUndefined();
  });

  it('knows no key under another pepper', async () => {
    const keys = await started.documents.collection<KeyFields>(KEY_RECORDS);
    const projects = await started.documents.collection<ProjectFields>(PROJECT_RECORDS);
    const deps = { keys, projects, now: () => new Date(started.clock.time) };
    expect(await makeAuthenticateKey({ ...deps, hashKey: makeHashKey('p'.repeat(32)) })(key)).toBeDefined();
    expect(await makeAuthenticateKey({ ...deps, hashKey: makeHashKey('q'.repeat(32)) })(key)).toBeUndefined();
  });
});
