import { LRUCache } from 'lru-cache';

interface SeenTrace {
  /** The session that a span of the trace named first. */
  session?: string;
  /** Whether events may lie in the session that is derived from the trace, and no move of them is on the log yet. */
  strayed: boolean;
}

/**
 * What this process has seen of traces: which session one named, for its spans that come in a later request and name none, and whether spans came before
 * that. Bounded; what is forgotten, or was seen by another process, stays in the session that is derived from the trace.
 */
export class TraceSessions {
  private readonly traces: LRUCache<string, SeenTrace>;

  constructor(maxTraces: number) {
    this.traces = new LRUCache({ max: maxTraces });
  }

  /** The session that the trace has named. */
  get(projectId: string, traceId: string): string | undefined {
    return this.traces.get(keyOf(projectId, traceId))?.session;
  }

  /** Call before the spans are on the log, so that requests of one trace that come at the same time know of each other. */
  named(projectId: string, traceId: string, sessionId: string): void {
    const trace = this.trace(projectId, traceId);
    trace.session ??= sessionId;
  }

  /** Spans of the trace go to the session that is derived from it. Call before they are on the log. */
  strayed(projectId: string, traceId: string): void {
    this.trace(projectId, traceId).strayed = true;
  }

  /** The session that events of the trace are to be moved to; undefined when there is nothing to move, or nowhere. */
  homeOfStrayed(projectId: string, traceId: string): string | undefined {
    const trace = this.traces.get(keyOf(projectId, traceId));
    return trace?.strayed ? trace.session : undefined;
  }

  /** The move is on the log. */
  moved(projectId: string, traceId: string): void {
    this.trace(projectId, traceId).strayed = false;
  }

  private trace(projectId: string, traceId: string): SeenTrace {
    const key = keyOf(projectId, traceId);
    const trace = this.traces.get(key) ?? { strayed: false };
    this.traces.set(key, trace);
    return trace;
  }
}

function keyOf(projectId: string, traceId: string): string {
  return `${projectId}/${traceId}`;
}
