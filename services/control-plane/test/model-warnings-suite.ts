import type { ModelReport } from '@assay/control-plane-client';
import {
  DATA_PLANE_COLLECTION,
  type DataPlaneFields,
} from '../src/identity/data-planes/data-plane-document.js';
import {
  MAX_REPORTS_OF_DATA_PLANE,
  MODEL_REPORT_COLLECTION,
  type ModelReportFields,
} from '../src/models/model-report.js';
import { type OpenStore, type ResourceApi, startResourceApi } from './resource-api.js';

const judge = {
  name: 'judge',
  type: 'LLM',
  criteria: 'Rate {{ outputs.answer }}',
  model_provider: 'openai',
  model_name: 'gpt-4o',
};

/** Test suite of the warnings about models on any document store. */
export function describeModelWarnings(title: string, open: OpenStore): void {
  describe(`metrics of type LLM ${title}`, () => {
    let api: ResourceApi;
    beforeAll(async () => {
      api = await startResourceApi(open);
    });
    afterAll(() => api.stop());

    const read = async (id: string) => (await api.send('GET', `/v1/metrics?id=${id}`)).body.metrics[0];

    it('have warnings by what the evaluators of their project have reported in the last 30 s', async () => {
      const unknown = [expect.stringMatching(/^no evaluator has reported its models within 30 s/) as string];
      const noEndpoint = [expect.stringMatching(/^no endpoint is configured for model_provider/) as string];
      const noModel = [expect.stringMatching(/^the metric names no model/) as string];
      const failing = [expect.stringMatching(/^the last call of model_provider has failed/) as string];
      const created = (await api.send('POST', '/v1/metrics', judge)).body;
      expect(created).toMatchObject({ inserted: true, warnings: unknown });
      const id = created.metric_id;
      const warnings = async () => {
        const body = { description: 'kept' };
        const updated = (await api.send('PUT', `/v1/metrics/${id}`, body)).body.warnings;
        expect([
          (await read(id))?.warnings,
          (await api.send('GET', `/v1/metrics/${id}`)).body.warnings,
        ]).toEqual([updated, updated]);
        return updated;
      };
      const openai = ['openai'];
      const ofProject = { projectId: api.projectId, providers: openai, failing: [] };
      const none = {
        owner: 'a',
        projectIds: [],
        hasProxy: false,
        isComplete: true,
        providers: [],
        projects: [],
      };
      const report = (fields: Partial<ModelReport>) =>
        api.controlPlane.reportModels({ ...none, defaultModel: null, ...fields });
      expect(await warnings()).toEqual(unknown);
      await report({});
      expect(await warnings()).toEqual(noEndpoint);
      for (const known of [
        { hasProxy: true },
        { isComplete: false },
        { providers: openai },
        { projects: [ofProject] },
      ]) {
        await report(known);
        expect(await warnings()).toBeUndefined();
      }
      await report({ projects: [{ ...ofProject, projectId: api.otherProjectId }] });
      expect(await warnings()).toEqual(noEndpoint);
      await report({ projects: [{ ...ofProject, failing: openai }] });
      expect(await warnings()).toEqual(failing);
      await report({ hasProxy: true });
      await report({ owner: 'of another project', projectIds: [api.otherProjectId] });
      expect(await warnings()).toBeUndefined();
      await report({ owner: 'without an endpoint' });
      expect(await warnings()).toEqual(noEndpoint);
      const nameless = { ...judge, model_provider: null, model_name: null };
      expect((await api.send('PUT', `/v1/metrics/${id}`, nameless)).body).toEqual({
        updated: true,
        warnings: noModel,
      });
      for (const owner of ['a', 'without an endpoint'])
        await report({ owner, hasProxy: true, defaultModel: { provider: 'openai', name: 'gpt-4o' } });
      expect(await warnings()).toBeUndefined();
      api.clock.time += 30_000;
      expect(await warnings()).toEqual(unknown);
    });

    it('have warnings by what the evaluators of their project have reported, beside many of other data planes', async () => {
      const dataPlanes = await api.documents.collection<DataPlaneFields>(DATA_PLANE_COLLECTION);
      const plane = (project_ids: string[]): DataPlaneFields => ({
        ...{
          name: 'plane',
          description: '',
          project_ids,
          hash: '',
          previous_hash: null,
          previous_until: null,
        },
        ...{ created_at: '', updated_at: '', rotated_at: null, ended_at: null, last_seen_at: null },
      });
      await dataPlanes.insert('dp-crowded', plane([api.projectId]));
      for (let n = 0; n < 10; n++) await dataPlanes.insert(`dp-other-${n}`, plane(['another-project']));
      const id = (await api.send('POST', '/v1/metrics', { ...judge, name: 'crowded' })).body.metric_id;
      api.clock.time += 60_000;
      const of = (dataPlaneId: string, owner: string) => ({
        ...{ owner, dataPlaneId, hasProxy: false, projectIds: [], isComplete: true },
        ...{ providers: ['openai'], projects: [], defaultModel: null },
      });
      await api.controlPlane.reportModels(of('dp-crowded', 'evaluator'));
      for (let n = 0; n < 150; n++) {
        api.clock.time++;
        await api.controlPlane.reportModels(of(`dp-other-${n % 10}`, `process ${n}`));
      }
      expect((await api.send('GET', `/v1/metrics/${id}`)).body.warnings).toBeUndefined();
      api.clock.time += 60_000;
    });

    it('keep the newest reports of a data plane only', async () => {
      const reports = await api.documents.collection<ModelReportFields>(MODEL_REPORT_COLLECTION);
      const of = (dataPlaneId: string, owner: string) => ({
        ...{ owner, dataPlaneId, hasProxy: true, projectIds: [api.otherProjectId], isComplete: true },
        ...{ providers: [], projects: [], defaultModel: null },
      });
      await api.controlPlane.reportModels(of('dp-quiet', 'a'));
      for (let n = 0; n < MAX_REPORTS_OF_DATA_PLANE + 10; n++) {
        api.clock.time++;
        await api.controlPlane.reportModels(of('dp-many', `process ${n}`));
      }
      expect(await reports.count({ data_plane_id: 'dp-many' })).toBe(MAX_REPORTS_OF_DATA_PLANE);
      expect(await reports.get('dp-many/process 9')).toBeUndefined();
      expect(await reports.get('dp-many/process 10')).toBeDefined();
      expect(await reports.count({ data_plane_id: 'dp-quiet' })).toBe(1);
    });

    it('have no warnings by what the data plane of another project reports', async () => {
      const id = (await api.send('POST', '/v1/metrics', judge)).body.metric_id;
      const planes = await api.documents.collection<DataPlaneFields>(DATA_PLANE_COLLECTION);
      const time = new Date(api.clock.time).toISOString();
      const plane = { name: 'p', description: '', hash: 'h', previous_hash: null, previous_until: null };
      const times = {
        created_at: time,
        updated_at: time,
        rotated_at: null,
        ended_at: null,
        last_seen_at: null,
      };
      await planes.insert('dp-other', { ...plane, ...times, project_ids: [api.otherProjectId] });
      const of = (dataPlaneId: string, hasProxy: boolean) => ({
        ...{ owner: 'a', dataPlaneId, hasProxy, projectIds: [], isComplete: true },
        ...{ providers: [], projects: [], defaultModel: null },
      });
      await api.controlPlane.reportModels(of('dp-other', false));
      expect((await read(id))?.warnings).toEqual([expect.stringContaining('no evaluator has reported')]);
      await api.controlPlane.reportModels(of('dp-own', true));
      expect(await read(id)).not.toHaveProperty('warnings');
    });
  });
}
