import type { Agent } from 'node:http';
import { internalApi, type RequestOf, type ResponseOf, type Route } from '@assay/contracts';
import type { Caller } from '@assay/domain';
import { unavailable } from '@assay/errors';
import type { CallOptions, ControlPlane, ForwardedEvent, RunsWithMetrics } from '../control-plane.js';
import {
  makeCallRoute,
  succeeded,
  throwIfFinal,
  unauthorisedProjects,
  type ConnectionOptions,
} from './call-route.js';
import { defaultAgent } from './exchange.js';
import { splitBatch, type RequestItems } from './split-batch.js';

export interface HttpControlPlaneOptions {
  /** Address of the control plane without a path, such as `http://control-plane:8083`. Nothing is sent anywhere else. */
  readonly url: string;
  /** The token of the data plane. */
  readonly token: string;
  /** Longest duration of a call. */
  readonly timeoutMs: number;
  /** Longest duration of the calls that every request to ingestion may need: for its key, and its Idempotency-Key; `timeoutMs` when absent. */
  readonly admissionTimeoutMs?: number;
  /** Longest duration of a call that carries events or datapoints; 15 s when absent. */
  readonly forwardTimeoutMs?: number;
  /** The projects that this data plane serves: a caller of another project is rejected. Absent or empty: any. */
  readonly projectIds?: readonly string[];
  /** Called with the projects whose events the control plane does not accept from this data plane. */
  readonly onForeignProjects?: (projectIds: readonly string[]) => void;
  /** Opens the connections, for example with authorities and a certificate of its own; must suit the protocol of `url`. */
  readonly agent?: Agent | undefined;
}

const FORWARD_TIMEOUT_MS = 15_000;
/** What surrounds the items of a body, in bytes, is below this. */
const SURROUNDING = { events: 100, datapoints: 1_000 };

/** Calls the control plane over HTTP. Every failure is `UNAVAILABLE` unless the port says otherwise. */
export function createHttpControlPlane({ agent, ...given }: HttpControlPlaneOptions): ControlPlane {
  const options = { ...given, agent: agent ?? defaultAgent(given.url) };
  const admission = { ...options, timeoutMs: options.admissionTimeoutMs ?? options.timeoutMs };
  const post = <R extends Route>(route: R, connection: ConnectionOptions = options) => {
    const call = makeCallRoute(route, connection);
    return async (body: RequestOf<R>['body'], calling?: CallOptions): Promise<ResponseOf<R>> =>
      succeeded(await call(JSON.stringify(body), calling));
  };
  const queueFilters = post(internalApi.getQueueFilters);
  const addToQueue = post(internalApi.addToQueue);
  const markQueueEvent = post(internalApi.markQueueEvent);
  const leaseQueueEvent = post(internalApi.leaseQueueEvent);
  const claimRequest = post(internalApi.claimRequest, admission);
  const deployedMetrics = post(internalApi.listDeployedMetrics);
  const claimJob = post(internalApi.claimJob);
  const startBackfill = post(internalApi.startBackfill);
  const claimBackfill = post(internalApi.claimBackfill);
  const saveJob = post(internalApi.saveJob);
  const reportModels = post(internalApi.reportModels);
  const readChart = post(internalApi.readChart);
  const check = makeCallRoute(internalApi.checkControlPlane, options);
  return {
    ...identityCalls((route) => post(route, admission), options.projectIds),
    ...signInCalls(options),
    forwardEvents: makeForwardEvents(options),
    routingFilters: makeRoutingFilters(options),
    queueFilters: async (queue, calling) => (await queueFilters(queue, calling)).filters ?? undefined,
    addToQueue: async (queue, eventIds, calling) => (await addToQueue({ ...queue, eventIds }, calling)).added,
    queueEntries: makeReadQueueEntries(options),
    annotationMetrics: makeReadAnnotationMetrics(options),
    markQueueEvent: async (completion, calling) =>
      (await markQueueEvent(completion, calling)).entry ?? undefined,
    leaseQueueEvent,
    createDatapoints: makeCreateDatapoints(options),
    runs: makeReadRuns(options),
    deployedMetrics,
    claimJob: async ({ mayActFor: _, ...claim }) => (await claimJob(claim)).jobs[0],
    startBackfill,
    claimBackfill: async ({ mayActFor: _, ...claim }) => (await claimBackfill(claim)).jobs[0],
    saveJob: async (progress) => (await saveJob(progress)).continues,
    ...alertCalls(options),
    reportModels: async ({ dataPlaneId: _, ...report }) => void (await reportModels(report)),
    runLinks: makeReadRunLinks(options),
    chart: async (name) => (await readChart(name)).charts[0],
    claimRequest: async (claim) => (await claimRequest(claim)).first,
    deletedProjects: makeDeletedProjects(options),
    ...retentionCalls(post),
    check: async () => void succeeded(await check()),
  };
}

