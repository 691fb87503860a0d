import type { Logger } from '../log/logger.js';
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

/**
 * Warns of what an operator should look at.
 * @throws StartError (exit code 78) that lists the faults with which a process may not start
 */
export function refuseFaults(findings: readonly Finding[], logger?: Pick<Logger, 'warn'>): void {
  const faults = findings.filter(({ ok, mayStart }) => !ok && mayStart !== true);
  for (const { name, detail, advice } of findings.filter(
    ({ ok, advice, mayStart }) => (ok && advice) || mayStart,
  ))
    logger?.warn('a dependency needs attention', { dependency: name, detail, ...(advice && { advice }) });
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

/** Versions of a server that are supported, such as `25.8`. */
export interface SupportedVersions {
  readonly oldest: string;
  /** The newest version that is tested; a newer one is reported and may be used. Absent: not reported. */
  readonly newest?: string;
}

/** Checks that a server is not older than the oldest version that is supported. Numbers are compared part by part. */
export function inspectVersion(
  server: string,
  version: string,
  { oldest, newest = version }: SupportedVersions,
): Finding {
  const name = `${server} version`;
  if (!isAtLeast(version, oldest)) {
    const advice = `upgrade it to ${oldest} or newer`;
    return { name, ok: false, detail: `${version} is older than ${oldest}`, advice };
  }
  const isNewer = isAtLeast(version, newest) && !isAtLeast(newest, majorAndMinor(version));
  if (!isNewer)
    return {
      name,
      ok: true,
      detail: newest === version ? version : `${version}, tested: ${oldest} to ${newest}`,
    };
  const detail = `${version}, newer than ${newest}, the newest version that is tested`;
  return { name, ok: true, detail, advice: 'look for a release of Assay that is tested with it' };
}

function majorAndMinor(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}

/** Whether a version, such as `25.8.2.1-stable`, is this one or a newer one; `oldest` decides how many of its numbers count. */
export function isAtLeast(version: string, oldest: string): boolean {
  const [first, second] = [version, oldest].map((text) =>
    text.split('.').map((part) => Number.parseInt(part, 10) || 0),
  );
  for (const [index, part] of (second ?? []).entries()) {
    const difference = (first?.[index] ?? 0) - part;
    if (difference !== 0) return difference > 0;
  }
  return true;
}
