import { API_KEY_COLLECTION, type ApiKeyFields } from '../keys/key-document.js';
import { newKeyText } from '../keys/new-key-text.js';
import { ADMINISTRATOR } from '@assay/domain';
import { type StartedControlPlane, startControlPlane } from '../../../test/started-control-plane.js';

const configured = 'a-key-that-a-person-chose';
const admin = { caller: ADMINISTRATOR };

describe('ensureFirstProject', () => {
  let started: StartedControlPlane;
  beforeEach(async () => {
    started = await startControlPlane();
  });
  afterEach(() => started.stop());

  it('creates the project and a key at the first start, and no other once it was shown', async () => {
    const { project, created } = await started.ensureFirstProject('default');
    expect(await started.controlPlane.authenticate(created?.apiKey ?? '')).toMatchObject({
      projectId: project.id,
      scope: 'project',
    });
    await created?.confirmShown();
    expect(await started.ensureFirstProject('default')).toEqual({ project });
  });

  it('creates another key when the process ended before it showed the first', async () => {
    const lost = (await started.ensureFirstProject('default')).created?.apiKey ?? '';
    const { created } = await started.ensureFirstProject('default');
    expect(created?.apiKey).not.toBe(lost);
    started.clock.time += 60_001;
    const third = await started.ensureFirstProject('default');
    expect(await started.controlPlane.authenticate(lost)).toBeUndefined();
    await third.created?.confirmShown();
    expect(await started.ensureFirstProject('default')).toEqual({ project: third.project });
    expect(await started.controlPlane.authenticate(third.created?.apiKey ?? '')).toBeDefined();
  });

  it('creates no other key once the first was used, although it may not have been shown', async () => {
    const { project, created } = await started.ensureFirstProject('default');
    await started.controlPlane.authenticate(created?.apiKey ?? '');
    const keys = await started.documents.collection<ApiKeyFields>(API_KEY_COLLECTION);
    const isUsed = async () =>
      (await keys.list({ equals: { project_id: project.id }, limit: 1 }))[0]?.last_used_at !== null;
    while (!(await isUsed())) await new Promise((resume) => setImmediate(resume));
    expect(await started.ensureFirstProject('default')).toEqual({ project });
  });

  it('accepts the configured key at every start, and returns none', async () => {
    const first = await started.ensureFirstProject('default', configured);
    expect(first.created).toBeUndefined();
    expect(await started.ensureFirstProject('default', configured)).toEqual(first);
    expect(await started.controlPlane.authenticate(configured)).toMatchObject({
      projectName: 'default',
      scope: 'project',
    });
    expect(await started.ensureFirstProject('default')).toEqual(first);
  });

  it('adds a configured key to a project that has one already', async () => {
    const { created } = await started.ensureFirstProject('default');
    await started.ensureFirstProject('default', configured);
    expect(await started.controlPlane.authenticate(configured)).toBeDefined();
    expect(await started.controlPlane.authenticate(created?.apiKey ?? '')).toBeDefined();
  });

  it('gives a configured key in the format of a generated key the scope that it contains', async () => {
    const { text, keyId } = newKeyText('ingest');
    await started.ensureFirstProject('default', text);
    expect(await started.controlPlane.authenticate(text)).toMatchObject({ keyId, scope: 'ingest' });
  });

  it('creates one project and one key when two processes start concurrently', async () => {
    const [one, other] = await Promise.all([
      started.ensureFirstProject('default', configured),
      started.ensureFirstProject('default', configured),
    ]);
    expect(one.project.id).toBe(other.project.id);
    const { data } = await started.operations.listApiKeys({ params: { project_id: one.project.id } }, admin);
    expect(data).toHaveLength(1);
  });

  it('does not restore a revoked configured key', async () => {
    const { project } = await started.ensureFirstProject('default', configured);
    const keyId = (await started.controlPlane.authenticate(configured))?.keyId ?? '';
    await started.operations.deleteApiKey({ params: { project_id: project.id, key_id: keyId } }, admin);
    await started.ensureFirstProject('default', configured);
    expect(await started.controlPlane.authenticate(configured)).toBeUndefined();
  });

  it('recreates a deleted project with the same configured key', async () => {
    await started.ensureFirstProject('default', configured);
    await started.operations.deleteProject({ query: { name: 'default' } }, admin);
    expect(await started.controlPlane.authenticate(configured)).toBeUndefined();
    const { project } = await started.ensureFirstProject('default', configured);
    expect(await started.controlPlane.authenticate(configured)).toMatchObject({ projectId: project.id });
  });

  it('rejects a configured key that belongs to another project', async () => {
    await started.ensureFirstProject('default', configured);
    await expect(started.ensureFirstProject('second', configured)).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('rejects a malformed configured key without quoting it', async () => {
    const { text } = newKeyText('project');
    for (const wrong of ['short', text.slice(0, -1) + (text.endsWith('0') ? '1' : '0')]) {
      const refused = started.ensureFirstProject('default', wrong);
      await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      await expect(refused).rejects.not.toThrow(wrong);
    }
  });
});
