import { randomUUID } from 'node:crypto';
import { NO_COUNTS } from '@assay/domain';
import { type JsonResponse, type OpenStore, type ResourceApi, startResourceApi } from './resource-api.js';

const CLAIM = { owner: 'one', projectIds: [], busyProjectIds: [] };
const LEASE_MS = 10_000;

/** Test suite of jobs on any document store. */
export function describeJobs(title: string, open: OpenStore): void {
  describe(`jobs ${title}`, () => {
    let api: ResourceApi;
    let metricId: string;
    beforeAll(async () => {
      api = await startResourceApi(open);
      metricId = await createMetric('PYTHON');
    });
    afterAll(() => api.stop());

    const createMetric = async (type: string): Promise<string> =>
      (await api.send('POST', '/v1/metrics', { name: 'm', type, criteria: 'result = 1' })).body.metric_id;
    const start = (body: object = {}, id = metricId) => api.send('POST', `/v1/metrics/${id}/evaluate`, body);
    const jobs = async (): Promise<JsonResponse[]> => (await api.send('GET', '/v1/jobs')).body.jobs;
    const read = async (id: string): Promise<JsonResponse> =>
      (await api.send('GET', `/v1/jobs/${id}`)).body.job;
    const progress = (jobId: string, fields: object = {}) => ({
      ...{ projectId: api.projectId, jobId, owner: 'one', cursor: null, counts: NO_COUNTS },
      ...({ state: 'running', reason: null } as const),
      ...fields,
    });
    const stopAll = async () => {
      for (const { id } of await jobs()) await api.send('DELETE', `/v1/jobs/${id}`);
    };
    afterEach(stopAll);

    it('are started with filters and a range, read, listed and stopped', async () => {
      const filters = [{ field: 'metadata.tier', operator: 'is', value: 'gold', type: 'string' }];
      const dateRange = { $gte: '2026-10-01T00:00:00.000Z' };
      const started = await start({ filters, dateRange });
      expect(started.status).toBe(200);
      const { job } = started.body;
      expect(job).toMatchObject({
        ...{ metric_id: metricId, metric_name: 'm', state: 'running', reason: null, filters },
        ...{ from: '2026-10-01T00:00:00.000Z', position: null, counts: NO_COUNTS },
        to: expect.stringMatching(/^2026-11-01T/) as string,
      });
      expect(await read(job.id)).toEqual(job);
      expect((await jobs()).map(({ id }) => id)).toEqual([job.id]);
      const stopped = (await api.send('DELETE', `/v1/jobs/${job.id}`)).body.job;
      expect(stopped).toMatchObject({ id: job.id, state: 'stopped' });
      expect((await api.send('DELETE', `/v1/jobs/${job.id}`)).body.job).toEqual(stopped);
    });

    it('select sessions by what they derive, also for a metric that decides by it', async () => {
      const derived = [{ field: 'metadata.num_events', operator: 'greater than', value: 2, type: 'number' }];
      const started = await start({ filters: derived });
      expect(started.body.job).toMatchObject({ filters: derived });
      const id = await createMetric('PYTHON');
      const changed = await api.send('PUT', `/v1/metrics/${id}`, { filters: { filterArray: derived } });
      expect(changed.status).toBe(200);
      expect((await start({}, id)).body.job).toMatchObject({ state: 'running' });
    });

    it('are not found in another project, and not started for unknown metrics and those of people', async () => {
      const { id } = (await start()).body.job;
      expect((await api.sendAsOther('GET', `/v1/jobs/${id}`)).status).toBe(404);
      expect((await api.sendAsOther('DELETE', `/v1/jobs/${id}`)).status).toBe(404);
      expect((await api.sendAsOther('GET', '/v1/jobs')).body).toEqual({ jobs: [] });
      expect((await api.sendAsOther('POST', `/v1/metrics/${metricId}/evaluate`, {})).status).toBe(404);
      expect((await start({}, randomUUID())).status).toBe(404);
      const human = await createMetric('HUMAN');
      expect(await start({}, human)).toMatchObject({ status: 400, body: { errorCode: 'VALIDATION_ERROR' } });
      expect(await start({ filters: [{ field: 'a', operator: 'like', value: 1 }] })).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('filters[0].operator') as string },
      });
      expect((await start({ sample: 5 })).status).toBe(400);
    });

    it('run four at a time in a project, also when many are started at the same time', async () => {
      const started = await Promise.all(Array.from({ length: 8 }, () => start()));
      expect(started.filter(({ status }) => status === 200)).toHaveLength(4);
      expect(started.filter(({ status }) => status === 409)).toHaveLength(4);
      const [first] = (await jobs()).filter(({ state }) => state === 'running');
      await api.send('DELETE', `/v1/jobs/${first?.id}`);
      expect((await start()).status).toBe(200);
      expect((await start()).body.message).toContain('the project runs 4 jobs');
    });

    it('belong to one process, whose progress is saved until it has ended or lost the lease', async () => {
      const { id } = (await start()).body.job;
      const { controlPlane, projectId } = api;
      expect(await controlPlane.claimJob({ ...CLAIM, projectIds: [api.otherProjectId] })).toBeUndefined();
      const claims = await Promise.all(
        ['one', 'two'].map((owner) => controlPlane.claimJob({ ...CLAIM, owner })),
      );
      const claimed = claims.filter((job) => job !== undefined);
      expect(claimed).toMatchObject([{ projectId, jobId: id, metricId, cursor: null }]);
      const owner = claims[0] === undefined ? 'two' : 'one';
      const other = owner === 'one' ? 'two' : 'one';
      const counts = { events: 5, scored: 3, failed: 1, skipped: 1 };
      const saved = progress(id, { owner, counts, cursor: { value: 1_790_000_000_000.5, eventId: 'e5' } });
      api.clock.time += LEASE_MS - 1_000;
      expect(await controlPlane.saveJob(saved)).toBe(true);
      expect(await read(id)).toMatchObject({ counts, position: '2026-09-21T14:13:20.000Z' });
      api.clock.time += LEASE_MS - 1_000;
      expect(await controlPlane.claimJob({ ...CLAIM, owner: other })).toBeUndefined();
      api.clock.time += 2_000;
      expect(await controlPlane.claimJob({ ...CLAIM, owner: other })).toMatchObject({
        jobId: id,
        cursor: { value: 1_790_000_000_000.5, eventId: 'e5' },
        counts,
      });
      expect(await controlPlane.saveJob(progress(id, { owner }))).toBe(false);
      expect(await read(id)).toMatchObject({ counts });
      await api.send('DELETE', `/v1/jobs/${id}`);
      expect(await controlPlane.saveJob(progress(id, { owner: other }))).toBe(false);
      expect(await read(id)).toMatchObject({ state: 'stopped', counts });
    });

    it('are free for another process as soon as the one that runs them has stopped', async () => {
      const { id } = (await start()).body.job;
      const { controlPlane } = api;
      await controlPlane.claimJob(CLAIM);
      const counts = { ...NO_COUNTS, events: 5, skipped: 5 };
      expect(await controlPlane.saveJob(progress(id, { counts, releases: true }))).toBe(true);
      expect(await controlPlane.saveJob(progress(id))).toBe(false);
      expect(await controlPlane.claimJob({ ...CLAIM, owner: 'two' })).toMatchObject({ jobId: id, counts });
    });

    it('fill queues by the filters of their beginning, under the lease of the process that began', async () => {
      const { controlPlane, projectId } = api;
      const filter = { field: 'event_name', operator: 'is', value: 'mine', type: 'string' };
      const queueOf = async (filterArray: object[]): Promise<string> =>
        (await api.send('POST', '/v1/queues', { name: 'q', filters: { filterArray } })).body.queue.id;
      const queueId = await queueOf([filter]);
      const by = { keyId: 'k', requestId: 'r', address: '127.0.0.1' };
      const backfill = { projectId, queueId, from: null, to: 1_790_000_000_000, owner: 'one', by };
      const { outcome, job } = await controlPlane.startBackfill(backfill);
      const jobId = job?.jobId ?? '';
      expect([outcome, job]).toMatchObject([
        'started',
        { projectId, queueId, filters: [filter], cursor: null },
      ]);
      expect(await read(jobId)).toMatchObject({
        ...{ kind: 'backfill', queue_id: queueId, metric_id: null, metric_name: null, state: 'running' },
        ...{ from: null, to: '2026-09-21T14:13:20.000Z', filters: [filter] },
      });
      await api.send('PUT', `/v1/queues/${queueId}`, { filters: { filterArray: [] } });
      api.clock.time += LEASE_MS + 1_000;
      // Each process runs one kind.
      expect(await controlPlane.claimJob(CLAIM)).toBeUndefined();
      expect(await controlPlane.claimBackfill({ ...CLAIM, owner: 'two' })).toEqual(job);
      const counts = { ...NO_COUNTS, events: 250, matched: 7 };
      const saved = progress(jobId, { owner: 'two', counts, cursor: { value: 5, eventId: 'e' } });
      expect(await controlPlane.saveJob(saved)).toBe(true);
      expect(await read(jobId)).toMatchObject({ counts, position: '1970-01-01T00:00:00.005Z' });
      const refusals = [
        { ...backfill, queueId: randomUUID() },
        { ...backfill, projectId: api.otherProjectId },
        { ...backfill, queueId: await queueOf([]) },
      ].map(async (one) => (await controlPlane.startBackfill(one)).outcome);
      expect(await Promise.all(refusals)).toEqual(['no_queue', 'no_queue', 'no_filters']);
    });

    it('fill at most four queues at a time, beside those that evaluate', async () => {
      const filters = { filterArray: [{ field: 'event_name', operator: 'is', value: 'a', type: 'string' }] };
      const { id: queueId } = (await api.send('POST', '/v1/queues', { name: 'q', filters })).body.queue;
      const by = { keyId: 'k', requestId: 'r', address: '127.0.0.1' };
      const backfill = { projectId: api.projectId, queueId, from: null, to: 1, owner: 'one', by };
      const starts = await Promise.all(
        Array.from({ length: 8 }, () => api.controlPlane.startBackfill(backfill)),
      );
      expect(starts.map(({ outcome }) => outcome).sort()).toEqual([
        ...Array.from({ length: 4 }, () => 'started'),
        ...Array.from({ length: 4 }, () => 'too_many'),
      ]);
      for (let n = 0; n < 4; n++) expect((await start()).status).toBe(200);
    });

    it('end as complete or with a reason, and free their place', async () => {
      for (const state of ['completed', 'failed'] as const) {
        const { id } = (await start()).body.job;
        await api.controlPlane.claimJob(CLAIM);
        const reason = state === 'failed' ? 'the metric was deleted' : null;
        expect(await api.controlPlane.saveJob(progress(id, { state, reason }))).toBe(false);
        expect(await read(id)).toMatchObject({ state, reason });
        expect(await api.controlPlane.claimJob(CLAIM)).toBeUndefined();
      }
      for (let n = 0; n < 4; n++) expect((await start()).status).toBe(200);
    });
  });
}
