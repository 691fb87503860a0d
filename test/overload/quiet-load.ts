import { Agent, request } from 'node:http';

/** A request that a quiet project sends again and again. */
export interface QuietRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /** Whether it is sent on a connection of its own, and not on one that stays open. */
  readonly onNewConnection?: boolean;
}

export interface QuietLoad {
  readonly baseUrl: string;
  readonly key: string;
  /** Sent in rotation. */
  readonly requests: readonly QuietRequest[];
  readonly perSecond: number;
  /** Base URLs whose `/healthz` is called all the time, on a new connection for each call. */
  readonly healthUrls: readonly string[];
}

export interface QuietResult {
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Requests that ended without a response, by error code. */
  readonly broken: Readonly<Record<string, number>>;
  /** Milliseconds from the moment at which a request on an open connection was due to its whole response, sorted. */
  readonly latencies: readonly number[];
  /** Maximum milliseconds of the requests on connections of their own. */
  readonly newConnectionMs: number;
  /** Responses of `/healthz` other than 200, and calls of it without a response. */
  readonly unhealthy: number;
  /** Maximum milliseconds to the whole response of `/healthz`. */
  readonly healthzMs: number;
}

const CONNECTIONS = 4;
const TICK_MS = 5;
const HEALTH_INTERVAL_MS = 25;
/** A response that takes longer counts as broken, so that every measurement ends. */
const TIMEOUT_MS = 60_000;

/** Open-loop load of a quiet project: sends at a fixed rate until it is stopped. Returns a function that stops it. */
export function startQuietLoad(load: QuietLoad): () => Promise<QuietResult> {
  let stopped = false;
  const isStopped = () => stopped;
  const requests = sendAtRate(load, isStopped);
  const health = load.healthUrls.map((url) => watchHealth(`${url}/healthz`, isStopped));
  return async () => {
    stopped = true;
    const checks = await Promise.all(health);
    return {
      ...(await requests),
      unhealthy: checks.reduce((sum, check) => sum + check.failed, 0),
      healthzMs: Math.max(0, ...checks.map((check) => check.maxMs)),
    };
  };
}

type Requests = Pick<QuietResult, 'statuses' | 'broken' | 'latencies' | 'newConnectionMs'>;

async function sendAtRate(load: QuietLoad, isStopped: () => boolean): Promise<Requests> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const outcomes: Promise<readonly [outcome: number | string, ms: number]>[] = [];
  const isOnNewConnection = (index: number) =>
    load.requests[index % load.requests.length]!.onNewConnection === true;
  const startedAt = performance.now();
  for (; !isStopped(); await pause(TICK_MS)) {
    for (let dueAt = startedAt; !isStopped();) {
      dueAt = startedAt + (outcomes.length * 1_000) / load.perSecond;
      if (dueAt > performance.now()) break;
      const next = load.requests[outcomes.length % load.requests.length]!;
      outcomes.push(call({ ...load, ...next }, dueAt, isOnNewConnection(outcomes.length) ? false : agent));
    }
  }
  const [statuses, broken]: [Record<number, number>, Record<string, number>] = [{}, {}];
  const latencies: number[] = [];
  let newConnectionMs = 0;
  for (const [index, [outcome, ms]] of (await Promise.all(outcomes)).entries()) {
    if (isOnNewConnection(index)) newConnectionMs = Math.max(newConnectionMs, ms);
    else latencies.push(ms);
    if (typeof outcome === 'number') statuses[outcome] = (statuses[outcome] ?? 0) + 1;
    else broken[outcome] = (broken[outcome] ?? 0) + 1;
  }
  agent.destroy();
  return { statuses, broken, latencies: latencies.sort((a, b) => a - b), newConnectionMs };
}

async function watchHealth(url: string, isStopped: () => boolean) {
  let [failed, maxMs] = [0, 0];
  for (; !isStopped(); await pause(HEALTH_INTERVAL_MS)) {
    const [outcome, ms] = await call({ baseUrl: url, path: '', method: 'GET' }, performance.now(), false);
    if (outcome !== 200) failed++;
    maxMs = Math.max(maxMs, ms);
  }
  return { failed, maxMs };
}

/** Sends one request. Resolves with its status or error code, and the milliseconds since it was due. */
function call(
  { baseUrl, key, method, path, body }: Pick<QuietLoad, 'baseUrl'> & Partial<QuietLoad> & QuietRequest,
  dueAt: number,
  agent: Agent | false,
): Promise<readonly [outcome: number | string, ms: number]> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(text === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
  };
  return new Promise((resolve) => {
    const end = (outcome: number | string) => resolve([outcome, performance.now() - dueAt]);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const outgoing = request(baseUrl + path, { method, agent, headers, signal }, (response) => {
      response.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
      response.resume().once('end', () => end(response.statusCode ?? 0));
    });
    outgoing.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    outgoing.end(text);
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, ms));
}
