import type { AdministrationPort } from './administration-port.js';
import type { AggregatesPort } from './aggregates-port.js';
import type { DeletionsPort } from './deletions-port.js';
import type { EventsPort } from './events-port.js';
import type { SessionsPort } from './sessions-port.js';
import type { StatesPort } from './states-port.js';
import type { WriterPort } from './writer-port.js';

export type { Filter } from '@assay/domain';
export type { DeletedValues, PurgeLimits, PurgeStep } from './deleted-values.js';
export type * from './expired-events.js';
export type * from './event-state.js';
export type * from './administration-port.js';
export * from './aggregates-port.js';
export type * from './deletions-port.js';
export * from './events-port.js';
export type * from './sessions-port.js';
export type * from './states-port.js';
export type * from './writer-port.js';
export type { QueryOptions, RowLocation, RowVersion } from './row-location.js';
export type { RunMembers } from './run-members.js';
export type { SessionMembers, SessionPosition, SessionQuery, WrittenQuery } from './session-pages.js';
export * from './session-summary.js';

/**
 * Stores and finds events. Adapters: ClickHouse over HTTP, and chDB in the process. A caller that needs one of the ports takes
 * the port.
 *
 * Reads MUST NOT return a deleted event, two rows of one event (also after a batch was delivered twice), or
 * data of another project. Failing to reach the engine MUST be an `AppError` `UNAVAILABLE`, and a row that
 * the engine rejects `VALIDATION_ERROR`.
 */
export interface EventStore {
  readonly writer: WriterPort;
  readonly states: StatesPort;
  readonly events: EventsPort;
  readonly sessions: SessionsPort;
  readonly aggregates: AggregatesPort;
  readonly deletions: DeletionsPort;
  readonly administration: AdministrationPort;
}