function identityCalls(
  post: Post,
  served: readonly string[] | undefined,
): Pick<
  ControlPlane,
  'authenticate' | 'authenticateAdministrator' | 'authenticatePerson' | 'projectsOfPerson'
> {
  const authenticate = post(internalApi.authenticateKey);
  const authenticateAdministrator = post(internalApi.authenticateAdministrator);
  const authenticatePerson = post(internalApi.authenticatePerson);
  const projectsOfPerson = post(internalApi.listProjectsOfPerson);
  return {
    authenticate: async (key) => servedCaller((await authenticate({ key })).caller, served),
    authenticateAdministrator: async (token) => {
      const { administrator } = await authenticateAdministrator({ token });
      return administrator === null ? undefined : { administrator: true, ...declaredFields(administrator) };
    },
    authenticatePerson: async (token, projectId) => {
      const { caller, refusal } = await authenticatePerson({ token, projectId });
      // No failed look-up, after which others would wait: people may have projects that are elsewhere.
      if (caller !== null && !isServed(caller, served)) return { caller: null, refusal: ELSEWHERE };
      return { caller: servedCaller(caller, served) ?? null, refusal };
    },
    projectsOfPerson: async (session) => {
      const { callers } = await projectsOfPerson({ session });
      return callers.flatMap((one) => (isServed(one, served) ? (servedCaller(one, served) ?? []) : []));
    },
  };
}

/** Exchanging a code waits for the provider, twice where its keys are not known. */
const SIGN_IN_TIMEOUT_MS = 10_000;

function signInCalls(options: ConnectionOptions): Pick<ControlPlane, 'signInProvider' | 'completeSignIn'> {
  const getSignInProvider = makeCallRoute(internalApi.getSignInProvider, options);
  const completeSignIn = makeCallRoute(internalApi.completeSignIn, options);
  const calling = { timeoutMs: SIGN_IN_TIMEOUT_MS };
  return {
    signInProvider: async () => succeeded(await getSignInProvider('{}', calling)).provider ?? undefined,
    completeSignIn: async (returned) => succeeded(await completeSignIn(JSON.stringify(returned), calling)),
  };
}

function declaredFields({ id, name, role, expiresAt }: internalApi.WireAdministrator) {
  return { id, name, role, ...(expiresAt !== undefined && { expiresAt }) };
}

type Post = <R extends Route>(route: R) => (body: RequestOf<R>['body']) => Promise<ResponseOf<R>>;

function retentionCalls(
  post: Post,
): Pick<
  ControlPlane,
  'retentions' | 'exports' | 'removeExpired' | 'recordDeletion' | 'recordAdministration'
> {
  const listRetentions = post(internalApi.listRetentions);
  const listExports = post(internalApi.listExports);
  const removeExpired = post(internalApi.removeExpired);
  const recordDeletion = post(internalApi.recordDeletion);
  const recordAdministration = post(internalApi.recordAdministration);
  return {
    retentions: (after) => listRetentions({ after }),
    exports: (after) => listExports({ after }),
    removeExpired: async (expired) => (await removeExpired(expired)).kept,
    recordDeletion: async (deletion) => void (await recordDeletion(deletion)),
    recordAdministration: async (begun) => void (await recordAdministration(begun)),
  };
}

