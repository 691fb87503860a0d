import { Administration } from './administration-api.js';
import type { OpenStore } from './resource-api.js';

const MAX_BYTES = 2 ** 50;

/** Test suite of the limits of projects and keys on any document store. */
export function describeIngestLimits(title: string, open: OpenStore): void {
  describe(`how much a project or a key may send ${title}`, () => {
    let api: Administration;
    beforeEach(async () => {
      api = await Administration.start(open);
    });
    afterEach(() => api.stop());

    const put = (body: object) => api.asAdministrator('PUT', '/v1/projects', body);
    const callerOf = (key: unknown) => api.parts.controlPlane.authenticate(String(key));

    it('is set for a project, read back, known to who checks its keys, and ends when it is empty', async () => {
      const { api_key: key } = await api.newProject('bot');
      expect(await callerOf(key)).not.toHaveProperty('projectLimits');
      const limits = { events_per_second: 10, bytes_per_day: null };
      expect((await put({ name: 'bot', limits })).body).toMatchObject({ limits });
      expect((await put({ name: 'bot', description: 'x' })).body).toMatchObject({ limits });
      const [listed] = (await api.asAdministrator('GET', '/v1/projects?name=bot'))
        .body as unknown as object[];
      expect(listed).toMatchObject({ limits });
      expect(await callerOf(key)).toMatchObject({ projectLimits: { events_per_second: 10 } });
      expect((await put({ name: 'bot', limits: {} })).body).toMatchObject({ limits: {} });
      expect(await callerOf(key)).not.toHaveProperty('projectLimits');
      const made = await api.asAdministrator('POST', '/v1/projects', {
        name: 'b',
        limits: { bytes_per_day: 1 },
      });
      expect(await callerOf(made.body.api_key)).toMatchObject({ projectLimits: { bytes_per_day: 1 } });
    });

    it.each([
      [{ events_per_second: 0 }, 'limits.events_per_second must be at least 1'],
      [{ events_per_second: -1 }, 'limits.events_per_second must be at least 1'],
      [{ events_per_second: 1.5 }, 'limits.events_per_second must be an integer'],
      [{ events_per_second: '9' }, 'limits.events_per_second must be an integer'],
      [{ events_per_second: 1e9 }, 'limits.events_per_second must be at most 1000000'],
      [{ bytes_per_day: 0 }, 'limits.bytes_per_day must be at least 1'],
      [{ bytes_per_day: 0.5 }, 'limits.bytes_per_day must be an integer'],
      [{ bytes_per_day: MAX_BYTES + 1 }, `limits.bytes_per_day must be at most ${MAX_BYTES}`],
      [{ requests: 1 }, 'limits.requests'],
      [[], 'limits must be an object'],
      [null, 'limits must be an object'],
    ])('%j is refused with the name of the field', async (limits, message) => {
      const project = await api.newProject('bot');
      const keys = `/v1/projects/${project.id}`;
      for (const response of [
        await put({ name: 'bot', limits }),
        await api.asAdministrator('POST', '/v1/projects', { name: 'other', limits }),
        await api.asAdministrator('POST', `${keys}/ingestion_api_keys`, { name: 'k', limits }),
        await api.asAdministrator('POST', `${keys}/fine_grained_api_keys`, { permissions: [], limits }),
      ]) {
        expect(response.status).toBe(400);
        expect(response.body.message).toContain(message);
      }
      expect(await callerOf(project.api_key)).not.toHaveProperty('projectLimits');
    });

    it.each([
      ['ingestion_api_keys', {}],
      ['fine_grained_api_keys', { permissions: ['events:write'] }],
    ])('is set for a key of %s when it is created, and listed', async (route, body) => {
      const project = await api.newProject('bot');
      const path = `/v1/projects/${project.id}`;
      const limits = { events_per_second: 3, bytes_per_day: null };
      const made = await api.asAdministrator('POST', `${path}/${route}`, { name: 'k', ...body, limits });
      const { key_value, key_id } = made.body.data as { key_value: string; key_id: string };
      expect(made.body.data).toMatchObject({ limits });
      const caller = await callerOf(key_value);
      expect(caller).toMatchObject({ keyLimits: { events_per_second: 3 } });
      expect(caller).not.toHaveProperty('projectLimits');
      const { body: listed } = await api.asAdministrator('GET', `${path}/api_keys`);
      const keys = listed.data as { key_id: string; limits?: object }[];
      expect(keys.find((one) => one.key_id === key_id)).toMatchObject({ limits });
      expect(await callerOf(project.api_key)).not.toHaveProperty('keyLimits');
    });
  });
}
