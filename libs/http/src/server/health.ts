import { JSON_TYPE, type WireResponse } from '../response/response.js';

/** Checks by name. A check rejects when its part does not work. */
export type HealthChecks = Readonly<Record<string, () => Promise<void>>>;

export interface HealthOptions {
  /** Checks of the dependencies: while one fails, the process is not ready. */
  readonly checks?: HealthChecks;
  /** Checks of the process itself: when one fails, only a restart helps. */
  readonly liveness?: HealthChecks;
  /** Whether the process is shutting down. It is then not ready, so that load balancers stop sending requests. */
  readonly isDraining?: () => boolean;
}

/** Responses of `/healthz` and `/readyz`. */
export interface Health {
  /** Returns 200 while the process works, else 503 with the names of the failing checks. */
  liveness(): Promise<WireResponse>;
  /** Returns 200 when the process can serve, else 503 with the names of the failing checks. */
  readiness(): Promise<WireResponse>;
}

/** A check that takes longer counts as failed. */
const CHECK_TIMEOUT_MS = 2000;
/** Anonymous requests cause at most one run of the checks per second. */
const CACHE_MS = 1000;

/** @param now milliseconds of a monotonic clock */
export function createHealth(options: HealthOptions, now = () => performance.now()): Health {
  const failingLiveness = cachedFailures(options.liveness ?? {}, now);
  const failingChecks = cachedFailures(options.checks ?? {}, now);
  return {
    liveness: async () => {
      const failing = await failingLiveness();
      return failing.length === 0
        ? response(200, { status: 'ok' })
        : response(503, { status: 'failing', failing });
    },
    readiness: async () => {
      const failing = await failingChecks();
      const draining = options.isDraining?.() ?? false;
      const ready = failing.length === 0 && !draining;
      return response(ready ? 200 : 503, { ready, draining, failing });
    },
  };
}

function response(status: number, body: object): WireResponse {
  return { status, contentType: JSON_TYPE, body: JSON.stringify(body) };
}

/** Returns a function that resolves to the names of failing checks. Concurrent callers share one run of the checks. */
function cachedFailures(checks: HealthChecks, now: () => number): () => Promise<readonly string[]> {
  let latest: Promise<readonly string[]> | undefined;
  let expiresAt = -Infinity;
  return () => {
    if (latest !== undefined && now() < expiresAt) return latest;
    expiresAt = Infinity;
    latest = failuresOf(checks).finally(() => (expiresAt = now() + CACHE_MS));
    return latest;
  };
}

async function failuresOf(checks: HealthChecks): Promise<readonly string[]> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => ({ name, passed: await passes(check) })),
  );
  return results.filter((result) => !result.passed).map((result) => result.name);
}

async function passes(check: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), CHECK_TIMEOUT_MS);
  });
  const outcome = check().then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([outcome, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
