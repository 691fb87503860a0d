import { LRUCache } from 'lru-cache';

interface SeenTrace {
  /** The session that a span of the trace named first. */
  session?: string;
  /** Whether events may be in the session derived from the trace, with no move of them on the log yet. */
  unassigned: boolean;
}

/**
 * LRU cache of what this process has seen of traces: the session that a trace named, for later spans that
 * name none, and whether spans arrived before the trace named it. Events of a trace that was evicted, or seen
 * by another process, stay in the session derived from the trace.
 */
export class TraceSessions {
  private readonly traces: LRUCache<string, SeenTrace>;

  constructor(maxTraces: number) {
    this.traces = new LRUCache({ max: maxTraces });
  }

  /** Returns the session that the trace has named. */
  get(projectId: string, traceId: string): string | undefined {
    return this.traces.get(keyOf(projectId, traceId))?.session;
  }

  /**
   * Records that the trace named a session. Call before its spans are appended, so that concurrent requests
   * see it.
   */
  addNamed(projectId: string, traceId: string, sessionId: string): void {
    const trace = this.trace(projectId, traceId);
    trace.session ??= sessionId;
  }

  /** Records that spans of the trace go to the session derived from it. Call before they are appended. */
  addUnassigned(projectId: string, traceId: string): void {
    this.trace(projectId, traceId).unassigned = true;
  }

  /**
   * Returns the session that events of the trace have to move to; undefined when there is no move to append.
   */
  pendingMoveTarget(projectId: string, traceId: string): string | undefined {
    const trace = this.traces.get(keyOf(projectId, traceId));
    return trace?.unassigned ? trace.session : undefined;
  }

  /** Call once the move is on the log. */
  completeMove(projectId: string, traceId: string): void {
    this.trace(projectId, traceId).unassigned = false;
  }

  private trace(projectId: string, traceId: string): SeenTrace {
    const key = keyOf(projectId, traceId);
    const known = this.traces.get(key);
    if (known) return known;
    const trace: SeenTrace = { unassigned: false };
    this.traces.set(key, trace);
    return trace;
  }
}

function keyOf(projectId: string, traceId: string): string {
  return `${projectId}/${traceId}`;
}