function makeReadQueueEntries(options: ConnectionOptions): ControlPlane['queueEntries'] {
  const call = makeCallRoute(internalApi.listQueueEntries, options);
  return async (query, calling) => {
    const { page } = succeeded(await call(JSON.stringify(query), calling));
    if (page && page.entries.length > query.limit)
      throw unavailable('invalid response from the control plane: more entries than the limit');
    return page ?? undefined;
  };
}

function makeReadAnnotationMetrics(options: ConnectionOptions): ControlPlane['annotationMetrics'] {
  const call = makeCallRoute(internalApi.listAnnotationMetrics, options);
  return async (query, calling) => {
    const outcome = await call(JSON.stringify(query), calling);
    throwIfFinal(outcome.refusal, 'the metrics cannot be scored together, score fewer of them in a request');
    return succeeded(outcome).metrics ?? undefined;
  };
}

/** A page has about 2 MiB, but at least one run, which is one document. */
const RUNS_RESPONSE_BYTES = 32 * 1024 * 1024;
/** More pages than 100 runs and the rules of a project need. */
const MAX_PAGES = 1_000;

function alertCalls(options: ConnectionOptions): Pick<ControlPlane, 'claimAlert' | 'saveAlert'> {
  const claimAlert = makeCallRoute(internalApi.claimAlert, options);
  const saveAlert = makeCallRoute(internalApi.saveAlert, options);
  return {
    claimAlert: async ({ mayActFor: _, ...claim }) =>
      succeeded(await claimAlert(JSON.stringify(claim))).alerts[0],
    saveAlert: async (turn) => succeeded(await saveAlert(JSON.stringify(turn))),
  };
}

function makeReadRuns(options: ConnectionOptions): ControlPlane['runs'] {
  const call = makeCallRoute(internalApi.readRuns, { ...options, maxResponseBytes: RUNS_RESPONSE_BYTES });
  return async (query) => {
    const runs: RunsWithMetrics['runs'][number][] = [];
    const metrics: RunsWithMetrics['metrics'][number][] = [];
    let skip = 0;
    for (let page = 0; page < MAX_PAGES; page++) {
      const body: ResponseOf<typeof internalApi.readRuns> = succeeded(
        await call(JSON.stringify({ ...query, skip })),
      );
      runs.push(...body.runs);
      metrics.push(...body.metrics);
      if (body.next === null) return { runs, metrics };
      if (body.next <= skip) break;
      skip = body.next;
    }
    throw unavailable('invalid response from the control plane: pages of runs without an end');
  };
}

function makeReadRunLinks(options: ConnectionOptions): ControlPlane['runLinks'] {
  const call = makeCallRoute(internalApi.readRunLinks, options);
  return async (query) => {
    const outcome = await call(JSON.stringify(query));
    throwIfFinal(outcome.refusal, 'the runs cannot be listed with this query');
    return succeeded(outcome);
  };
}

const ELSEWHERE = { code: 'FORBIDDEN', message: 'this data plane does not serve the project' } as const;

function isServed({ projectId }: internalApi.WireCaller, served: readonly string[] = []): boolean {
  return served.length === 0 || served.includes(projectId);
}

