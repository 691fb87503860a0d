/** How a project loads the product while others use it. */
export interface Noise {
  /** Ends the load. Resolves with the number of responses by status when all requests have ended. */
  stop(): Promise<NoiseResult>;
}

export interface NoiseResult {
  readonly statuses: Readonly<Record<number, number>>;
  /** Responses to large updates by status. */
  readonly updates: Readonly<Record<number, number>>;
  /** Responses with 503 and without `Retry-After`. */
  readonly withoutRetryAfter: number;
  /** Requests that ended without a response, by error. */
  readonly broken: readonly string[];
}

/** The prepared project that makes the noise. */
export interface NoiseTarget {
  readonly baseUrl: string;
  readonly key: string;
  /** The event that is updated. */
  readonly eventId: string;
}

/** Above the maximum size of a configuration, and below that of the body. */
const TOO_LONG = 300_000;
/** Two of them make an event larger than it may become. */
const LARGE_UPDATE_LENGTH = 9_000_000;
const WORKERS = { search: 12, list: 6, update: 2, oversized: 2 } as const;

export type NoiseKind = keyof typeof WORKERS;
export const NOISE_KINDS = Object.keys(WORKERS) as readonly NoiseKind[];

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

/** Returns a configuration of this length. */
export function longConfiguration(length: number) {
  const configuration = { name: 'c', provider: 'p', parameters: { model: 'm' } };
  return { ...configuration, user_properties: { text: 'x'.repeat(length) } };
}

/** Sends the worst requests of these kinds, each as fast as they are answered, until it is stopped. */
export function makeNoise(target: NoiseTarget, kinds: readonly NoiseKind[] = NOISE_KINDS): Noise {
  const requests = makeRequests(target);
  const statuses: Record<number, number> = {};
  const updates: Record<number, number> = {};
  const broken: string[] = [];
  let [stopped, withoutRetryAfter] = [false, 0];
  const work = async (kind: NoiseKind) => {
    while (!stopped) {
      try {
        const { status, retryAfter } = await send(target, requests[kind]());
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (kind === 'update') updates[status] = (updates[status] ?? 0) + 1;
        if (status === 503 && retryAfter === null) withoutRetryAfter++;
      } catch (error) {
        broken.push(`${kind}: ${errorChain(error)}`);
      }
    }
  };
  const workers = kinds.flatMap((kind) => Array.from({ length: WORKERS[kind] }, () => work(kind)));
  return {
    stop: async () => {
      stopped = true;
      await Promise.all(workers);
      return { statuses, updates, withoutRetryAfter, broken };
    },
  };
}

/** Returns the texts of an error and of its causes: that of `fetch` says only that it failed. */
function errorChain(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  return cause === undefined ? String(error) : `${String(error)}, because of ${errorChain(cause)}`;
}

function makeRequests({ eventId }: NoiseTarget): Readonly<Record<NoiseKind, () => Sent>> {
  const filters = Array.from({ length: 50 }, (_, n) => ({
    field: 'inputs.text',
    operator: 'not contains',
    value: `word ${n}`,
    type: 'string',
  }));
  const bodies = {
    search: JSON.stringify({ filters, limit: 1000 }),
    updates: ['f', 'g'].map((name) =>
      JSON.stringify({ metadata: { [name]: 'x'.repeat(LARGE_UPDATE_LENGTH) } }),
    ),
    oversized: JSON.stringify(longConfiguration(TOO_LONG)),
  };
  let update = 0;
  return {
    search: () => ({ method: 'POST', path: '/v1/events/search', body: bodies.search }),
    list: () => ({ method: 'GET', path: '/v1/configurations' }),
    update: () => ({ method: 'PUT', path: `/v1/events/${eventId}`, body: bodies.updates[update++ % 2] }),
    oversized: () => ({ method: 'POST', path: '/v1/configurations', body: bodies.oversized }),
  };
}

async function send({ baseUrl, key }: NoiseTarget, { method, path, body }: Sent) {
  const response = await fetch(baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  for await (const _chunk of response.body ?? []) continue;
  return { status: response.status, retryAfter: response.headers.get('retry-after') };
}
