import { internalApi, ROUTES } from '@assay/contracts';
import { ADMINISTRATOR } from '@assay/domain';
import { forwardedEvent } from '@assay/control-plane-client/test/control-plane-contract';
import { Administration, callerOf, proxied, type Project } from './administration-api.js';
import { OWNED_COLLECTIONS } from '../src/maintenance/owned-collections.js';
import type { OpenStore } from './resource-api.js';

const served = ROUTES.filter(({ owner }) => owner === 'control-plane').flatMap((route) =>
  [route.path, ...(route.aliases ?? [])].map((path) => ({ name: `${route.method} ${path}`, route, path })),
);

const LEASE = { action: 'next', annotator: 'anna', busyProjectIds: [] };
const JOB_PROGRESS = {
  owner: 'o',
  jobId: '65c13dbbd65fb876b7886cdb',
  cursor: null,
  counts: { events: 0, scored: 0, failed: 0, skipped: 0 },
  state: 'running',
  reason: null,
};
const TURN = {
  ...{ alertId: '65c13dbbd65fb876b7886cdb', revision: 1, windows: [], missed: 0, releases: true, sent: [] },
};
const MODELS = { hasProxy: true, isComplete: true, providers: [], projects: [], defaultModel: null };
/** In the format of a SHA-256 hash. */
const HASH = 'a'.repeat(64);

/** Requests with a leaked token of a data plane that is bound to project a. Covers every route. */
export function describeLeakedToken(title: string, open: OpenStore): void {
  describe(`a leaked data-plane token ${title}`, () => {
    let api: Administration;
    let a: Project;
    let b: Project;
    let token: string;
    let before: string;

    beforeAll(async () => {
      api = await Administration.start(open);
      [a, b] = [await api.newProject('a'), await api.newProject('b')];
      ({ token } = await api.newDataPlane([a.id]));
      await api.as(b.api_key, 'POST', '/v1/charts', { name: 'of b', metric: 'cost' });
      await api.as(b.api_key, 'POST', '/v1/alerts', {
        ...{ name: 'of b', threshold: 1, webhook: { url: 'https://example.com/hook' } },
      });
      await api.as(b.api_key, 'POST', '/v1/queues', { name: 'of b', event_ids: ['e1'] });
      for (const name of ['a', 'b'])
        await api.asAdministrator('PUT', '/v1/projects', {
          name,
          retention: { default: 30 },
          export: { format: 'ndjson' },
        });
      before = await everything();
    });
    afterAll(async () => {
      expect(await everything()).toBe(before);
      await api.stop();
    });

    const everything = async (): Promise<string> => {
      const all: unknown[] = [];
      for (const { spec } of OWNED_COLLECTIONS) {
        const collection = await api.documents.collection(spec);
        all.push(await collection.list({ equals: {}, limit: 1_000 }));
      }
      return JSON.stringify(all);
    };
    const filled = (path: string, projectId: string) =>
      path.replace('{project_id}', projectId).replace(/\{\w+\}/g, 'some-id');
    const call = (method: string, path: string, headers: Record<string, string>) =>
      api.send(method, path, headers, method === 'GET' || method === 'DELETE' ? undefined : {});

    it.each(served)('does not authorise $name in project b', async ({ route, path }) => {
      const response = await call(route.method, filled(path, b.id), proxied(token, callerOf(b.id)));
      expect([response.status, response.body.errorCode]).toEqual([403, 'FORBIDDEN']);
    });

    it.each(served)('does not authorise $name as the administrator', async ({ route, path }) => {
      const response = await call(route.method, filled(path, a.id), proxied(token, ADMINISTRATOR));
      expect([response.status, response.body.errorCode]).toEqual([403, 'FORBIDDEN']);
    });

    it.each(served)('does not authorise $name as a key', async ({ route, path }) => {
      const response = await call(route.method, filled(path, a.id), { authorization: `Bearer ${token}` });
      expect([response.status, response.body.errorCode]).toEqual([401, 'UNAUTHORIZED']);
    });

    it.each(served.filter(({ route }) => route.access !== 'project'))(
      'does not authorise $name, an administrative route, in project a',
      async ({ route, path }) => {
        const response = await call(route.method, filled(path, a.id), proxied(token, callerOf(a.id)));
        expect([response.status, response.body.errorCode]).toEqual([403, 'FORBIDDEN']);
      },
    );

    // What administrators begin names no project, and its entry names the data plane.
    const { recordAdministration } = internalApi;
    const ofProjects = internalApi.INTERNAL_ROUTES.filter(
      (route) => route.body && route.path !== recordAdministration.path,
    );
    it.each(ofProjects.map(({ path }) => ({ path })))(
      'does not read or change project b through $path',
      async ({ path }) => {
        const queue = (await api.as(b.api_key, 'GET', '/v1/queues')).body.queues as { id: string }[];
        const body = {
          key: path.endsWith('/claim') ? HASH : b.api_key,
          token: b.api_key,
          ...{ session: b.api_key, code: 'c', verifier: 'v', nonce: 'n', redirectUri: 'r', issuer: null },
          content: HASH,
          at: 1,
          projectId: b.id,
          projectIds: [b.id],
          queueId: queue[0]?.id,
          limit: 1,
          offset: 0,
          eventId: 'e1',
          names: ['tone'],
          done: true,
          by: { keyId: 'k', requestId: 'r', address: '127.0.0.1' },
          datapoints: [],
          eventIds: ['e2'],
          expired: [{ eventId: 'e1', sessionId: 'e1', runId: '' }],
          deletionId: 'd1',
          runIds: ['0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'],
          skip: 0,
          after: null,
          chartId: '65c13dbbd65fb876b7886cdb',
          events: [forwardedEvent(b.id, 1)],
          from: null,
          to: 1,
          ...LEASE,
          ...JOB_PROGRESS,
          ...TURN,
          ...MODELS,
        };
        const response = await api.send('POST', path, { authorization: `Bearer ${token}` }, body);
        if (path.endsWith('/administrators/authenticate'))
          expect(response.body).toEqual({ administrator: null });
        else if (path.endsWith('/people/authenticate'))
          expect(response.body).toEqual({ caller: null, refusal: null });
        else if (path.endsWith('/people/provider')) expect(response.body).toEqual({ provider: null });
        else if (path.endsWith('/people/session'))
          expect(response.body).toEqual({ session: null, problem: 'refused' });
        else if (path.endsWith('/people/projects')) expect(response.body).toEqual({ callers: [] });
        else if (path.endsWith('/authenticate')) expect(response.body).toEqual({ caller: null });
        else if (path.endsWith('/retentions') || path.endsWith('/exports'))
          expect(response.body).toMatchObject({ projects: [{ projectId: a.id }], next: null });
        else
          expect(response).toMatchObject({
            status: 403,
            body: { errorCode: 'FORBIDDEN', projectIds: [b.id] },
          });
      },
    );
  });
}
