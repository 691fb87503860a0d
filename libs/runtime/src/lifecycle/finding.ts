import { StartError } from './start-error.js';

/** What was found when a dependency was inspected. It names settings and versions, never secrets. */
export interface Finding {
  /** Dependency and aspect, such as `ClickHouse clock`. */
  readonly name: string;
  readonly ok: boolean;
  /** What was found. */
  readonly detail: string;
  /** What to do; absent when nothing is to be done. */
  readonly advice?: string;
  /** Set for a fault with which a process may start. */
  readonly mayStart?: true;
}

/** Exit code of a process whose configuration or dependencies do not fit: EX_CONFIG. */
const EXIT_CONFIG = 78;
/** Clocks that differ by more are reported. */
const MAX_CLOCK_DIFFERENCE_MS = 60_000;
/** Clocks that differ by more are wrong: partitions and retention depend on the date. */
const WRONG_CLOCK_MS = 24 * 3_600_000;

/** @throws StartError (exit code 78) that lists the faults with which a process may not start */
export function refuseFaults(findings: readonly Finding[]): void {
  const faults = findings.filter(({ ok, mayStart }) => !ok && mayStart !== true);
  if (faults.length === 0) return;
  const sentences = faults.map(
    ({ name, detail, advice }) => `${name}: ${detail}${advice ? `, ${advice}` : ''}`,
  );
  throw new StartError(sentences.join('\n'), { exitCode: EXIT_CONFIG });
}

/** Compares the clock of a server with that of this process. @param serverMs Unix milliseconds */
export function inspectClock(server: string, serverMs: number, now: number): Finding {
  const seconds = Math.round((serverMs - now) / 1_000);
  const ok = Math.abs(serverMs - now) <= MAX_CLOCK_DIFFERENCE_MS;
  return {
    name: `${server} clock`,
    ok,
    detail: ok ? 'agrees with this process' : `is ${seconds} s ahead of this process`,
    ...(!ok && Math.abs(serverMs - now) <= WRONG_CLOCK_MS && { mayStart: true }),
    ...(!ok && { advice: 'synchronise the clocks of both machines, for example with NTP' }),
  };
}

/** Checks that a server is not older than the oldest version that is supported. Numbers are compared part by part. */
export function inspectVersion(server: string, version: string, oldest: string): Finding {
  const ok = compareVersions(version, oldest) >= 0;
  return {
    name: `${server} version`,
    ok,
    detail: ok ? version : `${version} is older than ${oldest}`,
    ...(!ok && { advice: `upgrade it to ${oldest} or newer` }),
  };
}

function compareVersions(a: string, b: string): number {
  const [first, second] = [a, b].map((text) => text.split('.').map((part) => Number.parseInt(part, 10) || 0));
  for (const [index, part] of (second ?? []).entries()) {
    const difference = (first?.[index] ?? 0) - part;
    if (difference !== 0) return difference;
  }
  return 0;
}
