/** A running Assay, alone or as separate services, as a client and an operator see it. */
export interface Stack {
  readonly kind: 'standalone' | 'split';
  /** Where clients send everything. */
  readonly baseUrl: string;
  /** A key of the first project with all rights. */
  readonly apiKey: string;
  readonly adminToken: string;
  /** Folder of everything that the processes print and, in the single process, keep (`data`). Removed by a clean {@link stop}. */
  readonly dir: string;
  /** Names of the processes that a test may kill. */
  readonly services: readonly string[];
  /** Address of the API of a service, where an ingress could send requests straight to it. */
  urlOf(service: string): string;
  /** Admin address of a service. */
  adminUrl(service: string): string;
  pid(service: string): number;
  /** Kills a service with SIGKILL; it stays away until {@link start}. */
  kill(service: string): Promise<void>;
  /** Starts a service again on the same data and the same port. */
  start(service: string): Promise<void>;
  /** Ends everything in order; true when every process exited with 0. */
  stop(): Promise<boolean>;
}
