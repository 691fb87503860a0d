import { readEvaluationRequest, RECORD_VERSION, type DecodedRecord, type Move } from '@assay/contracts';
import type { EvaluationRequest } from '@assay/domain';
import type { EventKey } from '@assay/event-store';
import { sessionOfRow } from '@assay/event-rows';
import { eventKey } from '@assay/log-readers';
import { onlyScores, type Changes } from './changes.js';

/** An event that records of a batch name. */
export interface ChangedEvent extends EventKey {
  /** What jobs have asked for about it, by id of the metric. */
  readonly requests: ReadonlyMap<string, EvaluationRequest>;
  /** Whether a record creates or updates it, or asks for its evaluation. */
  readonly isPresent: boolean;
  /** What the records change. */
  readonly changes: Changes;
  readonly isDeleted: boolean;
  /** Sessions that creates name: the event may have been moved out of them. */
  readonly namedSessions: ReadonlySet<string>;
  /** Sessions that events leave and enter, when the id is that of a session which was moved. */
  readonly movedSessions: ReadonlySet<string>;
}

class EventChange implements ChangedEvent {
  readonly requests = new Map<string, EvaluationRequest>();
  isPresent = false;
  readonly changes = { content: false, scores: new Set<string>(), events: false, eventScores: false };
  isDeleted = false;
  readonly namedSessions = new Set<string>();
  readonly movedSessions = new Set<string>();

  constructor(
    readonly projectId: string,
    readonly eventId: string,
  ) {}

  /** @param isRead whether an update is read, to know which scores it changes */
  add(record: DecodedRecord, isRead: boolean): void {
    if (record.kind === 'delete') this.#addDelete();
    else if (record.kind === 'move') this.#addMove(record);
    else this.#addPresent(record, isRead);
  }

  #addDelete(): void {
    this.isDeleted = true;
    this.changes.content = true;
  }

  /** Only the move of a session has no sessions: the others are moves of parents, which leave their session unchanged. */
  #addMove({ value }: DecodedRecord): void {
    const { to, sessions } = JSON.parse(value.toString()) as Move;
    if (sessions === undefined) for (const id of [this.eventId, to]) this.movedSessions.add(id);
  }

  #addPresent(record: DecodedRecord, isRead: boolean): void {
    this.isPresent = true;
    if (record.kind !== 'evaluation-request') this.#addChange(isRead ? onlyScores(record) : undefined);
    else this.#addRequest(readEvaluationRequest(record));
    const session = record.kind === 'event' ? namedSession(record) : undefined;
    if (session !== undefined) this.namedSessions.add(session);
  }

  #addChange(scores: readonly string[] | undefined): void {
    if (scores === undefined) this.changes.content = true;
    else for (const name of scores) this.changes.scores.add(name);
  }

  #addRequest(request: EvaluationRequest): void {
    if (request.metricId !== '') this.requests.set(request.metricId, request);
    else if (request.ofScores === true) this.changes.eventScores = true;
    else this.changes.events = true;
  }
}

/** Rows of an earlier version, and those that cannot be read and are not stored either, name none. */
function namedSession({ version, value }: DecodedRecord): string | undefined {
  if (version !== RECORD_VERSION) return undefined;
  try {
    return sessionOfRow(value);
  } catch {
    return undefined;
  }
}

/** Bytes of updates of a project that are read of a batch, in one turn of the event loop; those beyond count as any change. */
const MAX_READ_BYTES = 4 * 1024 ** 2;

/** Returns the events that records change or ask about, each once. */
export function changedEvents(records: readonly DecodedRecord[]): ChangedEvent[] {
  const changed = new Map<string, EventChange>();
  const left = new Map<string, number>();
  for (const record of records) {
    const key = eventKey(record);
    const event = changed.get(key) ?? new EventChange(record.projectId, record.eventId);
    changed.set(key, event);
    const bytes = record.kind === 'patch' ? record.value.length : 0;
    const rest = (left.get(record.projectId) ?? MAX_READ_BYTES) - bytes;
    if (rest >= 0) left.set(record.projectId, rest);
    event.add(record, rest >= 0);
  }
  return [...changed.values()];
}
