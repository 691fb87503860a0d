import type {
  AdministrationPort,
  AggregatesPort,
  DeletionsPort,
  EventStore,
  EventsPort,
  SessionsPort,
  StatesPort,
  WriterPort,
} from '../event-store.js';
import type { SqlEngine } from './engine/engine.js';
import { SqlAdministration } from './sql-administration.js';
import { SqlAggregates } from './sql-aggregates.js';
import { sqlContext } from './sql-context.js';
import { SqlDeletions } from './sql-deletions.js';
import { SqlEvents } from './sql-events.js';
import { SqlSessions } from './sql-sessions.js';
import { SqlStates } from './sql-states.js';
import { SqlWriter } from './sql-writer.js';
import type { Topology } from './schema/topology.js';
import type { SqlEventStoreOptions } from './sql-event-store-options.js';

/** The event store over an engine that speaks the SQL of ClickHouse. Closing it closes the engine. */
export class SqlEventStore implements EventStore {
  readonly writer: WriterPort;
  readonly states: StatesPort;
  readonly events: EventsPort;
  readonly sessions: SessionsPort;
  readonly aggregates: AggregatesPort;
  readonly deletions: DeletionsPort;
  readonly administration: AdministrationPort;

  /** @throws AppError `VALIDATION_ERROR` when the topology names no plain identifiers */
  constructor(engine: SqlEngine, topology: Topology, options: SqlEventStoreOptions) {
    const context = sqlContext(engine, topology, options);
    this.writer = new SqlWriter(context);
    this.states = new SqlStates(context);
    this.events = new SqlEvents(context);
    this.sessions = new SqlSessions(context);
    this.aggregates = new SqlAggregates(context);
    this.deletions = new SqlDeletions(context);
    this.administration = new SqlAdministration(context, this.states, this.writer);
  }
}
