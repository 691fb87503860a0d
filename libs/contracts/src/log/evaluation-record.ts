import type { Evaluation, EvaluationRequest } from '@assay/domain';
import { encodeRecord, type EncodedRecord } from './encode-record.js';

/** Content of a record of kind `evaluation`: what was decided about one event, or how its evaluations ended. */
export interface EvaluationContent {
  /** The session of the event; the evaluations are deleted with it. */
  readonly sessionId: string;
  readonly evaluations: readonly Evaluation[];
}

/** Encodes the record of an event's evaluations. */
export function encodeEvaluations(
  { projectId, eventId }: { readonly projectId: string; readonly eventId: string },
  content: EvaluationContent,
): EncodedRecord {
  const value = Buffer.from(JSON.stringify(content));
  return encodeRecord({ kind: 'evaluation', projectId, eventId, fresh: false, value });
}

/** Bytes of JSON of the evaluations of a record, which some topics limit to 1 MB; a larger one is alone in its record. */
const PART_BYTES = 256 * 1024;

/** Encodes an event's evaluations as few records that every topic takes, in the same order. */
export function encodeEvaluationsInParts(
  event: { readonly projectId: string; readonly eventId: string },
  { sessionId, evaluations }: EvaluationContent,
): EncodedRecord[] {
  return inParts(evaluations, (one) => Buffer.byteLength(JSON.stringify(one))).map((part) =>
    encodeEvaluations(event, { sessionId, evaluations: part }),
  );
}

/** Splits a list, in order, into parts of at most {@link PART_BYTES}; a larger item is a part of its own. */
export function inParts<T>(items: readonly T[], bytesOf: (item: T) => number): T[][] {
  const parts: T[][] = [];
  let used = Infinity;
  for (const item of items) {
    const bytes = bytesOf(item);
    if (used + bytes > PART_BYTES) {
      parts.push([]);
      used = 0;
    }
    parts.at(-1)?.push(item);
    used += bytes;
  }
  return parts;
}

/** Returns the content of a record of kind `evaluation`. */
export function readEvaluations({ value }: { readonly value: Buffer }): EvaluationContent {
  return JSON.parse(value.toString()) as EvaluationContent;
}

/** Encodes the record that asks for the evaluation of an event. */
export function encodeEvaluationRequest(
  { projectId, eventId }: { readonly projectId: string; readonly eventId: string },
  request: EvaluationRequest,
): EncodedRecord {
  const value = Buffer.from(JSON.stringify(request));
  return encodeRecord({ kind: 'evaluation-request', projectId, eventId, fresh: false, value });
}

/**
 * Encodes the record that reports a change of the events of a session to the process that decides about the session. A request
 * without a metric. `ofScores` says that only scores of the events have changed.
 */
export function encodeSessionChange(
  session: { readonly projectId: string; readonly eventId: string },
  { at, ofScores }: { readonly at: number; readonly ofScores: boolean },
): EncodedRecord {
  return encodeEvaluationRequest(session, { metricId: '', since: at, ...(ofScores && { ofScores }) });
}

/** Returns the content of a record of kind `evaluation-request`. */
export function readEvaluationRequest({ value }: { readonly value: Buffer }): EvaluationRequest {
  return JSON.parse(value.toString()) as EvaluationRequest;
}
