/** A group of statements that share settings, on an engine in this process or in a child process. */
export interface StatementGroup {
  /** Database, settings and parameters, by statements that the engine forgets after the group. */
  readonly before: readonly string[];
  readonly sql: string;
  /** Of the result, where the statement names none. */
  readonly format?: string;
}

/** ClickHouse's engine as a library. */
export interface EngineLibrary {
  /** Returns the bytes of the result of `sql`. @throws the engine's error */
  run(group: StatementGroup): Promise<Uint8Array>;
  close(): Promise<void>;
}
