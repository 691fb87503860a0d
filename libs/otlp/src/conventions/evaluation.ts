import { isJsonObject, setOwn, type JsonObject, type JsonValue } from '@assay/domain';
import type { Attributes, SpanEvent } from '../messages.js';
import { asKey, asNumber, asText } from './readers.js';

/** Name of the span event that carries one evaluation. */
export const EVALUATION_EVENT = 'gen_ai.evaluation.result';
const PREFIX = 'gen_ai.evaluation.';

/** Evaluation result: name, score or label, and all other attributes of the evaluation. */
export interface Evaluation {
  readonly name: string;
  readonly value: JsonValue;
  readonly details: JsonObject;
}

/** Evaluation of a span event; undefined without a name or a result. */
export function evaluationOfEvent(event: SpanEvent): Evaluation | undefined {
  return evaluationOf(event.attributes, PREFIX);
}

/** Attributes `gen_ai.evaluation.*` of a span that represents an evaluation. */
export function asEvaluation(family: JsonValue): JsonValue | undefined {
  const evaluation = isJsonObject(family) ? evaluationOf(new Map(Object.entries(family)), '') : undefined;
  if (evaluation === undefined) return undefined;
  const metrics: JsonObject = {};
  setOwn(metrics, evaluation.name, evaluation.value);
  return { 'metrics.*': metrics, 'metadata.evaluations': [evaluation.details] };
}

function evaluationOf(attributes: Attributes, prefix: string): Evaluation | undefined {
  const at = (key: string) => asText(attributes.get(prefix + key) ?? null);
  const name = at('name');
  const label = at('score.label');
  const value = asNumber(attributes.get(`${prefix}score.value`) ?? null) ?? label;
  if (name === undefined || value === undefined) return undefined;
  const known = { name, score: value, label, explanation: at('explanation') };
  const details: JsonObject = {};
  for (const [key, value] of Object.entries(known)) if (value !== undefined) details[key] = value;
  for (const [key, attribute] of attributes) {
    const short = key.startsWith(prefix) ? key.slice(prefix.length) : (OTHER_NAMES[key] ?? key);
    if (!KNOWN_NAMES.has(short) && attribute !== null) setOwn(details, short, attribute);
  }
  return { name, value, details };
}

const KNOWN_NAMES = new Set(['name', 'score.value', 'score.label', 'explanation']);
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'gen_ai.response.id': 'response_id',
  'error.type': 'error_type',
};

/** Scopes of an evaluation that does not refer to its own span. */
const ABOUT_SESSION = new Set(['session', 'trace', 'conversation', 'thread']);
const SESSION_NAMES = ['session.id', 'session_id', 'gen_ai.conversation.id'];

/** Evaluation of a whole session. */
export interface SessionEvaluation {
  readonly name: string;
  readonly value: JsonValue;
  /** Whether a person gave it. */
  readonly isFeedback: boolean;
  /** Session named by the evaluation; undefined: the session of the span. */
  readonly session: string | undefined;
}

/** Evaluations of a span whose `scope` is its session or trace. */
export function sessionEvaluations(evaluations: JsonValue | undefined): SessionEvaluation[] {
  if (!Array.isArray(evaluations)) return [];
  return evaluations.flatMap((evaluation) => {
    const fields = isJsonObject(evaluation) ? evaluation : {};
    const [name, scope] = [asText(fields['name'] ?? null), asText(fields['scope'] ?? null)];
    const value = fields['score'] ?? fields['label'];
    if (name === undefined || value === undefined || !ABOUT_SESSION.has(scope?.trim().toLowerCase() ?? ''))
      return [];
    const [session] = SESSION_NAMES.flatMap((key) => asKey(fields[key] ?? null) ?? []);
    return [
      { name, value: asNumber(value) ?? value, isFeedback: fields['annotator_kind'] === 'HUMAN', session },
    ];
  });
}
