import type { ModelParameters, ReturnType } from '@assay/domain';
import type { EndpointOwner } from './judge-options.js';

/** Requests of one evaluation: the first and two retries. */
export const MAX_ATTEMPTS = 3;

/** What one LLM metric asks about one event. */
export interface JudgeRequest {
  /** Jinja2 template of the prompt. */
  readonly criteria: string;
  readonly returnType: ReturnType;
  /** Whether a first message says what the reply must look like; without it the rendered criteria are the only message. */
  readonly addInstructions?: boolean;
  /** Labels of a categorical metric. */
  readonly categories?: readonly { readonly category: string }[] | null;
  /** Upper end of the range that the judge is asked for, from 1; replies outside it are accepted. */
  readonly scale?: number | null;
  readonly modelProvider: string;
  readonly modelName: string;
  /** Sampling parameters of the metric, such as `max_tokens`; temperature is 0 unless it is stated here. */
  readonly parameters?: ModelParameters | null;
  /** The merged event: its fields are the variables of the template. It is never changed. */
  readonly event: object;
  readonly projectId: string;
  /** Requests that may be sent, from 1; 3 by default, which is also the most. */
  readonly maxAttempts?: number;
  /** Whether the caller repeats an evaluation that has a `repetition`; then the judge does not retry it. */
  readonly isRepeated?: boolean;
  /** Resolves before each request is sent, once its attempt is recorded. The request is not sent if it rejects. */
  readonly beforeAttempt?: () => Promise<void>;
}

export const JUDGE_ERROR_CODES = [
  'template_render_error',
  'execution_error',
  'llm_response_parse_error',
  /** The request was not sent, because too many calls of the project are in progress or recording it took too long. */
  'overloaded',
] as const;
export type JudgeErrorCode = (typeof JUDGE_ERROR_CODES)[number];

export interface JudgeError {
  readonly code: JudgeErrorCode;
  /** For the author of the metric; contains no key and no text of the event. */
  readonly message: string;
  /** Line of the template that cannot be rendered, from 1. */
  readonly line?: number;
  /** Delay that the provider asked for, when it limited the rate beyond the time of this call. */
  readonly retryAfterMs?: number;
  /** Whether a later call may succeed: the provider was unreachable, overloaded or limited the rate. */
  readonly retryable: boolean;
  /** When the evaluation may be repeated, as it ended only because the provider is unavailable or busy; absent otherwise. */
  readonly repetition?: Repetition;
}

/**
 * `soon`: the request was not sent, or refused with a status that says so (429, 502, 503, 504, 529). `rarely`: it may have reached the
 * model, which has not responded, so that each repetition may be charged.
 */
export type Repetition = 'soon' | 'rarely';

export interface JudgeTokens {
  readonly prompt: number;
  readonly completion: number;
}

export type JudgeValue = number | boolean | string;

export interface JudgeScore {
  readonly ok: true;
  readonly value: JudgeValue;
  /** Text of the reply outside the brackets of the value; absent when there is none. */
  readonly explanation?: string;
  /** The rendered template. */
  readonly prompt: string;
  /** The text of the completion, thoughts included. */
  readonly reply: string;
  /** As the provider reported them; 0 when it did not. */
  readonly tokens: JudgeTokens;
  /** US dollars; absent when the price of the model or the number of tokens is unknown. */
  readonly cost?: number;
  /** Requests sent, including retries. */
  readonly attempts: number;
  /** Milliseconds from the call to its outcome. */
  readonly durationMs: number;
}

export interface JudgeFailure {
  readonly ok: false;
  readonly error: JudgeError;
  readonly prompt?: string;
  readonly reply?: string;
  /** Present when the provider returned a completion, which it charges for. */
  readonly tokens?: JudgeTokens;
  readonly cost?: number;
  /** Requests sent, including retries; 0 when the prompt could not be rendered. */
  readonly attempts: number;
  /** Whether the provider has responded to the last request, with any status. */
  readonly responded: boolean;
  readonly durationMs: number;
}

export type JudgeOutcome = JudgeScore | JudgeFailure;

/** Scores events with language models. */
export interface Judge {
  /** Returns whose endpoint is called for a provider and a project; undefined when none is configured. */
  endpointOwner(query: Pick<JudgeRequest, 'projectId' | 'modelProvider'>): EndpointOwner | undefined;
  /**
   * Renders the prompt, calls the model and reads the value from its reply. Never rejects: every failure is an outcome. Resolves
   * within the time limit of the judge; an aborted `signal` ends the call as `execution_error`.
   */
  evaluate(request: JudgeRequest, signal?: AbortSignal): Promise<JudgeOutcome>;
  /** Closes idle connections. Calls that run are completed. */
  close(): void;
}
