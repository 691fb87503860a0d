import { JSON_TYPE, type WireResponse } from '../response/response.js';

export interface HealthOptions {
  /** Checks of the dependencies by name. A check rejects when its dependency does not work. */
  readonly checks?: Readonly<Record<string, () => Promise<void>>>;
  /** Whether the process is shutting down. It is then not ready, so that load balancers stop sending requests. */
  readonly isDraining?: () => boolean;
}

/** A check that takes longer counts as failed. */
const CHECK_TIMEOUT_MS = 2000;

/** Returns 200 when the process can serve, else 503 with the names of the failing checks. */
export async function readiness(health: HealthOptions): Promise<WireResponse> {
  const checks = Object.entries(health.checks ?? {});
  const results = await Promise.all(
    checks.map(async ([name, check]) => ({ name, passed: await passes(check) })),
  );
  const failing = results.filter((result) => !result.passed).map((result) => result.name);
  const draining = health.isDraining?.() ?? false;
  const ready = failing.length === 0 && !draining;
  return {
    status: ready ? 200 : 503,
    contentType: JSON_TYPE,
    body: JSON.stringify({ ready, draining, failing }),
  };
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
