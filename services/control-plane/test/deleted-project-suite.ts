import { forwardedEvent, forwardedSession } from '@assay/control-plane-client/test/control-plane-contract';
import type { DocumentStore } from '@assay/document-store';
import { Administration, callerOf, proxied, type Project } from './administration-api.js';
import { composeControlPlane } from '../src/compose.js';
import { ALERT } from './audited-requests.js';
import { BY } from './in-memory-control-plane.js';
import type { OpenStore } from './resource-api.js';
import { OWNED_COLLECTIONS } from '../src/maintenance/owned-collections.js';
import { createTemplateWorkers } from '@assay/templates';

const METRIC = { name: 'm', type: 'PYTHON', criteria: 'x', return_type: 'float' };
const CONFIGURATION = { name: 'c', provider: 'p', parameters: { call_type: 'chat', model: 'm' } };

/** Test suite of the removal of deleted projects on any document store. */
export function describeDeletedProject(title: string, open: OpenStore): void {
  describe(`a deleted project ${title}`, () => {
    let api: Administration;
    let opened: string[];
    beforeEach(async () => {
      opened = [];
      api = await Administration.start(async () => {
        const { documents, remove } = await open();
        const watched: DocumentStore = {
          collection: (spec) => {
            if (spec.indexes.flat().includes('project_id')) opened.push(spec.name);
            return documents.collection(spec);
          },
          check: () => documents.check(),
          inspect: () => documents.inspect(),
          close: () => documents.close(),
        };
        return { documents: watched, remove };
      });
    });
    afterEach(() => api.stop());

    const countsOf = async (projectId: string): Promise<Record<string, number>> => {
      const counts: Record<string, number> = {};
      for (const { spec, queries } of OWNED_COLLECTIONS) {
        const collection = await api.documents.collection(spec);
        for (const { equals, orderBy } of queries) {
          const found = await collection.list({
            equals: { project_id: projectId, ...equals },
            orderBy,
            limit: 1_000,
          });
          counts[spec.name] = (counts[spec.name] ?? 0) + found.length;
        }
      }
      return counts;
    };

    /** Creates a project with documents in every collection, and more sessions than one batch of a removal. */
    const fullProject = async (name: string): Promise<Project> => {
      const project = await api.newProject(name);
      const post = async (path: string, body: object) => {
        const response = await api.as(project.api_key, 'POST', path, body);
        expect([path, response.status]).toEqual([path, 200]);
        return response.body;
      };
      const datapoint = (await post('/v1/datapoints', {})).result as { insertedIds: string[] };
      const dataset = await post('/v1/datasets', { name: 'd', datapoints: datapoint.insertedIds });
      const { insertedId } = dataset.result as { insertedId: string };
      await post('/v1/datapoints', { linked_datasets: [insertedId] });
      await post('/v1/runs', { name: 'r' });
      const metric = await post('/v1/metrics', METRIC);
      const another = await post('/v1/metrics', { ...METRIC, name: 'another' });
      await post(`/v1/metrics/${String(another.metric_id)}/evaluate`, {});
      await api.as(project.api_key, 'DELETE', `/v1/metrics/${String(metric.metric_id)}`);
      await post('/v1/configurations', CONFIGURATION);
      await post('/v1/charts', { name: 'c', metric: 'cost' });
      await post('/v1/alerts', ALERT);
      const filter = { field: 'event_type', operator: 'is', type: 'string', value: 'model' };
      await post('/v1/queues', { name: 'q', filters: { filterArray: [filter] }, event_ids: ['by-hand'] });
      const ended = (await post('/v1/queues', { name: 'ended' })).queue as { id: string };
      await api.as(project.api_key, 'DELETE', `/v1/queues/${ended.id}`);
      const { controlPlane } = api.parts;
      const sessions = Array.from({ length: 620 }, (_, watermark) => forwardedSession(project.id, watermark));
      await controlPlane.forwardEvents(sessions);
      await controlPlane.forwardEvents([{ ...forwardedSession(project.id, 1), isListed: false }]);
      await controlPlane.forwardEvents([forwardedEvent(project.id, 700)]);
      await controlPlane.forwardEvents([
        { kind: 'delete', version: 999, projectId: project.id, eventId: sessions[0]!.summary.session_id },
      ]);
      const counts = await countsOf(project.id);
      expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([]);
      return project;
    };
    const remove = (name: string) => api.asAdministrator('DELETE', `/v1/projects?name=${name}`);
    const settled = 120_000;

    it('is removed from every collection, and no other project is affected', async () => {
      const [removed, stays] = [await fullProject('removed'), await fullProject('stays')];
      const kept = await countsOf(stays.id);
      expect((await remove('removed')).body).toEqual({ success: true, deleted: removed.id });
      await api.parts.removeDeletedProjects();
      expect(Object.values(await countsOf(removed.id)).reduce((sum, count) => sum + count)).toBe(0);
      expect(await countsOf(stays.id)).toEqual(kept);
      expect((await api.as(stays.api_key, 'GET', '/v1/charts')).status).toBe(200);
      const owned = OWNED_COLLECTIONS.map(({ spec }) => spec.name);
      expect([...new Set(opened)].filter((name) => name !== 'audit_entries').sort()).toEqual(
        [...owned].sort(),
      );
    });

    it('is rejected immediately, even where its keys are still cached', async () => {
      const removed = await api.newProject('removed');
      const { token } = await api.newDataPlane(null);
      await remove('removed');
      expect((await api.as(removed.api_key, 'GET', '/v1/charts')).status).toBe(401);
      const remembered = await api.send('POST', '/v1/charts', proxied(token, callerOf(removed.id)), {
        name: 'c',
        metric: 'cost',
      });
      expect([remembered.status, remembered.body.message]).toEqual([
        401,
        'the key is unknown, expired or revoked',
      ]);
      await api
        .dataPlane(token)
        .forwardEvents([forwardedEvent(removed.id, 1), forwardedSession(removed.id, 1)]);
      expect(await api.dataPlane(token).addToQueue({ projectId: removed.id, queueId: 'q' }, ['e1'])).toBe(
        false,
      );
      const backfill = { projectId: removed.id, queueId: 'q', from: null, to: 1, owner: 'o', by: BY };
      expect(await api.dataPlane(token).startBackfill(backfill)).toEqual({ outcome: 'no_queue', job: null });
      expect((await remove('removed')).status).toBe(404);
      await api.parts.removeDeletedProjects();
      expect(Object.values(await countsOf(removed.id)).reduce((sum, count) => sum + count)).toBe(0);
    });

    it('is removed completely by other processes after interruptions at any step', async () => {
      const removed = await fullProject('removed');
      await remove('removed');
      const left = async () => Object.values(await countsOf(removed.id)).reduce((sum, count) => sum + count);
      let before = await left();
      for (let rounds = 1; before > 0; rounds++) {
        let steps = 0;
        // Each round stops after a few steps, as if the process ended, and another control plane continues.
        const next = await composeControlPlane({
          templates: createTemplateWorkers(),
          documents: api.documents,
          pepper: 'p'.repeat(32),
          now: () => new Date(api.clock.time),
          logger: { info: () => undefined, warn: () => undefined },
        });
        await next.removeDeletedProjects(() => steps++ > 2 * rounds);
        const after = await left();
        expect(after).toBeLessThanOrEqual(before);
        before = after;
        expect(rounds).toBeLessThan(50);
      }
      await Promise.all([api.parts.removeDeletedProjects(), api.parts.removeDeletedProjects()]);
      expect(await left()).toBe(0);
    });

    it('is removed if the process ended between the deletion record and the deletion', async () => {
      const removed = await api.newProject('removed');
      const deletions = await api.documents.collection<object>({
        name: 'project_deletions',
        unique: [],
        indexes: [['removed_at', 'deleted_at']],
      });
      await deletions.insert(removed.id, {
        deleted_at: new Date(api.clock.time).toISOString(),
        removed_at: null,
      });
      await api.parts.removeDeletedProjects();
      expect((await api.as(removed.api_key, 'GET', '/v1/charts')).status).toBe(401);
      expect((await api.asAdministrator('GET', '/v1/projects?name=removed')).body).toEqual([]);
      expect((await api.newProject('removed')).id).not.toBe(removed.id);
    });

    it('is completely removed after a later round, and its audit trail remains', async () => {
      const removed = await api.newProject('removed');
      await remove('removed');
      await api.parts.removeDeletedProjects();
      const actions = async () => (await api.trail(`?project_id=${removed.id}`)).map(({ action }) => action);
      expect(await actions()).not.toContain('project.removed');
      const charts = await api.documents.collection<object>(
        OWNED_COLLECTIONS.find(({ spec }) => spec.name === 'charts')!.spec,
      );
      await charts.insert(`${removed.id}:late`, { project_id: removed.id, created_at: 'late' });
      api.clock.time += settled;
      await api.parts.removeDeletedProjects();
      expect(await charts.get(`${removed.id}:late`)).toBeUndefined();
      expect((await actions())[0]).toBe('project.removed');
      expect((await api.trail(`?project_id=${removed.id}`))[0]).toMatchObject({
        actor: 'process',
        actor_id: null,
        address: null,
      });
      await api.parts.removeDeletedProjects();
      expect((await actions()).filter((action) => action === 'project.removed')).toHaveLength(1);
    });
  });
}
