/**
 * Names runs and the sessions that they list: which events belong to them, `sessionsOfRun` of the domain decides. The same
 * in every read.
 */
export interface RunMembers {
  /** The only run; absent: every run that an event names. */
  readonly runId?: string;
  /** Sessions that the runs list. Of more than 20,000, the first ones count. */
  readonly sessionIds: readonly string[];
}
