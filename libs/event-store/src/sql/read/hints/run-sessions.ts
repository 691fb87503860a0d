import { RecentValues } from './recent-values.js';

/** Sessions that are read together. */
export const MAX_SESSIONS = 200;

/** A session with a version of an event that names the run. */
export interface NamingSession {
  readonly run_id: string;
  readonly session_id: string;
}

/**
 * The sessions that named runs when these were read. They only say what to read before the present ones are known. Of
 * queries for runs of many sessions or rows only this is known.
 */
export class RunSessions {
  readonly #sessions: RecentValues<readonly string[] | 'many'>;

  /** `capacity`: runs, of which each has at most {@link MAX_SESSIONS} sessions: about 12 KB. */
  constructor(capacity: number) {
    this.#sessions = new RecentValues(capacity);
  }

  /** The sessions of all these runs; undefined when those of one are not known. */
  get(projectId: string, runIds: readonly string[]): readonly string[] | 'many' | undefined {
    if (this.#sessions.get(projectId, nameOf(runIds)) === 'many') return 'many';
    const ofRuns = runIds.map((runId) => this.#sessions.get(projectId, nameOf([runId])));
    return ofRuns.every((ids) => typeof ids === 'object') ? ofRuns.flat() : undefined;
  }

  /** Adds sessions to those of runs that are known. A run with more than {@link MAX_SESSIONS} is not known any more. */
  add(projectId: string, naming: readonly NamingSession[]): void {
    for (const { run_id: runId, session_id: sessionId } of naming) {
      const name = nameOf([runId]);
      const known = this.#sessions.get(projectId, name);
      if (typeof known !== 'object' || known.includes(sessionId)) continue;
      if (known.length < MAX_SESSIONS) this.#sessions.set(projectId, name, [...known, sessionId]);
      else this.#sessions.delete(projectId, name);
    }
  }

  /** `naming` is undefined for many sessions or rows. */
  set(projectId: string, runIds: readonly string[], naming: readonly NamingSession[] | undefined): void {
    if (naming === undefined) return this.#sessions.set(projectId, nameOf(runIds), 'many');
    for (const runId of runIds) {
      const ofRun = naming.filter(({ run_id: id }) => id === runId);
      const ids = ofRun.map(({ session_id: id }) => id);
      this.#sessions.set(projectId, nameOf([runId]), ids);
    }
  }
}

function nameOf(runIds: readonly string[]): string {
  return JSON.stringify(runIds);
}
