import { AppError, unavailable } from '@assay/errors';
import { KEY_SCOPES, type Caller } from '@assay/domain';
import type { ControlPlane } from '../control-plane.js';
import { encodeBatch } from './forwarded-batch.js';
import { readAdded, readEntryPage, readFilters } from './queue-bodies.js';
import { AUTHENTICATE_PATH, CHECK_PATH, EVENTS_PATH, QUEUE_ADD_PATH, QUEUE_ENTRIES_PATH, QUEUE_FILTERS_PATH } from './internal-api.js';

export interface HttpControlPlaneOptions {
  /** Address of the control plane without a path, such as `http://control-plane:8083`. */
  readonly url: string;
  /** The token that the control plane asks of the data plane. */
  readonly token: string;
  /** A call ends at the latest after this time. */
  readonly timeoutMs: number;
  /** The same for a call that carries events; 15 s by default. */
  readonly forwardTimeoutMs?: number;
}

const FORWARD_TIMEOUT_MS = 15_000;
/** Answers by which the control plane says that it will never take this. Anybody on the way may send the status, so the code counts. */
const FINAL_CODES = ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'] as const;

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** Asks the control plane over HTTP, on connections that are kept open. Whatever goes wrong is `UNAVAILABLE`. */
export function createHttpControlPlane(options: HttpControlPlaneOptions): ControlPlane {
  const call = async (path: string, request: RequestInit, timeoutMs = options.timeoutMs): Promise<Reply> => {
    const headers = { authorization: `Bearer ${options.token}`, 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(options.url + path, { ...request, headers, signal, redirect: 'error' });
      return { status: response.status, body: JSON.parse(await response.text()) as unknown };
    } catch (cause) {
      throw unavailable('the control plane cannot be asked', cause);
    }
  };
  const post = async (path: string, body: object) => succeeded(await call(path, { method: 'POST', body: JSON.stringify(body) }));
  return {
    authenticate: async (key) => readAnswer(await post(AUTHENTICATE_PATH, { key })),
    forwardEvents: async (batch) => {
      for (const { body, events } of encodeBatch(batch)) {
        checkKept(await call(EVENTS_PATH, { method: 'POST', body }, options.forwardTimeoutMs ?? FORWARD_TIMEOUT_MS), events);
      }
    },
    queueFilters: async (queue) => readFilters(await post(QUEUE_FILTERS_PATH, queue)),
    addToQueue: async (queue, eventIds) => readAdded(await post(QUEUE_ADD_PATH, { ...queue, eventIds })),
    queueEntries: async (query) => readEntryPage(await post(QUEUE_ENTRIES_PATH, query)),
    check: async () => {
      succeeded(await call(CHECK_PATH, { method: 'GET' }));
    },
  };
}

function succeeded({ status, body }: Reply): unknown {
  if (status === 200) return body;
  throw unavailable('the control plane cannot be asked', new Error(`the control plane has answered with status ${status}`));
}

/** Only an answer that counts the events comes from a control plane that has kept them. */
function checkKept(reply: Reply, events: number): void {
  const code = finalCode(reply);
  if (code) throw new AppError(code, 'the control plane does not take one of these events');
  const body = succeeded(reply);
  const kept: unknown = typeof body === 'object' && body !== null && 'kept' in body ? body.kept : undefined;
  if (kept !== events) throw unavailable('the control plane has not answered how many events it has kept');
}

function finalCode({ status, body }: Reply): (typeof FINAL_CODES)[number] | undefined {
  if (status === 200 || typeof body !== 'object' || body === null || !('errorCode' in body)) return undefined;
  return FINAL_CODES.find((code) => code === body.errorCode);
}

/** An answer of another shape comes from something that is not our control plane: it must not count as "unknown key". */
function readAnswer(answer: unknown): Caller | undefined {
  if (typeof answer !== 'object' || answer === null || !('caller' in answer)) throw notTheControlPlane();
  if (answer.caller === null) return undefined;
  if (!isCaller(answer.caller)) throw notTheControlPlane();
  const { projectId, projectName, keyId, scope } = answer.caller;
  return { projectId, projectName, keyId, scope };
}

export function isCaller(value: unknown): value is Caller {
  if (typeof value !== 'object' || value === null) return false;
  const { projectId, projectName, keyId, scope } = value as Record<string, unknown>;
  return (
    [projectId, projectName, keyId].every((field) => typeof field === 'string' && field !== '') && KEY_SCOPES.some((one) => one === scope)
  );
}

function notTheControlPlane(): AppError {
  return unavailable('the control plane has answered something else than a caller');
}
