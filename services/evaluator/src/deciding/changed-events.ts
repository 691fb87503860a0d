import { readEvaluationRequest, RECORD_VERSION, type DecodedRecord, type Move } from '@assay/contracts';
import type { EvaluationRequest } from '@assay/domain';
import type { EventKey } from '@assay/event-store';
import { sessionOfRow } from '@assay/event-rows';
import { eventKey } from '@assay/log-readers';

/** An event that records of a batch name. */
export interface ChangedEvent extends EventKey {
  /** What jobs have asked for about it, by id of the metric. */
  readonly requests: ReadonlyMap<string, EvaluationRequest>;
  /** Whether a record creates or updates it, or asks for its evaluation. */
  readonly isPresent: boolean;
  /** Whether a record changes it, or reports a change of the events of this session. */
  readonly isChanged: boolean;
  readonly isDeleted: boolean;
  /** Sessions that creates name: the event may have been moved out of them. */
  readonly namedSessions: ReadonlySet<string>;
  /** Sessions that events leave and enter, when the id is that of a session which was moved. */
  readonly movedSessions: ReadonlySet<string>;
}

class EventChange implements ChangedEvent {
  readonly requests = new Map<string, EvaluationRequest>();
  isPresent = false;
  isChanged = false;
  isDeleted = false;
  readonly namedSessions = new Set<string>();
  readonly movedSessions = new Set<string>();

  constructor(
    readonly projectId: string,
    readonly eventId: string,
  ) {}

  add(record: DecodedRecord): void {
    if (record.kind === 'delete') this.#addDelete();
    else if (record.kind === 'move') this.#addMove(record);
    else this.#addPresent(record);
  }

  #addDelete(): void {
    this.isDeleted = true;
    this.isChanged = true;
  }

  /** Only the move of a session has no sessions: the others are moves of parents, which leave their session unchanged. */
  #addMove({ value }: DecodedRecord): void {
    const { to, sessions } = JSON.parse(value.toString()) as Move;
    if (sessions === undefined) for (const id of [this.eventId, to]) this.movedSessions.add(id);
  }

  #addPresent(record: DecodedRecord): void {
    this.isPresent = true;
    if (record.kind !== 'evaluation-request') this.isChanged = true;
    else this.#addRequest(readEvaluationRequest(record));
    const session = record.kind === 'event' ? namedSession(record) : undefined;
    if (session !== undefined) this.namedSessions.add(session);
  }

  #addRequest(request: EvaluationRequest): void {
    if (request.metricId === '') this.isChanged = true;
    else this.requests.set(request.metricId, request);
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

/** Returns the events that records change or ask about, each once. */
export function changedEvents(records: readonly DecodedRecord[]): ChangedEvent[] {
  const changed = new Map<string, EventChange>();
  for (const record of records) {
    const key = eventKey(record);
    const event = changed.get(key) ?? new EventChange(record.projectId, record.eventId);
    changed.set(key, event);
    event.add(record);
  }
  return [...changed.values()];
}
