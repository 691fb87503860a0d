import { internalApi } from '@assay/contracts';
import {
  createHttpControlPlane,
  type BegunAdministration,
  type ControlPlane,
  type EventDatapoint,
  type ForwardedEvent,
  type HttpControlPlaneOptions,
  type JobClaim,
  type ModelReport,
  type QueueCompletion,
  type RequestClaim,
} from '@assay/control-plane-client';
import { forwardedEvent, forwardedSession } from '@assay/control-plane-client/test/control-plane-contract';
import { serveListener } from '@assay/control-plane-client/test/serve-listener';
import { NO_COUNTS, type Caller } from '@assay/domain';
import type { DataPlane } from '@assay/http';
import { ALERT, BACKFILL, BY, COUNTS, datapoint } from '../../test/in-memory-control-plane.js';
import { createInternalApi } from './create-internal-api.js';

const token = 'token-of-the-data-plane';
const callerOf = (projectId: string): Caller => ({
  projectId,
  projectName: 'bot',
  keyId: 'k1',
  scope: 'project',
  expiresAt: '2027-11-01T00:00:00.000Z',
});
const QUEUE = { queueId: 'q1' };
const NO_RUNS = {
  page: 1,
  limit: 20,
  total: 0,
  total_unfiltered: 0,
  total_pages: 0,
  has_next: false,
  has_prev: false,
};
const JOB = {
  jobId: 'j1',
  metricId: 'm1',
  filters: [],
  from: null,
  to: 2,
  createdAt: 1,
  cursor: null,
  counts: NO_COUNTS,
};
const RANGE = { from: null, to: 2 };
const PROGRESS = {
  ...{ jobId: 'j1', owner: 'o', cursor: null, counts: NO_COUNTS },
  state: 'running',
  reason: null,
} as const;
const TURN = { alertId: 'a1', owner: 'o', revision: 1, windows: [], missed: 0, releases: true, sent: [] };
const MODELS = {
  ...{ owner: 'o', hasProxy: true, isComplete: true, providers: [], projects: [], defaultModel: null },
};
const CLAIM = { key: 'a'.repeat(64), content: 'b'.repeat(64), at: 1 };

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Knows every project, and records the calls. */
class RecordingControlPlane implements ControlPlane {
  readonly forwarded: ForwardedEvent[] = [];
  readonly projects: string[] = [];
  readonly datapoints: EventDatapoint[] = [];
  readonly completions: QueueCompletion[] = [];
  authenticate = (key: string) => Promise.resolve(callerOf(key));
  authenticateAdministrator = () => Promise.resolve(undefined);
  authenticatePerson = () => Promise.resolve({ caller: null, refusal: null });
  signInProvider = () => Promise.resolve(undefined);
  completeSignIn = () => Promise.resolve({ session: null, problem: 'refused' as const });
  projectsOfPerson = () => Promise.resolve(['a', 'b'].map(callerOf));
  forwardEvents = (batch: readonly ForwardedEvent[]) => Promise.resolve(void this.forwarded.push(...batch));
  queueEntries = ({ projectId }: { projectId: string }) =>
    this.about(projectId, { total: 0, entries: [], counts: COUNTS });
  routingFilters = (ids: readonly string[]) => this.about(ids.join(), []);
  queueFilters = ({ projectId }: { projectId: string }) => this.about(projectId, []);
  addToQueue = ({ projectId }: { projectId: string }) => this.about(projectId, true);
  annotationMetrics = ({ projectId }: { projectId: string }) => this.about(projectId, []);
  leaseQueueEvent = ({ projectId }: { projectId: string }) =>
    this.about(projectId, { outcome: 'no_event' as const, entry: null, counts: null });
  markQueueEvent = (completion: QueueCompletion) => {
    this.completions.push(completion);
    return this.about(completion.projectId, undefined);
  };
  createDatapoints = ({ projectId }: { projectId: string }, datapoints: readonly EventDatapoint[]) => {
    this.datapoints.push(...datapoints);
    return this.about(projectId, true);
  };
  claimRequest = ({ projectId, content, at }: RequestClaim) => this.about(projectId, { content, at });
  runs = ({ projectId }: { projectId: string }) => this.about(projectId, { runs: [], metrics: [] });
  deployedMetrics = ({ projectId }: { projectId: string }) =>
    this.about(projectId, { metrics: [], next: null });
  claimJob = ({ mayActFor }: JobClaim) => {
    const projectId = ['b', 'a'].find((id) => mayActFor?.(id));
    return this.about(projectId ?? '', projectId === undefined ? undefined : { ...JOB, projectId });
  };
  claimBackfill = ({ mayActFor }: JobClaim) => {
    const projectId = ['b', 'a'].find((id) => mayActFor?.(id));
    return this.about(projectId ?? '', projectId === undefined ? undefined : { ...BACKFILL, projectId });
  };
  claimAlert = ({ mayActFor }: JobClaim) => {
    const projectId = ['b', 'a'].find((id) => mayActFor?.(id));
    return this.about(projectId ?? '', projectId === undefined ? undefined : { ...ALERT, projectId });
  };
  saveAlert = ({ projectId }: { projectId: string }) =>
    this.about(projectId, { deliveries: [], entered: [], failed: 0, dropped: 0 });
  startBackfill = ({ projectId }: { projectId: string }) =>
    this.about(projectId, { outcome: 'no_queue' as const, job: null });
  reportModels = ({ dataPlaneId }: ModelReport) => this.about(`of ${dataPlaneId}`, undefined);
  saveJob = ({ projectId }: { projectId: string }) => this.about(projectId, true);
  runLinks = ({ projectId }: { projectId: string }) =>
    this.about(projectId, { links: [], pagination: NO_RUNS });
  chart = ({ projectId }: { projectId: string }) => this.about(projectId, undefined);
  deletedProjects = (projectIds: readonly string[]) => {
    this.projects.push(...projectIds);
    return Promise.resolve(projectIds);
  };
  retentions = () => {
    const projects = ['a', 'b'].map((projectId) => ({
      ...{ projectId, retention: { default: 1 }, keepReferenced: false },
    }));
    return Promise.resolve({ projects, next: null });
  };
  exports = () => {
    const setting = { projectName: 'bot', format: 'ndjson' as const, from: '2026-11-01T12:00:00.000Z' };
    return Promise.resolve({
      projects: ['a', 'b'].map((projectId) => ({ projectId, ...setting })),
      next: null,
    });
  };
  removeExpired = ({ projectId }: { projectId: string }) => this.about(projectId, []);
  recordAdministration = ({ dataPlaneId }: BegunAdministration) => this.about(`of ${dataPlaneId}`, undefined);
  recordDeletion = ({ projectId }: { projectId: string }) => this.about(projectId, undefined);
  check = () => Promise.resolve();

