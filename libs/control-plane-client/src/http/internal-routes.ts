import { isJsonObject } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { ControlPlane, ForwardedEvent } from '../control-plane.js';
import type { DataPlane } from '../data-plane/data-plane.js';
import { requireProjects } from '../data-plane/unauthorised-project-error.js';
import { readAnnotationQuestion, readQueueMark } from './annotation-bodies.js';
import { MAX_DATAPOINTS_BYTES, readDatapoints } from './datapoint-bodies.js';
import { decodeBatch, MAX_FORWARD_BYTES } from './forwarded-batch.js';
import { readClaim } from './claim-bodies.js';
import { readEntryQuery, readEventIds, readQueueName } from './queue-bodies.js';

export const AUTHENTICATE_PATH = '/internal/v1/keys/authenticate';
export const EVENTS_PATH = '/internal/v1/events';
export const QUEUE_ENTRIES_PATH = '/internal/v1/queues/entries';
export const QUEUE_FILTERS_PATH = '/internal/v1/queues/filters';
export const QUEUE_ADD_PATH = '/internal/v1/queues/add';
export const QUEUE_METRICS_PATH = '/internal/v1/queues/metrics';
export const QUEUE_MARK_PATH = '/internal/v1/queues/mark';
export const DATAPOINTS_PATH = '/internal/v1/datapoints';
export const CLAIM_PATH = '/internal/v1/requests/claim';
export const CHECK_PATH = '/internal/v1/check';

/** A request that names a thing, or up to 1,000 of them; whoever sends more does not speak this protocol. */
const MAX_NAMING_BYTES = 16_384;
const MAX_IDS_BYTES = 262_144;

/** A call of the internal interface, for a data plane that has shown its token. */
export interface InternalRoute {
  readonly path: string;
  /** The largest body. */
  readonly maxBytes: number;
  /** @throws AppError `VALIDATION_ERROR`, `FORBIDDEN` for a project that the data plane is not bound to, and as the control plane */
  answer(body: unknown, dataPlane: DataPlane, controlPlane: ControlPlane): Promise<object>;
}

interface Declared<T> extends Pick<InternalRoute, 'path' | 'maxBytes'> {
  readonly read: (body: unknown) => T;
  /** The projects that the call is about: no call is made before the data plane was found to be bound to all of them. */
  readonly projectsOf: (input: T) => readonly string[];
  readonly call: (controlPlane: ControlPlane, input: T, dataPlane: DataPlane) => Promise<object>;
}

function internalRoute<T>({ path, maxBytes, read, projectsOf, call }: Declared<T>): InternalRoute {
  return {
    path,
    maxBytes,
    answer: async (body, dataPlane, controlPlane) => {
      const input = read(body);
      requireProjects(dataPlane, projectsOf(input));
      return call(controlPlane, input, dataPlane);
    },
  };
}

/** Every call that is made with a body, each with `POST`. */
export const INTERNAL_ROUTES: readonly InternalRoute[] = [
  internalRoute({
    path: AUTHENTICATE_PATH,
    maxBytes: MAX_NAMING_BYTES,
    read: keyIn,
    // Whose key it is becomes known by the answer: one of another project is unknown to this data plane.
    projectsOf: () => [],
    call: async (controlPlane, key, dataPlane) => {
      const caller = await controlPlane.authenticate(key);
      return { caller: caller && dataPlane.mayActFor(caller.projectId) ? caller : null };
    },
  }),
  internalRoute({
    path: EVENTS_PATH,
    maxBytes: MAX_FORWARD_BYTES,
    read: decodeBatch,
    projectsOf: (batch) => batch.map(projectOf),
    call: async (controlPlane, batch) => {
      await controlPlane.forwardEvents(batch);
      return { kept: batch.length };
    },
  }),
  internalRoute({
    path: QUEUE_ENTRIES_PATH,
    maxBytes: MAX_NAMING_BYTES,
    read: readEntryQuery,
    projectsOf: ({ projectId }) => [projectId],
    call: async (controlPlane, query) => ({ page: (await controlPlane.queueEntries(query)) ?? null }),
  }),
  internalRoute({
    path: QUEUE_FILTERS_PATH,
    maxBytes: MAX_NAMING_BYTES,
    read: readQueueName,
    projectsOf: ({ projectId }) => [projectId],
    call: async (controlPlane, queue) => ({ filters: (await controlPlane.queueFilters(queue)) ?? null }),
  }),
  internalRoute({
    path: QUEUE_ADD_PATH,
    maxBytes: MAX_IDS_BYTES,
    read: (body) => ({ queue: readQueueName(body), eventIds: readEventIds(body) }),
    projectsOf: ({ queue }) => [queue.projectId],
    call: async (controlPlane, { queue, eventIds }) => ({
      added: await controlPlane.addToQueue(queue, eventIds),
    }),
  }),
  internalRoute({
    path: QUEUE_METRICS_PATH,
    maxBytes: MAX_IDS_BYTES,
    read: readAnnotationQuestion,
    projectsOf: ({ projectId }) => [projectId],
    call: async (controlPlane, question) => ({
      metrics: (await controlPlane.annotationMetrics(question)) ?? null,
    }),
  }),
  internalRoute({
    path: QUEUE_MARK_PATH,
    maxBytes: MAX_NAMING_BYTES,
    read: readQueueMark,
    projectsOf: ({ projectId }) => [projectId],
    call: async (controlPlane, { by, ...mark }, { id }) => {
      const entry = await controlPlane.markQueueEvent({ ...mark, by: { ...by, dataPlaneId: id } });
      return { entry: entry ?? null };
    },
  }),
  internalRoute({
    path: DATAPOINTS_PATH,
    maxBytes: MAX_DATAPOINTS_BYTES,
    read: readDatapoints,
    projectsOf: ({ target }) => [target.projectId],
    call: async (controlPlane, { target, datapoints }, { id }) => {
      const by = { ...target.by, dataPlaneId: id };
      return { created: await controlPlane.createDatapoints({ ...target, by }, datapoints) };
    },
  }),
  internalRoute({
    path: CLAIM_PATH,
    maxBytes: MAX_NAMING_BYTES,
    read: readClaim,
    projectsOf: ({ projectId }) => [projectId],
    call: async (controlPlane, claim) => ({ first: await controlPlane.claimRequest(claim) }),
  }),
];

/** The project that a forwarded event or delete belongs to. */
export function projectOf(told: ForwardedEvent): string {
  return told.kind === 'event' ? told.event.project_id : told.projectId;
}

function keyIn(body: unknown): string {
  const key = isJsonObject(body) && Object.hasOwn(body, 'key') ? body.key : undefined;
  if (typeof key !== 'string') throw validationError('body must be an object with key, a string');
  return key;
}
