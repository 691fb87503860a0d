import { randomUUID } from 'node:crypto';
import { ROUTES } from '@assay/contracts';
import { Administration, type Project } from './administration-api.js';
import { ALERT, CHANGES, CHART, CONFIGURATION, type Made, METRIC } from './audited-requests.js';
import type { OpenStore } from './resource-api.js';

const changing = ROUTES.filter(
  (route) => route.owner === 'control-plane' && route.access === 'project' && route.method !== 'GET',
);

/** Test suite of the audit trail on any document store. */
export function describeAuditTrail(title: string, open: OpenStore): void {
  describe(`the audit trail ${title}`, () => {
    let api: Administration;
    let project: Project;
    beforeAll(async () => {
      api = await Administration.start(open);
      project = await api.newProject('audited');
    });
    afterAll(() => api.stop());

    const send = async (method: string, path: string, body?: object) => {
      api.clock.time += 1;
      const response = await api.as(project.api_key, method, path, body);
      if (response.status !== 200)
        throw new Error(`${method} ${path} returned ${response.status}: ${response.body.message}`);
      return response.body as unknown as Record<string, unknown> & {
        result: { insertedId: string; insertedIds: string[] };
        insertedId: string;
      };
    };
    /** Of a project few jobs run at a time, so one that runs is used again. */
    const runningJob = async (metric: string): Promise<string> => {
      const { jobs } = await send('GET', '/v1/jobs');
      const running = (jobs as { id: string; state: string }[]).find(({ state }) => state === 'running');
      const { job } = running ? { job: running } : await send('POST', `/v1/metrics/${metric}/evaluate`, {});
      return (job as { id: string }).id;
    };
    const makeAll = async (): Promise<Made> => {
      const [datapoint = ''] = (await send('POST', '/v1/datapoints', {})).result.insertedIds;
      const queue = (await send('POST', '/v1/queues', { name: 'q', event_ids: ['canary-event'] })).queue as {
        id: string;
      };
      const chart = (await send('POST', '/v1/charts', CHART)).data as { id: string };
      const alert = (await send('POST', '/v1/alerts', ALERT)).data as { id: string };
      const metric = String((await send('POST', '/v1/metrics', { ...METRIC, name: randomUUID() })).metric_id);
      return {
        datapoint,
        dataset: (await send('POST', '/v1/datasets', { name: 'd', datapoints: [datapoint] })).result
          .insertedId,
        run: String((await send('POST', '/v1/runs', { name: 'r' })).run_id),
        metric,
        job: await runningJob(metric),
        configuration: (await send('POST', '/v1/configurations', { ...CONFIGURATION, name: randomUUID() }))
          .insertedId,
        queue: queue.id,
        chart: chart.id,
        alert: alert.id,
        project: project.id,
      };
    };

    it('is tested with a request for every route that changes something', () => {
      expect(Object.keys(CHANGES).sort()).toEqual(changing.map(({ operation }) => operation).sort());
    });

    it.each(changing.map(({ operation, method }) => ({ operation, method })))(
      'has an entry for $operation before its response, with only ids and field names',
      async ({ operation, method }) => {
        const { path, body, action } = CHANGES[operation]!(await makeAll());
        await send(method, path, body);
        const [entry] = await api.trail(`?project_id=${project.id}&limit=1`);
        const fields = Object.keys(body ?? {});
        expect(entry).toMatchObject({
          action,
          actor: 'key',
          project_id: project.id,
          fields,
          address: '127.0.0.1',
          identity: null,
          data_plane_id: null,
        });
        expect(entry?.at).toBe(new Date(api.clock.time).toISOString());
        expect(JSON.stringify(entry)).not.toContain('canary');
        expect(entry?.request_id).toMatch(/^[\w.:-]{1,128}$/);
      },
    );

    it('has entries for projects, keys and data planes', async () => {
      const other = await api.newProject('other');
      const key = await api.asAdministrator('POST', `/v1/projects/${other.id}/ingestion_api_keys`, {
        name: 'k',
      });
      const { key_id } = key.body.data as { key_id: string };
      await api.asAdministrator('DELETE', `/v1/projects/${other.id}/api_keys/${key_id}`);
      await api.asAdministrator('PUT', '/v1/projects', {
        name: 'other',
        new_name: 'renamed',
        description: 'canary',
      });
      await api.asAdministrator('DELETE', '/v1/projects?name=renamed');
      const entries = await api.trail(`?project_id=${other.id}`);
      expect(entries.map(({ action, subject_id, actor }) => [action, subject_id, actor])).toEqual([
        ['project.deleted', other.id, 'administrator'],
        ['project.changed', other.id, 'administrator'],
        ['key.revoked', key_id, 'administrator'],
        ['key.created', key_id, 'administrator'],
        ['key.created', expect.any(String), 'administrator'],
        ['project.created', other.id, 'administrator'],
      ]);
      expect(entries.find(({ action }) => action === 'project.changed')?.fields).toEqual([
        'new_name',
        'description',
      ]);
      const { id } = await api.newDataPlane([]);
      await api.asAdministrator('PUT', `/v1/data-planes/${id}`, { project_ids: null });
      await api.asAdministrator('POST', `/v1/data-planes/${id}/rotate`, {});
      await api.asAdministrator('DELETE', `/v1/data-planes/${id}`);
      const about = (await api.trail('?limit=500')).filter(({ subject_id }) => subject_id === id);
      const actions = ['data_plane.created', 'data_plane.changed', 'data_plane.rotated', 'data_plane.ended'];
      expect(about.map(({ action }) => action).sort()).toEqual(actions.sort());
      expect(about.find(({ action }) => action === 'data_plane.changed')?.fields).toEqual(['project_ids']);
    });

    it('has no entry for a rejected request', async () => {
      const before = await api.trail(`?project_id=${project.id}&limit=500`);
      expect((await api.as(project.api_key, 'DELETE', '/v1/charts/none')).status).toBe(404);
      expect((await api.as(project.api_key, 'POST', '/v1/charts', {})).status).toBe(400);
      expect(await api.trail(`?project_id=${project.id}&limit=500`)).toEqual(before);
    });

    it('is readable only by the administrator', async () => {
      expect((await api.as(project.api_key, 'GET', '/v1/audit-entries')).status).toBe(403);
    });

    it('is paged newest first, despite concurrent writes and equal times', async () => {
      const busy = await api.newProject('busy');
      const charts = Array.from({ length: 25 }, (_, n) =>
        api.as(busy.api_key, 'POST', '/v1/charts', { ...CHART, name: `n${n}` }),
      );
      await Promise.all(charts);
      const all = (await api.trail(`?project_id=${busy.id}`)).map(({ subject_id }) => subject_id);
      expect(all).toHaveLength(27);
      const paged: unknown[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const { body } = await api.asAdministrator(
          'GET',
          `/v1/audit-entries?project_id=${busy.id}&limit=10${query}`,
        );
        paged.push(...body.entries.map(({ subject_id }) => subject_id));
        cursor = body.next_cursor;
        api.clock.time += 1;
        await api.as(busy.api_key, 'POST', '/v1/charts', CHART);
      }
      expect(paged).toEqual(all);
      for (const wrong of ['x', '9', '2026-11-01', '%7B%22$ne%22%3A1%7D']) {
        expect((await api.asAdministrator('GET', `/v1/audit-entries?cursor=${wrong}`)).status).toBe(400);
      }
    });

    it('is filtered by project, action and time', async () => {
      const found = await api.newProject('found');
      const start = (api.clock.time += 10_000);
      for (const n of [0, 1, 2, 3]) {
        api.clock.time = start + n * 1_000;
        await api.as(found.api_key, 'POST', n % 2 === 0 ? '/v1/charts' : '/v1/datasets', {
          name: 'n',
          ...(n % 2 === 0 && { metric: 'm' }),
        });
      }
      const at = (n: number) => new Date(start + n * 1_000).toISOString();
      const times = async (query: string) =>
        (await api.trail(`?${query}`)).map((entry) => (Date.parse(entry.at) - start) / 1_000);
      expect(await times(`project_id=${found.id}&from=${at(1)}&to=${at(2)}`)).toEqual([2, 1]);
      expect(await times(`project_id=${found.id}&action=chart.created`)).toEqual([2, 0]);
      expect(await times(`action=dataset.created&from=${at(0)}`)).toEqual([3, 1]);
      expect(await times(`from=${at(3)}`)).toEqual([3]);
      expect(await times(`project_id=${found.id}&from=${at(2)}&to=${at(1)}`)).toEqual([]);
      expect((await api.asAdministrator('GET', '/v1/audit-entries?from=yesterday')).status).toBe(400);
      expect((await api.asAdministrator('GET', '/v1/audit-entries?limit=0')).status).toBe(400);
    });

    it('loses exactly the expired entries', async () => {
      const day = 86_400_000;
      const recent = new Date(api.clock.time).toISOString();
      api.clock.time += 365 * day - 1;
      await api.parts.pruneAuditEntries();
      expect((await api.trail(`?limit=500&to=${recent}`)).length).toBeGreaterThan(0);
      api.clock.time += 2;
      await api.newProject('young');
      await api.parts.pruneAuditEntries();
      const left = await api.trail('?limit=500');
      expect(left.map(({ action }) => action).sort()).toEqual(['key.created', 'project.created']);
      expect(await api.parts.pruneAuditEntries()).toBe(0);
    });
  });
}
