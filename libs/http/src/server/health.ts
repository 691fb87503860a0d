import type { WireResponse } from '../response/response.js';
import { JSON_TYPE } from '../response/response.js';

export interface HealthOptions {
  /** What must work for the process to serve, by name. Each resolves, or rejects when it does not work. */
  readonly checks?: Readonly<Record<string, () => Promise<void>>>;
  /** Whether the process is about to end: then it is not ready, so that nobody sends it more. */
  readonly isDraining?: () => boolean;
}

/** A check that takes longer counts as failed. */
const CHECK_MS = 2000;

/** Whether the process can serve: 200, or 503 with the names of what does not work. */
export async function readiness(health: HealthOptions): Promise<WireResponse> {
  const checks = Object.entries(health.checks ?? {});
  const results = await Promise.all(
    checks.map(async ([name, check]) => ({ name, works: await works(check) })),
  );
  const failing = results.filter((result) => !result.works).map((result) => result.name);
  const draining = health.isDraining?.() ?? false;
  const ready = failing.length === 0 && !draining;
  return {
    status: ready ? 200 : 503,
    contentType: JSON_TYPE,
    body: JSON.stringify({ ready, draining, failing }),
  };
}

async function works(check: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), CHECK_MS)));
  const outcome = check().then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([outcome, late]);
  } finally {
    clearTimeout(timer);
  }
}
