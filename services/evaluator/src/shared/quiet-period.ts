/** When sessions whose events decide about them are quiet. */
export interface QuietPeriod {
  /** A change that follows another one within this time need not be recorded, in milliseconds. */
  readonly stepMs: number;
  /** How long after the last recorded change a session is quiet, in milliseconds. */
  readonly holdMs: number;
}

/**
 * Returns the period for sessions without a change for `quietMs`. Changes are recorded in steps, by the process that reads an
 * event and by the one that reads the session, so that a session with many events causes few records.
 */
export function quietPeriod(quietMs: number): QuietPeriod {
  const stepMs = quietMs / 10;
  return { stepMs, holdMs: quietMs + 2 * stepMs };
}
