/** A running Assay, standalone or as separate services, from the view of clients and operators. */
export interface Stack {
  readonly kind: 'standalone' | 'split';
  /** Base URL for clients. */
  readonly baseUrl: string;
  /** A key of the first project with full access. */
  readonly apiKey: string;
  readonly adminToken: string;
  /** Folder of the logs and, in the standalone process, the data (`data`). Removed by a clean {@link stop}. */
  readonly dir: string;
  /** Names of the processes that a test may kill. */
  readonly services: readonly string[];
  /** Base URL of a service's own API. */
  urlOf(service: string): string;
  /** Admin address of a service. */
  adminUrl(service: string): string;
  pid(service: string): number;
  /** Kills a service with SIGKILL; it is down until {@link start}. */
  kill(service: string): Promise<void>;
  /** Stops a service with SIGTERM; it is down until {@link start}. Returns its exit code. */
  terminate(service: string): Promise<number | null>;
  /** Restarts a service on the same data and port. `settings` replace those of its earlier starts; separate services only. */
  start(service: string, settings?: Readonly<Record<string, string>>): Promise<void>;
  /** Shuts everything down; true when every process exited with 0. */
  stop(): Promise<boolean>;
}