  private about<T>(projectId: string, response: T): Promise<T> {
    this.projects.push(projectId);
    return Promise.resolve(response);
  }
}

async function boundToA(options: Partial<HttpControlPlaneOptions> = {}) {
  const recorded = new RecordingControlPlane();
  const dataPlane: DataPlane = {
    id: 'dp1',
    mayActFor: (projectId) => projectId === 'a',
    vouchesForAdministration: false,
  };
  const identifyDataPlane = (sent: string) => Promise.resolve(sent === token ? dataPlane : undefined);
  const { url, stop } = await serveListener(createInternalApi({ controlPlane: recorded, identifyDataPlane }));
  stops.push(stop);
  const post = async (path: string, body: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  };
  return {
    recorded,
    post,
    controlPlane: createHttpControlPlane({ url, token, timeoutMs: 60_000, ...options }),
  };
}

describe('a token that is bound to project a', () => {
  it('finds no key of project b', async () => {
    const { controlPlane } = await boundToA();
    expect(await controlPlane.authenticate('a')).toEqual(callerOf('a'));
    expect(await controlPlane.authenticate('b')).toBeUndefined();
  });

  it('finds a person in project a alone', async () => {
    const { controlPlane, post } = await boundToA();
    expect(await controlPlane.projectsOfPerson('session')).toEqual([callerOf('a')]);
    expect(await post('/internal/v1/people/projects', { session: 'session' })).toEqual({
      callers: [callerOf('a')],
    });
  });

  const calls = [
    'queueEntries',
    'queueFilters',
    'addToQueue',
    'startBackfill',
    'annotationMetrics',
    'markQueueEvent',
    'leaseQueueEvent',
    'createDatapoints',
    'claimRequest',
    'runs',
    'runLinks',
    'chart',
    'saveJob',
    'saveAlert',
    'recordDeletion',
  ] as const;
  it.each(calls)('is rejected for %s of project b', async (call) => {
    const { controlPlane, recorded } = await boundToA();
    const ask = (projectId: string): Promise<unknown> =>
      ({
        queueEntries: () => controlPlane.queueEntries({ projectId, ...QUEUE, limit: 1, offset: 0 }),
        queueFilters: () => controlPlane.queueFilters({ projectId, ...QUEUE }),
        addToQueue: () => controlPlane.addToQueue({ projectId, ...QUEUE }, ['e1']),
        startBackfill: () =>
          controlPlane.startBackfill({ projectId, ...QUEUE, ...RANGE, owner: 'o', by: BY }),
        annotationMetrics: () =>
          controlPlane.annotationMetrics({ projectId, ...QUEUE, eventId: 'e1', names: ['tone'] }),
        markQueueEvent: () =>
          controlPlane.markQueueEvent({ projectId, ...QUEUE, eventId: 'e1', done: true, by: BY }),
        leaseQueueEvent: () =>
          controlPlane.leaseQueueEvent({ projectId, ...QUEUE, action: 'next', annotator: 'anna' }),
        createDatapoints: () => controlPlane.createDatapoints({ projectId, by: BY }, []),
        claimRequest: () => controlPlane.claimRequest({ projectId, ...CLAIM }),
        runs: () => controlPlane.runs({ projectId, runIds: [] }),
        runLinks: () => controlPlane.runLinks({ projectId }),
        chart: () => controlPlane.chart({ projectId, chartId: 'c1' }),
        saveJob: () => controlPlane.saveJob({ projectId, ...PROGRESS }),
        saveAlert: () => controlPlane.saveAlert({ projectId, ...TURN }),
        recordDeletion: () => controlPlane.recordDeletion({ projectId, deletionId: 'd1', by: BY }),
      })[call]();
    await ask('a');
    await expect(ask('b')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(recorded.projects).toEqual(['a']);
  });

  it('takes no alert of project b', async () => {
    const { controlPlane } = await boundToA();
    const claim = { owner: 'o', projectIds: [], busyProjectIds: [] };
    expect(await controlPlane.claimAlert(claim)).toMatchObject({ projectId: 'a', alertId: 'a1' });
    await expect(controlPlane.claimAlert({ ...claim, projectIds: ['b'] })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('takes no job of project b', async () => {
    const { controlPlane } = await boundToA();
    const claim = { owner: 'o', projectIds: [], busyProjectIds: [] };
    expect(await controlPlane.claimJob(claim)).toMatchObject({ projectId: 'a', jobId: 'j1' });
    expect(await controlPlane.claimBackfill(claim)).toMatchObject({ projectId: 'a', jobId: 'j2' });
    await expect(controlPlane.claimBackfill({ ...claim, projectIds: ['b'] })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await expect(controlPlane.claimJob({ ...claim, projectIds: ['b'] })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('names itself in what administrators begin there', async () => {
    const { controlPlane, recorded } = await boundToA();
    const by = { id: null, name: 'administrator', requestId: 'r1', address: '127.0.0.1' };
    const begun = { action: 'backup.started' as const, subjectId: 'backup', fields: ['directory'], by };
    await controlPlane.recordAdministration({ ...begun, dataPlaneId: 'dp2' });
    expect(recorded.projects).toEqual(['of dp1']);
  });

  it('reports models as its own, for no other project', async () => {
    const { controlPlane, recorded } = await boundToA();
    await controlPlane.reportModels({ ...MODELS, projectIds: ['a'], dataPlaneId: 'dp2' });
    expect(recorded.projects).toEqual(['of dp1']);
    await expect(controlPlane.reportModels({ ...MODELS, projectIds: ['b'] })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(recorded.projects).toEqual(['of dp1']);
  });

  it('learns nothing about the queues of project b', async () => {
    const refused: string[] = [];
    const { controlPlane, recorded } = await boundToA({ onForeignProjects: (ids) => refused.push(...ids) });
    expect(await controlPlane.routingFilters(['a', 'b'])).toEqual([]);
    expect([recorded.projects, refused]).toEqual([['a'], ['b']]);
  });

  it('is rejected for every call about project b, with an error that names the project', async () => {
    const { post, recorded } = await boundToA();
    const body = {
      projectId: 'b',
      chartId: 'c1',
      ...QUEUE,
      limit: 1,
      offset: 0,
      eventId: 'e1',
      eventIds: ['e1'],
      names: ['tone'],
      done: true,
      action: 'next',
      annotator: 'anna',
      by: BY,
      datapoints: [],
      runIds: [],
      skip: 0,
      ...CLAIM,
      ...MODELS,
      ...PROGRESS,
      ...TURN,
      ...RANGE,
      busyProjectIds: [],
      events: [forwardedEvent('a', 1), forwardedEvent('b', 1)],
      projectIds: ['a', 'b'],
      expired: [],
      deletionId: 'd1',
      after: null,
      token: 'none',
      ...{ session: 'none', code: 'c', verifier: 'v', nonce: 'n', redirectUri: 'r', issuer: null },
    };
    for (const { path, method } of internalApi.INTERNAL_ROUTES) {
      // What administrators begin names no project.
      if (method === 'GET' || path === internalApi.recordAdministration.path) continue;
      const response = await post(path, body);
      if (path.endsWith('/administrators/authenticate')) expect(response).toEqual({ administrator: null });
      else if (path.endsWith('/people/authenticate'))
        expect(response).toEqual({ caller: null, refusal: null });
      else if (path.endsWith('/people/provider')) expect(response).toEqual({ provider: null });
      else if (path.endsWith('/people/session'))
        expect(response).toEqual({ session: null, problem: 'refused' });
      else if (path.endsWith('/people/projects')) expect(response).toEqual({ callers: [callerOf('a')] });
      else if (path.endsWith('/authenticate')) expect(response).toEqual({ caller: null });
      else if (path.endsWith('/retentions') || path.endsWith('/exports'))
        expect(response).toMatchObject({ projects: [{ projectId: 'a' }], next: null });
      else
        expect(response).toEqual({
          statusCode: 403,
          message: 'the token of this data plane is not bound to the project',
          success: false,
          errorCode: 'FORBIDDEN',
          requestId: expect.any(String) as string,
          projectIds: ['b'],
        });
    }
    expect([recorded.forwarded, recorded.projects]).toEqual([[], []]);
  });

  it('leaves out the events of project b, and forwards those of project a', async () => {
    const refused: string[] = [];
    const { controlPlane, recorded } = await boundToA({ onForeignProjects: (ids) => refused.push(...ids) });
    const batch = ['a', 'b', 'a', 'c', 'b'].map((projectId, version) => forwardedEvent(projectId, version));
    const sessions = ['a', 'b'].map((projectId) => forwardedSession(projectId, 9));
    const deleted: ForwardedEvent = {
      kind: 'delete',
      version: 9,
      projectId: 'b',
      eventId: batch[1]!.event.event_id,
    };
    await controlPlane.forwardEvents([...batch, deleted, ...sessions]);
    const projectOf = (one: ForwardedEvent) => (one.kind === 'event' ? one.event.project_id : one.projectId);
    expect(recorded.forwarded).toEqual([batch[0], batch[2], sessions[0]]);
    expect(recorded.forwarded.map(projectOf)).toEqual(['a', 'a', 'a']);
    expect(refused.sort()).toEqual(['b', 'c']);
    await controlPlane.forwardEvents([forwardedEvent('b', 1)]);
    expect(recorded.forwarded).toHaveLength(3);
  });

  it('is asked about deleted projects only for project a', async () => {
    const { controlPlane, recorded } = await boundToA();
    expect(await controlPlane.deletedProjects(['b', 'a', 'c'])).toEqual(['a']);
    expect(await controlPlane.deletedProjects(['b'])).toEqual([]);
    expect(recorded.projects).toEqual(['a']);
  });

  it('cannot reach project b through fields that are not declared, nor act as another data plane', async () => {
    const { post, recorded } = await boundToA();
    const sent = { ...datapoint('d1'), project_id: 'b', created_at: '1970-01-01' };
    const by = { ...BY, dataPlaneId: 'dp2' };
    const target = { projectId: 'a', by };
    expect(await post('/internal/v1/datapoints', { ...target, datapoints: [sent] })).toEqual({
      created: true,
    });
    expect(recorded.datapoints).toEqual([datapoint('d1')]);
    const completion = { ...target, ...QUEUE, eventId: 'e1', done: true };
    expect(await post('/internal/v1/queues/mark', completion)).toEqual({ entry: null });
    expect(recorded.completions[0]?.by).toEqual({ ...BY, dataPlaneId: 'dp1' });
    const event = { ...forwardedEvent('a', 1), projectId: 'b' };
    const forwarded = { ...event, event: { ...event.event, secret: 'x' } };
    expect(await post('/internal/v1/events', { events: [forwarded] })).toEqual({ kept: 1 });
    const session = forwardedSession('a', 1);
    const summary = { ...session.summary, secret: 'x', project_id: 'b' };
    expect(await post('/internal/v1/events', { events: [{ ...session, summary }] })).toEqual({ kept: 1 });
    expect(recorded.forwarded.pop()).toEqual(session);
    expect(JSON.stringify(recorded.forwarded)).not.toMatch(/secret|projectId/);
  });
});
