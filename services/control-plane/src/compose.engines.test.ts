import { randomUUID } from 'node:crypto';
import { ADMINISTRATOR } from '@assay/domain';
import { openMongoDocumentStore } from '@assay/document-store/mongodb';
import { administrationOperations } from '../test/administration-operations.js';
import { composeControlPlane } from './compose.js';
import { createTemplateWorkers } from '@assay/templates';

const url = process.env.MONGODB_URL ?? '';

describe('composeControlPlane on MongoDB', () => {
  it('creates, lists and deletes projects and keys as on the embedded store', async () => {
    const documents = await openMongoDocumentStore({
      url,
      database: `assay_test_${randomUUID().replaceAll('-', '')}`,
    });
    const started = await composeControlPlane({
      templates: createTemplateWorkers(),
      documents,
      pepper: 'p'.repeat(32),
      now: () => new Date(),
      logger: { info: () => undefined, warn: () => undefined },
    });
    const { controlPlane } = started;
    const operations = administrationOperations(started);
    const admin = { caller: ADMINISTRATOR };
    const [one, other] = await Promise.all([
      started.ensureFirstProject('bot', 'x'.repeat(20)),
      started.ensureFirstProject('bot', 'x'.repeat(20)),
    ]);
    expect(one.project.id).toBe(other.project.id);
    expect(await controlPlane.authenticate('x'.repeat(20))).toMatchObject({ projectName: 'bot' });
    const params = { project_id: one.project.id };
    const { data } = await operations.createIngestionApiKey({ params, body: { name: 'collector' } }, admin);
    expect(await controlPlane.authenticate(data.key_value)).toMatchObject({ scope: 'ingest' });
    expect((await operations.listApiKeys({ params }, admin)).data).toHaveLength(2);
    await operations.deleteApiKey({ params: { ...params, key_id: data.key_id } }, admin);
    expect(await controlPlane.authenticate(data.key_value)).toBeUndefined();
    await expect(operations.createProject({ body: { name: 'bot' } }, admin)).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await operations.deleteProject({ query: { name: 'bot' } }, admin);
    expect(await controlPlane.authenticate('x'.repeat(20))).toBeUndefined();
    expect(await operations.listProjects({ query: { name: 'bot' } }, admin)).toEqual([]);
    await documents.close();
  });
});
