import type { EventChanges, EventKey } from '../../../event-store.js';
import type { Query, SqlEngine } from '../../engine/engine.js';
import { HAS_FLAGS } from '../../schema/columns.js';
import type { TableNames } from '../../schema/topology.js';

/** Bounds on the ids that are kept, of one project and of all together (about 10 MB). */
export interface FlaggedIdLimits {
  readonly perProject: number;
  readonly total: number;
}

const LIMITS: FlaggedIdLimits = { perProject: 10_000, total: 100_000 };

interface FlaggedRow {
  readonly project_id: string;
  readonly event: string;
}

/**
 * Set of the ids whose changes have a flag, so that other ids need no look-up. It contains every stored flag only
 * while all writes of the store pass through {@link note}: use it for a store that no other process writes to.
 * Beyond the bound of a project, every id of it counts as flagged; beyond the bound of all, every id does.
 */
export class FlaggedIds {
  readonly #byProject = new Map<string, Set<string>>();
  readonly #limits: FlaggedIdLimits;
  #count = 0;
  #isLoaded = false;
  #loading: Promise<void> | undefined;

  constructor(limits = LIMITS) {
    this.#limits = limits;
  }

  /** Call before changes are written: from then on a reader may find their flags. */
  note(changes: readonly EventChanges[]): void {
    for (const { projectId, eventId, deleted, movedTo } of changes)
      if (deleted || movedTo !== undefined) this.#add(projectId, eventId);
  }

  /**
   * Returns those of the keys that may have a flag. The first call reads the stored ones.
   * @throws AppError `UNAVAILABLE` when they cannot be read
   */
  async among<K extends EventKey>(keys: readonly K[], engine: SqlEngine, tables: TableNames): Promise<K[]> {
    if (!this.#isLoaded) await this.#loadOnce(engine, tables);
    if (this.#count === 0) return [];
    return keys.filter(({ projectId, eventId }) => this.#mayContain(projectId, eventId));
  }

  #loadOnce(engine: SqlEngine, tables: TableNames): Promise<void> {
    this.#loading ??= this.#load(engine, tables).finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  /** What is written meanwhile is noted, so the ids of both together are complete. */
  async #load(engine: SqlEngine, tables: TableNames): Promise<void> {
    const rows = await engine.query<FlaggedRow>(flaggedQuery(tables, this.#limits));
    for (const { project_id, event } of rows) this.#add(project_id, event);
    this.#isLoaded = true;
  }

  #add(projectId: string, eventId: string): void {
    if (this.#isFull) return;
    const ids = this.#byProject.get(projectId) ?? new Set();
    if (ids.size > this.#limits.perProject || ids.has(eventId)) return;
    ids.add(eventId);
    this.#byProject.set(projectId, ids);
    this.#count += 1;
  }

  #mayContain(projectId: string, eventId: string): boolean {
    if (this.#isFull) return true;
    const ids = this.#byProject.get(projectId);
    return ids !== undefined && (ids.size > this.#limits.perProject || ids.has(eventId));
  }

  get #isFull(): boolean {
    return this.#count > this.#limits.total;
  }
}

/** One id more than each bound, so that reaching it shows. */
function flaggedQuery(tables: TableNames, { perProject, total }: FlaggedIdLimits): Query {
  const sql =
    `SELECT project_id, toString(event_id) AS event FROM ${tables.changes} WHERE ${HAS_FLAGS} = 1 ` +
    `GROUP BY project_id, event_id LIMIT ${perProject + 1} BY project_id LIMIT ${total + 1}`;
  return { sql, bindings: {} };
}
