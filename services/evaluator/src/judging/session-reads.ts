import type { JsonObject, SessionTotals } from '@assay/domain';
import type { SessionsPort } from '@assay/event-store';
import { eventKey } from '@assay/log-readers';

/** Sessions of one statement. */
const MAX_SESSIONS = 200;

interface Request {
  readonly sessionId: string;
  readonly resolve: (totals: SessionTotals | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Reads what sessions derive from their events. Those that are asked for while a statement runs are read with the next one. */
export class SessionReads {
  readonly #waiting = new Map<string, Request[]>();
  #isReading = false;

  constructor(private readonly sessions: SessionsPort) {}

  /** Returns the totals of a session as it is stored now; undefined for one without events. */
  totals(projectId: string, sessionId: string): Promise<SessionTotals | undefined> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(projectId) ?? [];
      this.#waiting.set(projectId, [...waiting, { sessionId, resolve, reject }]);
      void this.#readAll();
    });
  }

  /** Returns the scores of all events of a session. */
  async scores(projectId: string, sessionId: string): Promise<readonly JsonObject[]> {
    const session = { projectId, eventId: sessionId };
    return (await this.sessions.metrics([session])).get(eventKey(session)) ?? [];
  }

  /** Projects take turns. */
  async #readAll(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    for (let next = this.#next(); next; next = this.#next()) await this.#read(...next);
    this.#isReading = false;
  }

  #next(): [projectId: string, requests: readonly Request[]] | undefined {
    for (const [projectId, requests] of this.#waiting) {
      this.#waiting.delete(projectId);
      if (requests.length > MAX_SESSIONS) this.#waiting.set(projectId, requests.slice(MAX_SESSIONS));
      return [projectId, requests.slice(0, MAX_SESSIONS)];
    }
    return undefined;
  }

  async #read(projectId: string, requests: readonly Request[]): Promise<void> {
    try {
      const ids = [...new Set(requests.map(({ sessionId }) => sessionId))];
      const totals = await this.sessions.rollups(projectId, ids);
      for (const { sessionId, resolve } of requests) resolve(totals.get(sessionId));
    } catch (error) {
      for (const { reject } of requests) reject(error);
    }
  }
}
