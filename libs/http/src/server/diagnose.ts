import type { Finding } from '@assay/runtime';
import type { HealthChecks } from './health.js';

/** Inspections by name of the dependency. */
export type Inspections = Readonly<Record<string, () => Promise<readonly Finding[]>>>;

/** Response of `/doctor`: the state of a process and of what it depends on. */
export interface Diagnosis {
  readonly service: string;
  readonly version: string;
  readonly node: string;
  /** Clock of the process, ISO 8601. */
  readonly now: string;
  /** Whether every finding is. */
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

export interface DiagnoseOptions {
  readonly service: string;
  readonly version: string;
  readonly checks: HealthChecks;
  readonly liveness: HealthChecks;
  readonly inspections: Inspections;
}

/** An inspection that takes longer has failed. */
const TIMEOUT_MS = 10_000;

/** Returns a function that runs all checks and inspections. Concurrent calls share one run. */
export function makeDiagnose(options: DiagnoseOptions): () => Promise<Diagnosis> {
  let running: Promise<Diagnosis> | undefined;
  return () => (running ??= diagnose(options).finally(() => (running = undefined)));
}

async function diagnose({ service, version, ...sources }: DiagnoseOptions): Promise<Diagnosis> {
  const { checks, liveness, inspections } = sources;
  const found = await Promise.all([
    ...Object.entries({ ...liveness, ...checks }).map(([name, check]) =>
      inspect(name, () => check().then(() => [{ name, ok: true, detail: 'works' }])),
    ),
    ...Object.entries(inspections).map(([name, run]) => inspect(name, run)),
  ]);
  const findings = found.flat();
  return {
    service,
    version,
    node: process.version,
    now: new Date().toISOString(),
    ok: findings.every(({ ok }) => ok),
    findings,
  };
}

/** Returns the findings, or that there are none in time. The message of an error may contain addresses, so that it is left out. */
async function inspect(name: string, run: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timeout')), TIMEOUT_MS);
  });
  try {
    return await Promise.race([run(), timeout]);
  } catch {
    const advice =
      'check that it runs and that the process can reach it; the log of the process has the cause';
    return [{ name, ok: false, detail: 'does not respond or fails', advice }];
  } finally {
    clearTimeout(timer);
  }
}
