import type { SqlEngine } from '../engine/engine.js';

/** One step of the schema. It is idempotent, so two processes may run it concurrently. */
export interface Migration {
  readonly version: number;
  readonly statements: readonly string[];
  /** Runs after the statements, for what depends on the state of the tables. */
  readonly convert?: (engine: SqlEngine) => Promise<void>;
}
