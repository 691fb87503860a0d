import type { DeletedRows, Deletion, DeletionStore, RowsOfEvents } from '../deletions.js';
import {
  countDeletedRows,
  countRows,
  forgetFormerVersions,
  hasFormerParts,
  readDeletion,
  readOpenDeletions,
  writeDeletion,
} from './deletions.js';
import type { Topology } from './schema/topology.js';
import type { AggregateReadsContext } from './sql-aggregate-reads.js';
import { SqlEvaluations, type EvaluationsContext } from './sql-evaluations.js';

/** What the methods of deletions need of a store, beside what evaluations need. */
export interface DeletionsContext extends EvaluationsContext {
  readonly topology: Topology;
}

/** The part of the store that holds deletions by filters, and counts what they leave. */
export abstract class SqlDeletions extends SqlEvaluations implements DeletionStore {
  protected abstract override readonly context: AggregateReadsContext & DeletionsContext;

  writeDeletion(deletion: Deletion, isOpen: boolean): Promise<void> {
    return writeDeletion(this.context.engine, this.context.tables, deletion, isOpen);
  }

  deletion(projectId: string, id: string): Promise<Deletion | undefined> {
    return readDeletion(this.context.engine, this.context.tables, projectId, id);
  }

  openDeletions(projectId?: string): Promise<readonly Deletion[]> {
    return readOpenDeletions(this.context.engine, this.context.tables, projectId);
  }

  forgetFormerVersions(deletion: Deletion): Promise<void> {
    return forgetFormerVersions(this.context.engine, this.context.topology, deletion);
  }

  countRows(projectId: string, events: RowsOfEvents): Promise<DeletedRows> {
    return countRows(this.context.engine, this.context.tables, projectId, events);
  }

  countDeletedRows(projectId: string, deletedUntil: number): Promise<number> {
    return countDeletedRows(this.context.engine, this.context.topology, projectId, deletedUntil);
  }

  hasFormerParts(replacedUntil: number): Promise<boolean> {
    return hasFormerParts(this.context.engine, this.context.topology, replacedUntil);
  }
}
