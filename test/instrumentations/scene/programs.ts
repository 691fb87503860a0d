import type { Outcomes } from './refusals.js';

/** A third-party program, run beside an empty Assay and its own model server. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  /** On top of PATH, HOME and what {@link Scene} says. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Its first requests for each path are refused. */
  readonly isRefused?: boolean;
}

/**
 * Programs that run one after the other in a network namespace of their own, which has nothing but loopback. They find `ASSAY_URL`,
 * `ASSAY_GRPC_URL`, `ASSAY_API_KEY` and `MODEL_URL` in their environment.
 */
export interface Scene {
  readonly programs: readonly Program[];
  /** Milliseconds that one program may take. */
  readonly programWithinMs: number;
}

/** How one program ended. */
export interface ProgramEnd {
  /** Exit code; null when it was ended by a signal. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Of its requests, when they were refused. */
  readonly outcomes?: Outcomes;
}

/** An event as returned by search. */
export interface FoundEvent {
  readonly event_id: string;
  readonly session_id: string;
  readonly parent_id: string | null;
  readonly event_type: string;
  readonly event_name: string;
  readonly source: string;
  readonly error: string | null;
  /** Milliseconds. */
  readonly start_time: number;
  readonly duration?: number;
  readonly inputs: Record<string, unknown>;
  readonly outputs: Record<string, unknown>;
  readonly config: Record<string, unknown>;
  readonly metadata: Record<string, unknown>;
  readonly metrics: Record<string, unknown>;
  readonly feedback: Record<string, unknown>;
  readonly user_properties: Record<string, unknown>;
}

/** The outcome of a scene. */
export interface SceneOutcome {
  readonly ends: readonly ProgramEnd[];
  /** Every event that Assay holds at the end, found by search. */
  readonly events: readonly FoundEvent[];
}
