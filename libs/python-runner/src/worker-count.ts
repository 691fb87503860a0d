/** While one process prepares for its next call, another evaluates. */
const MIN_WORKERS = 2;
/** A fork server with pandas and scikit-learn (175 MiB, measured), and an evaluation at its limit of 256 MiB. */
const WORKER_BYTES = 448 << 20;
/** What the service itself uses. */
const RESERVED_BYTES = 768 << 20;

/**
 * Returns how many processes evaluate PYTHON metrics: one fewer than the cores, at most as many as the memory holds with the libraries of
 * metrics, and at least two.
 *
 * @param cores that the process may use
 * @param memoryBytes that the process and its children may use
 */
export function workerCount(cores: number, memoryBytes: number): number {
  const fitting = Math.floor((memoryBytes - RESERVED_BYTES) / WORKER_BYTES);
  return Math.max(MIN_WORKERS, Math.min(cores - 1, fitting));
}
