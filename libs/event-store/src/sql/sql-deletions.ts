import type { DeletedRows, Deletion, DeletionsPort, RowsOfEvents } from '../event-store.js';
import {
  countDeletedRows,
  countRows,
  forgetFormerVersions,
  hasFormerParts,
  readDeletion,
  readOpenDeletions,
  writeDeletion,
} from './deletions.js';
import type { SqlContext } from './sql-context.js';

/** Holds deletions by filters, and counts what they leave. */
export class SqlDeletions implements DeletionsPort {
  constructor(private readonly context: SqlContext) {}

  write(deletion: Deletion, isOpen: boolean): Promise<void> {
    return writeDeletion(this.context.engine, this.context.tables, deletion, isOpen);
  }

  read(projectId: string, id: string): Promise<Deletion | undefined> {
    return readDeletion(this.context.engine, this.context.tables, projectId, id);
  }

  open(projectId?: string): Promise<readonly Deletion[]> {
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
