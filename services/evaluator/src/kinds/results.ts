import type { JsonObject } from '@assay/domain';
import type { EvaluatedEvent, Result } from './metric-kind.js';

const NOTHING = {
  reason: '',
  value: null,
  explanation: '',
  errorClass: '',
  durationMs: 0,
  cost: 0,
  promptTokens: 0,
  completionTokens: 0,
} as const;
const MAX_REASON = 2_000;

/** Returns the result of an evaluation that failed. */
export function failed(errorClass: string, reason: string): Result {
  return { ...NOTHING, decision: 'error', errorClass, reason: reason.slice(0, MAX_REASON) };
}

/** Returns the result of an evaluation with a score. */
export function scored(value: Result['value'], rest: Partial<Result> = {}): Result {
  return { ...NOTHING, decision: 'scored', value, ...rest };
}

/** Returns the event as metrics see it: without fields that only the store needs. It is the same object when it has none, as copying many fields takes long. */
export function visibleEvent(
  event: EvaluatedEvent & { readonly origin?: unknown; readonly version?: number },
): JsonObject {
  if (!Object.hasOwn(event, 'origin') && !Object.hasOwn(event, 'version')) return event as JsonObject;
  const { origin: _origin, version: _version, ...visible } = event;
  return visible;
}
