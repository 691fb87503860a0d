import { randomUUID } from 'node:crypto';
import { forwardedSession } from '@assay/control-plane-client/test/control-plane-contract';
import { Administration, type Project } from './administration-api.js';
import type { OpenStore } from './resource-api.js';

const DAY = 86_400_000;

/** Test suite of the retention of projects on any document store. */
export function describeRetention(title: string, open: OpenStore): void {
  describe(`the retention of a project ${title}`, () => {
    let api: Administration;
    beforeEach(async () => {
      api = await Administration.start(open);
    });
    afterEach(() => api.stop());

    const put = (body: object) => api.asAdministrator('PUT', '/v1/projects', body);
    const retentions = async () => (await api.parts.controlPlane.retentions(null)).projects;

    it('is set and read back, stays when another field changes, and ends when it is empty', async () => {
      const { id } = await api.newProject('bot');
      expect(await retentions()).toEqual([]);
      const retention = { default: 90, session: 365, tool: null };
      const changed = await put({ name: 'bot', retention, keep_referenced: true });
      expect(changed.body).toMatchObject({ id, retention, keep_referenced: true });
      expect((await put({ name: 'bot', description: 'x' })).body).toMatchObject({ retention });
      const [listed] = (await api.asAdministrator('GET', '/v1/projects?name=bot'))
        .body as unknown as object[];
      expect(listed).toMatchObject({ retention, keep_referenced: true });
      expect(await retentions()).toEqual([{ projectId: id, retention, keepReferenced: true }]);
      expect((await put({ name: 'bot', retention: {} })).body).toMatchObject({ retention: {} });
      expect(await retentions()).toEqual([]);
    });

    it('can be given with a new project', async () => {
      const body = { name: 'bot', retention: { model: 1 } };
      const made = await api.asAdministrator('POST', '/v1/projects', body);
      expect(made.body).toMatchObject({ retention: { model: 1 } });
      expect(await retentions()).toMatchObject([{ retention: { model: 1 }, keepReferenced: false }]);
    });

    it.each([
      [{ default: 0 }, 'retention.default must be at least 1'],
      [{ session: -1 }, 'retention.session must be at least 1'],
      [{ default: 1e9 }, 'retention.default must be at most 36500'],
      [{ model: 1.5 }, 'retention.model must be an integer'],
      [{ model: '90' }, 'retention.model must be an integer'],
      [{ spans: 90 }, 'retention.spans'],
      [[], 'retention must be an object'],
      [null, 'retention must be an object'],
    ])('%j is refused with the name of the field', async (retention, message) => {
      await api.newProject('bot');
      const response = await put({ name: 'bot', retention });
      expect(response.status).toBe(400);
      expect(response.body.message).toContain(message);
      expect(await retentions()).toEqual([]);
    });

    it('is beside an export that begins with its hour, keeps it when the format changes, and ends with null', async () => {
      const { id } = await api.newProject('bot');
      const exports = async () => (await api.parts.controlPlane.exports(null)).projects;
      expect((await put({ name: 'bot', export: { format: 'csv' } })).body.message).toContain('export.format');
      expect(await exports()).toEqual([]);
      const from = new Date(Math.floor(api.clock.time / 3_600_000) * 3_600_000).toISOString();
      expect((await put({ name: 'bot', export: { format: 'parquet' } })).body).toMatchObject({
        export: { format: 'parquet', from },
      });
      api.clock.time += DAY;
      await put({ name: 'bot', export: { format: 'ndjson' } });
      await put({ name: 'bot', description: 'x' });
      expect(await exports()).toEqual([{ projectId: id, projectName: 'bot', format: 'ndjson', from }]);
      expect((await put({ name: 'bot', export: null })).body).not.toHaveProperty('export');
      expect(await exports()).toEqual([]);
    });

    describe('for summaries of sessions', () => {
      let project: Project;
      let old: number;
      beforeEach(async () => {
        project = await api.newProject('bot');
        old = api.clock.time - 31 * DAY;
        await put({ name: 'bot', retention: { default: 30 } });
      });
      const noStop = () => false;
      const summaries = async (project_id = project.id) => {
        const query = { orderBy: 'start_time', limit: 1_000 };
        const found = [true, false].map((is_listed) =>
          api.parts.deps.sessions.list({ ...query, equals: { project_id, is_listed } }),
        );
        return (await Promise.all(found)).flat().map(({ id }) => id.slice(project_id.length + 1));
      };
      const forward = async (fields: object, projectId = project.id, isListed = true) => {
        const session = forwardedSession(projectId, 1, { session_id: randomUUID(), ...fields });
        await api.parts.controlPlane.forwardEvents([{ ...session, isListed }]);
        return session.summary.session_id;
      };

      it('removes those that started earlier, those without an event of their own too, and of no other project', async () => {
        const other = await api.newProject('other');
        await forward({ start_time: old });
        const kept = await forward({ start_time: old + 2 * DAY });
        await forward({ start_time: old }, project.id, false);
        const ofOther = await forward({ start_time: old }, other.id);
        await api.parts.removeExpiredSessions(noStop);
        expect([await summaries(), await summaries(other.id)]).toEqual([[kept], [ofOther]]);
      });

      it('removes more of them than a page has, and continues behind those that a run names', async () => {
        await put({ name: 'bot', keep_referenced: true });
        const [run, ended] = [randomUUID(), randomUUID()];
        await api.as(project.api_key, 'POST', '/v1/runs', { name: 'r', run_id: run });
        const sessions = Array.from({ length: 1_100 }, (_, index) => {
          const run_ids = index % 100 === 0 ? [ended, run] : index % 100 === 1 ? [ended] : [];
          const fields = { session_id: randomUUID(), start_time: old + index, run_ids };
          return forwardedSession(project.id, index, fields);
        });
        await api.parts.controlPlane.forwardEvents(sessions);
        await api.parts.removeExpiredSessions(noStop);
        await api.parts.removeExpiredSessions(noStop);
        const kept = sessions
          .filter((_, index) => index % 100 === 0)
          .map(({ summary }) => summary.session_id);
        expect((await summaries()).sort()).toEqual(kept.sort());
      });
    });

    it('keeps events that an existing run or dataset names, and no others', async () => {
      const { id: projectId, api_key: key } = await api.newProject('bot');
      const other = await api.newProject('other');
      await put({ name: 'bot', retention: { default: 1 }, keep_referenced: true });
      const [run, listedSession, linked, loose, ofOther] = Array.from({ length: 5 }, () => randomUUID());
      const post = async (path: string, body: object, as = key) => {
        const response = await api.as(as, 'POST', path, body);
        expect([path, response.status]).toEqual([path, 200]);
        return response.body as unknown as { result: { insertedId: string } };
      };
      await post('/v1/runs', { name: 'r', run_id: run, event_ids: [listedSession] });
      const dataset = (await post('/v1/datasets', { name: 'd' })).result.insertedId;
      await post('/v1/datapoints', { linked_event: linked, linked_datasets: [dataset] });
      await post('/v1/datapoints', { linked_event: loose });
      const othersSet = (await post('/v1/datasets', { name: 'd' }, other.api_key)).result.insertedId;
      await post('/v1/datapoints', { linked_event: ofOther, linked_datasets: [othersSet] }, other.api_key);

      const event = (fields: object) => ({
        ...{ eventId: randomUUID(), sessionId: randomUUID(), runId: '' },
        ...fields,
      });
      const kept = [event({ runId: run }), event({ sessionId: listedSession }), event({ eventId: linked })];
      const removed = [
        event({}),
        event({ runId: randomUUID() }),
        event({ runId: 'no id of ours' }),
        event({ eventId: loose }),
        event({ eventId: ofOther }),
      ];
      const expired = [...removed.slice(0, 2), ...kept, ...removed.slice(2)];
      const keptIds = await api.parts.controlPlane.removeExpired({ projectId, expired });
      expect([...keptIds].sort()).toEqual(kept.map(({ eventId }) => eventId).sort());
      expect(await api.parts.controlPlane.removeExpired({ projectId, expired, removesKept: true })).toEqual(
        [],
      );
      await api.as(key, 'DELETE', `/v1/runs/${run}`);
      await api.as(key, 'DELETE', `/v1/datasets/${dataset}`);
      expect(await api.parts.controlPlane.removeExpired({ projectId, expired })).toEqual([]);
      await put({ name: 'bot', keep_referenced: false });
      expect(await api.parts.controlPlane.removeExpired({ projectId, expired: kept })).toEqual([]);
    });
  });
}
