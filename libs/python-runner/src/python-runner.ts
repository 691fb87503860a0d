import type { JsonObject } from '@assay/domain';
import type { Logger } from '@assay/runtime';

/** How a metric's value is cast. A `categorical` value is a text; it must be one of the categories when there are any. */
export type PythonReturnType = 'float' | 'boolean' | 'string' | 'categorical';

/** One evaluation of a PYTHON metric on an event. */
export interface PythonCall {
  /** Calls of different projects take turns. */
  readonly projectId: string;
  /** Python source, the `criteria` of the metric. */
  readonly source: string;
  readonly metricName: string;
  readonly returnType: PythonReturnType;
  /** Labels of which a categorical value must be one. Empty or absent: any text. */
  readonly categories?: readonly string[];
  readonly event: JsonObject;
  /**
   * Limit of compiling, running and converting the result, in milliseconds of run time; at most 10,000. Neither reading the event nor
   * waiting for a core counts.
   */
  readonly timeoutMs: number;
}

/** A finite number, a boolean or a text, by the return type of the metric. */
export type PythonValue = number | boolean | string;

/**
 * - `compilation_error`: the source does not compile.
 * - `execution_error`: the source raised, ended the process, or returned a value that cannot be cast.
 * - `timeout`: the limit of the call was reached, by code that runs or sleeps.
 * - `unprocessable`: the source defines neither `result` nor a function, or the call is too large.
 * - `machine_busy`: the machine had no core for the source within 20 times the limit, and a later call may succeed.
 * - `unavailable`: nothing was evaluated, and a later call may succeed unless the runner refuses all.
 */
export type PythonErrorCode =
  | 'compilation_error'
  | 'execution_error'
  | 'machine_busy'
  | 'timeout'
  | 'unavailable'
  | 'unprocessable';

export interface PythonError {
  readonly code: PythonErrorCode;
  /** Written by the metric's author in part, and may quote values of the event. At most 2,000 characters. */
  readonly message: string;
  /** Line of the source, from 1. */
  readonly line?: number;
}

interface OutcomeDetails {
  /** First 64 KiB of what the metric printed. */
  readonly stdout: string;
  /** Time since the event was read, in milliseconds. */
  readonly durationMs: number;
}

export interface PythonScore extends OutcomeDetails {
  readonly ok: true;
  readonly value: PythonValue;
  /** At most 10,000 characters. */
  readonly explanation?: string;
}

export interface PythonFailure extends OutcomeDetails {
  readonly ok: false;
  readonly error: PythonError;
}

export type PythonOutcome = PythonScore | PythonFailure;

/**
 * Whether PYTHON metrics are evaluated, and the third-party libraries that they can import; otherwise why they are refused. It `isBusy`
 * when the machine was too busy for the start, and a later one may succeed.
 */
export type PythonRunnerState =
  | { readonly available: true; readonly libraries: readonly string[] }
  | { readonly available: false; readonly reason: string; readonly isBusy?: boolean };

/** Evaluates PYTHON metrics, each call in a process of its own without network, files to write or data of other calls. */
export interface PythonRunner {
  readonly state: PythonRunnerState;
  /**
   * Evaluates a metric. Never rejects. Waits for its project's turn; `unavailable` when too many calls wait, when the wait is too long,
   * when `signal` aborts before the call has started, and always while {@link state} is not available. `machine_busy` instead when the
   * machine was too busy for the start.
   */
  evaluate(call: PythonCall, signal?: AbortSignal): Promise<PythonOutcome>;
  /** Ends all processes. Calls in progress and later ones are `unavailable`. */
  close(): Promise<void>;
}

export interface PythonRunnerOptions {
  /** Program and arguments that start CPython 3.9 or later; `['python3']` when absent. */
  readonly command?: readonly string[];
  /** Processes that evaluate, one call each at a time; as many as cores and memory allow when absent, see `workerCount`. */
  readonly workers?: number;
  /** Memory that a call may use beyond that of the interpreter and its libraries, in bytes; 256 MiB when absent. */
  readonly memoryBytes?: number;
  /** Folder for empty working directories; that of the system for temporary files when absent. */
  readonly temporaryFolder?: string;
  /** Time in which a process has to load its libraries, in milliseconds; a minute when absent. */
  readonly startTimeoutMs?: number;
  readonly log: Logger;
}
