import { unavailable } from '@assay/errors';
import type { ControlPlane, ForwardedEvent } from '../control-plane.js';
import { readAnnotationMetrics, readMarked } from './annotation-bodies.js';
import { encodeDatapoints, readCreated } from './datapoint-bodies.js';
import { encodeBatch, type EncodedBatch } from './forwarded-batch.js';
import * as paths from './internal-routes.js';
import { readFirst } from './claim-bodies.js';
import { readAdded, readEntryPage, readFilters } from './queue-bodies.js';
import {
  checkKept,
  unauthorisedProjects,
  refuseFinal,
  readBounded,
  readCaller,
  type Reply,
  succeeded,
} from './read-answer.js';

export interface HttpControlPlaneOptions {
  /** Address of the control plane without a path, such as `http://control-plane:8083`. Nothing is sent anywhere else. */
  readonly url: string;
  /** The token that the control plane asks of the data plane. */
  readonly token: string;
  /** A call ends at the latest after this time. */
  readonly timeoutMs: number;
  /** The same for a call that carries events; 15 s by default. */
  readonly forwardTimeoutMs?: number;
  /** The projects that this data plane serves: a caller of another project is not believed. Absent or empty: any. */
  readonly projectIds?: readonly string[];
  /** Hears of projects whose events the control plane does not take from this data plane; they are not told. */
  readonly onForeignProjects?: (projectIds: readonly string[]) => void;
}

const FORWARD_TIMEOUT_MS = 15_000;
/** The largest answer is that about 1,000 events in a queue, or the filters of one. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** Asks the control plane over HTTP, on connections that are kept open. Redirects are not followed. Whatever goes wrong is `UNAVAILABLE`. */
export function createHttpControlPlane(options: HttpControlPlaneOptions): ControlPlane {
  const { projectIds = [] } = options;
  const serves = (projectId: string) => projectIds.length === 0 || projectIds.includes(projectId);
  const call = makeCall(options);
  const post = async (path: string, body: object) =>
    succeeded(await call(path, { method: 'POST', body: JSON.stringify(body) }));
  return {
    authenticate: async (key) => readCaller(await post(paths.AUTHENTICATE_PATH, { key }), serves),
    forwardEvents: makeForwardEvents(call, options),
    queueFilters: async (queue) => readFilters(await post(paths.QUEUE_FILTERS_PATH, queue)),
    addToQueue: async (queue, eventIds) =>
      readAdded(await post(paths.QUEUE_ADD_PATH, { ...queue, eventIds })),
    queueEntries: async (query) => readEntryPage(await post(paths.QUEUE_ENTRIES_PATH, query), query.limit),
    annotationMetrics: async (question) =>
      readAnnotationMetrics(await post(paths.QUEUE_METRICS_PATH, question)),
    markQueueEvent: async (mark) => readMarked(await post(paths.QUEUE_MARK_PATH, mark)),
    createDatapoints: async (target, datapoints) => {
      for (const body of encodeDatapoints(target, datapoints)) {
        const reply = await call(
          paths.DATAPOINTS_PATH,
          { method: 'POST', body },
          options.forwardTimeoutMs ?? FORWARD_TIMEOUT_MS,
        );
        refuseFinal(reply, 'the control plane does not take one of these datapoints');
        if (!readCreated(succeeded(reply))) return false;
      }
      return true;
    },
    claimRequest: async (claim) => readFirst(await post(paths.CLAIM_PATH, claim)),
    check: async () => {
      succeeded(await call(paths.CHECK_PATH, { method: 'GET' }));
    },
  };
}

type Call = (path: string, request: RequestInit, timeoutMs?: number) => Promise<Reply>;

function makeCall(options: HttpControlPlaneOptions): Call {
  const headers = { authorization: `Bearer ${options.token}`, 'content-type': 'application/json' };
  return async (path, request, timeoutMs = options.timeoutMs) => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(options.url + path, { ...request, headers, signal, redirect: 'error' });
      return {
        status: response.status,
        body: JSON.parse(await readBounded(response, MAX_ANSWER_BYTES)) as unknown,
      };
    } catch (cause) {
      throw unavailable('the control plane cannot be asked', cause);
    }
  };
}

/**
 * Events of a project that the token is not bound to are left out, and the others told: they stay in the data plane, and must not hold up those of the
 * other projects for ever.
 */
function makeForwardEvents(call: Call, options: HttpControlPlaneOptions): ControlPlane['forwardEvents'] {
  const timeoutMs = options.forwardTimeoutMs ?? FORWARD_TIMEOUT_MS;

  async function tell({ body, told }: EncodedBatch): Promise<void> {
    const reply = await call(paths.EVENTS_PATH, { method: 'POST', body }, timeoutMs);
    const foreign = unauthorisedProjects(reply);
    const rest = told.filter((one) => !foreign.includes(paths.projectOf(one)));
    if (rest.length === told.length) return checkKept(reply, told.length);
    options.onForeignProjects?.(
      [...new Set(told.map(paths.projectOf))].filter((projectId) => foreign.includes(projectId)),
    );
    await tellAll(rest);
  }

  async function tellAll(batch: readonly ForwardedEvent[]): Promise<void> {
    for (const encoded of encodeBatch(batch)) await tell(encoded);
  }
  return tellAll;
}
