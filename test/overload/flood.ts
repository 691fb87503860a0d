import { Agent, request } from 'node:http';

export interface Flood {
  readonly url: string;
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent in rotation. */
  readonly bodies: readonly Buffer[];
  /** Requests started each second, independent of earlier ones. */
  readonly perSecond: number;
  readonly durationMs: number;
  /** Maximum requests in progress; further ones are not sent. */
  readonly maxOpen?: number;
  /** Existing connections to use; absent: the load opens its own. */
  readonly agent?: Agent;
}

export interface FloodResult {
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Requests that ended without a response, by error code. */
  readonly broken: Readonly<Record<string, number>>;
  /** Values of `Retry-After` in responses with 503. */
  readonly retryAfter: ReadonlySet<string>;
  /** Milliseconds to the whole response, of requests that got 200, sorted. */
  readonly latencies: readonly number[];
  /** Requests that were not sent because of `maxOpen`. */
  readonly notSent: number;
}

const TICK_MS = 10;
const MAX_OPEN = 1_000;

/** Open-loop load: sends at a fixed rate. Resolves when all requests have ended. */
export async function flood(options: Flood): Promise<FloodResult> {
  const agent = options.agent ?? new Agent({ keepAlive: true });
  const statuses: Record<number, number> = {};
  const broken: Record<string, number> = {};
  const retryAfter = new Set<string>();
  const latencies: number[] = [];
  const open = new Set<Promise<void>>();
  let [begun, notSent] = [0, 0];

  const begin = () => {
    const body = options.bodies[begun++ % options.bodies.length]!;
    const startedAt = performance.now();
    const one = exchange(agent, options, body).then((outcome) => {
      open.delete(one);
      if (typeof outcome === 'string') return void (broken[outcome] = (broken[outcome] ?? 0) + 1);
      statuses[outcome.status] = (statuses[outcome.status] ?? 0) + 1;
      if (outcome.status === 503) retryAfter.add(outcome.retryAfter);
      if (outcome.status === 200) latencies.push(performance.now() - startedAt);
    });
    open.add(one);
  };

  const startedAt = performance.now();
  for (let elapsed = 0; elapsed < options.durationMs; elapsed = performance.now() - startedAt) {
    const due = Math.floor((elapsed / 1000) * options.perSecond) - begun - notSent;
    for (let left = due; left > 0; left--) {
      if (open.size < (options.maxOpen ?? MAX_OPEN)) begin();
      else notSent++;
    }
    await new Promise((resume) => setTimeout(resume, TICK_MS));
  }
  await Promise.all(open);
  if (!options.agent) agent.destroy();
  return { statuses, broken, retryAfter, latencies: latencies.sort((a, b) => a - b), notSent };
}

interface Exchanged {
  readonly status: number;
  readonly retryAfter: string;
}

/** Sends one request; returns an error code when it ends without a response. */
function exchange(
  agent: Agent,
  { url, method = 'POST', headers }: Flood,
  body: Buffer,
): Promise<Exchanged | string> {
  return new Promise((ended) => {
    let responded = false;
    const outgoing = request(
      url,
      { method, agent, headers: { ...headers, 'content-length': body.length } },
      (response) => {
        responded = true;
        const result = {
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'] ?? '',
        };
        response.on('error', (error: NodeJS.ErrnoException) => ended(error.code ?? error.message));
        response.resume().once('end', () => ended(result));
      },
    );
    // A server may reject a request after its headers, while the body is still being sent; only the response counts.
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (!responded) ended(error.code ?? error.message);
    });
    outgoing.end(body);
  });
}
