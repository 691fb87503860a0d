/** One step of the schema. Its statements are idempotent, so two processes may run them concurrently. */
export interface Migration {
  readonly version: number;
  readonly statements: readonly string[];
}