/** @throws AppError `UNAVAILABLE` for a caller of a project that this data plane does not serve */
function servedCaller(
  caller: internalApi.WireCaller | null,
  served: readonly string[] = [],
): Caller | undefined {
  if (caller === null) return undefined;
  const { projectId, projectName, keyId, scope, ...more } = caller;
  const { person, permissions, expiresAt, projectLimits, keyLimits } = more;
  if (!isServed(caller, served))
    throw unavailable('invalid response from the control plane: this data plane does not serve the project');
  const limits = {
    ...(person !== undefined && { person }),
    ...(permissions && { permissions }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(projectLimits && { projectLimits }),
    ...(keyLimits && { keyLimits }),
  };
  return { projectId, projectName, keyId, scope, ...limits };
}

type BatchOptions = ConnectionOptions &
  Pick<HttpControlPlaneOptions, 'forwardTimeoutMs' | 'onForeignProjects'>;

/**
 * Events of a project that the token is not bound to are left out and the others forwarded: they stay in the data plane, and
 * must not block those of other projects.
 */
function makeForwardEvents(options: BatchOptions): ControlPlane['forwardEvents'] {
  const timeoutMs = options.forwardTimeoutMs ?? FORWARD_TIMEOUT_MS;
  const call = makeCallRoute(internalApi.forwardEvents, options);
  const maxItemBytes = internalApi.BODY_BYTES.batch - SURROUNDING.events;

  async function forwardOnce({ items, json }: RequestItems<ForwardedEvent>): Promise<void> {
    const outcome = await call(`{"events":[${json}]}`, { timeoutMs });
    const refused = unauthorisedProjects(outcome.refusal);
    const rest = items.filter((item) => !refused.includes(projectOf(item)));
    if (rest.length < items.length) {
      options.onForeignProjects?.([...new Set(items.map(projectOf))].filter((id) => refused.includes(id)));
      return forwardAll(rest);
    }
    throwIfFinal(outcome.refusal, 'the control plane does not accept one of these events');
    // Only a control plane that has stored the events responds with their number.
    if (refused.length > 0 || succeeded(outcome).kept !== items.length)
      throw unavailable('invalid response from the control plane: expected the number of events');
  }

  async function forwardAll(batch: readonly ForwardedEvent[]): Promise<void> {
    for (const items of splitBatch(batch, maxItemBytes)) await forwardOnce(items);
  }
  return forwardAll;
}

/** Projects that the token is not bound to are left out: for them the control plane decides nothing here. */
function makeDeletedProjects(options: ConnectionOptions): ControlPlane['deletedProjects'] {
  const call = makeCallRoute(internalApi.listDeletedProjects, options);
  return async function deletedProjects(projectIds) {
    if (projectIds.length === 0) return [];
    const outcome = await call(JSON.stringify({ projectIds }));
    const refused = unauthorisedProjects(outcome.refusal);
    const rest = projectIds.filter((id) => !refused.includes(id));
    if (rest.length < projectIds.length) return deletedProjects(rest);
    const { deleted } = succeeded(outcome);
    if (deleted.some((id) => !projectIds.includes(id)))
      throw unavailable('invalid response from the control plane: a project that was not asked about');
    return deleted;
  };
}

function projectOf(forwarded: ForwardedEvent): string {
  return forwarded.kind === 'event' ? forwarded.event.project_id : forwarded.projectId;
}

/**
 * Projects that the token is not bound to have no filters here: none of their events is forwarded.
 */
function makeRoutingFilters(options: BatchOptions): ControlPlane['routingFilters'] {
  const call = makeCallRoute(internalApi.getRoutingFilters, options);
  return async function routingFilters(projectIds) {
    if (projectIds.length === 0) return [];
    const outcome = await call(JSON.stringify({ projectIds }));
    const refused = unauthorisedProjects(outcome.refusal);
    const rest = projectIds.filter((id) => !refused.includes(id));
    if (rest.length === projectIds.length) return succeeded(outcome).projects;
    options.onForeignProjects?.(projectIds.filter((id) => refused.includes(id)));
    return routingFilters(rest);
  };
}

function makeCreateDatapoints(options: BatchOptions): ControlPlane['createDatapoints'] {
  const timeoutMs = options.forwardTimeoutMs ?? FORWARD_TIMEOUT_MS;
  const call = makeCallRoute(internalApi.createDatapoints, options);
  const maxItemBytes = internalApi.BODY_BYTES.batch - SURROUNDING.datapoints;
  return async ({ projectId, datasetId, by }, datapoints) => {
    const head = JSON.stringify({ projectId, datasetId, by }).slice(0, -1);
    const requests = splitBatch(datapoints, maxItemBytes).map(({ json }) => json);
    // Without datapoints one request still finds out whether the dataset exists.
    for (const json of requests.length > 0 ? requests : ['']) {
      const outcome = await call(`${head},"datapoints":[${json}]}`, { timeoutMs });
      throwIfFinal(outcome.refusal, 'the control plane does not accept one of these datapoints');
      if (!succeeded(outcome).created) return false;
    }
    return true;
  };
}
