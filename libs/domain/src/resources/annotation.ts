import { validationError } from '@assay/errors';
import type { JsonObject, JsonValue } from '../json.js';
import { annotatorKey } from './annotator.js';
import { explainedBy, explanationOf } from './explanation.js';
import type { MetricDefinition } from './metric.js';

/** Values that a metric accepts as a score. */
export type ScoreRule = Pick<MetricDefinition, 'name' | 'return_type' | 'scale' | 'categories'> & {
  /** False for a metric that accepts no score of people. */
  readonly by_people?: boolean;
};

/** Maximum length of a metric's name, in characters. */
const MAX_NAME_LENGTH = 200;

/**
 * Returns the names of the metrics that these scores may belong to: `tone_explanation` may explain `tone`, and may be a metric
 * that a score of `tone` must leave alone.
 */
export function annotationNames(scores: JsonObject): string[] {
  const names = Object.keys(scores).flatMap((key) => [key, explainedBy(key) ?? explanationOf(key)]);
  return [...new Set(names)].filter((name) => [...name].length <= MAX_NAME_LENGTH);
}

/**
 * Validates scores given by a person. Each must belong to a metric in `rules` and have its type: a number,
 * from 1 to `scale` if there is one; a boolean; a text; one of the categories. `<metric>_explanation` is a
 * text that accompanies a metric. If several metrics have the same name, one of them must accept the score.
 * @throws AppError `VALIDATION_ERROR`, as in `metrics.tone`
 */
export function checkAnnotation(scores: JsonObject, rules: readonly ScoreRule[]): void {
  const named = (name: string | undefined) =>
    rules.filter((rule) => rule.name === name && rule.by_people !== false);
  for (const [key, value] of Object.entries(scores)) {
    const problem = problemOf(value, named(key), named(explainedBy(key)));
    if (problem !== undefined) throw validationError(`metrics.${printable(key)} ${problem}`);
  }
}

/** What an annotator says about an event of a queue. */
export interface Annotation {
  readonly annotator: string;
  /** Checked by {@link checkAnnotation}. */
  readonly metrics?: JsonObject;
  /** The metrics of {@link annotationNames}. */
  readonly rules?: readonly ScoreRule[];
  readonly note?: AnnotationNote;
}

/** Texts about the event as a whole. */
export interface AnnotationNote {
  readonly queueId: string;
  readonly comment?: string | null;
  /** Why the annotator skipped it. */
  readonly reason?: string | null;
}

/**
 * Returns the update of an event that an annotation makes. In `metrics` the newest score counts; `feedback` keeps the
 * values of each annotator under keys of their own, and the note under that of the queue. A score without an explanation
 * removes that of the score before, unless a metric has the name of the explanation.
 */
export function annotationUpdate({ annotator, metrics = {}, rules = [], note }: Annotation): {
  readonly metrics?: JsonObject;
  readonly feedback: JsonObject;
} {
  const defined = new Set(rules.map(({ name }) => name));
  const scores: [string, JsonValue][] = Object.keys(metrics).flatMap((key) =>
    withExplanation(metrics, key, defined),
  );
  const own: [string, JsonValue][] = scores.map(([key, value]) => [annotatorKey(key, annotator), value]);
  if (note) {
    const { queueId, comment = null, reason = null } = note;
    own.push([annotatorKey(queueId, annotator), { comment, reason }]);
  }
  return {
    ...(scores.length > 0 && { metrics: Object.fromEntries(scores) }),
    feedback: Object.fromEntries(own),
  };
}

function withExplanation(
  metrics: JsonObject,
  key: string,
  defined: ReadonlySet<string>,
): [string, JsonValue][] {
  const explanation = explanationOf(key);
  const isOther = Object.hasOwn(metrics, explanation) || defined.has(explanation);
  const isCleared = explainedBy(key) === undefined && !isOther;
  return [[key, metrics[key] ?? null], ...(isCleared ? [[explanation, null] as [string, null]] : [])];
}

function problemOf(
  value: JsonValue,
  rules: readonly ScoreRule[],
  explained: readonly ScoreRule[],
): string | undefined {
  const problems = rules.map((rule) => problemWith(value, rule));
  if (explained.length > 0) problems.push(typeof value === 'string' ? undefined : 'must be a string');
  if (problems.length === 0) return 'is not a metric that people judge';
  return problems.includes(undefined) ? undefined : problems[0];
}

function problemWith(value: JsonValue, { return_type, scale, categories }: ScoreRule): string | undefined {
  switch (return_type) {
    case 'float':
      return problemWithNumber(value, scale);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'string':
      return typeof value === 'string' ? undefined : 'must be a string';
    case 'categorical':
      if (typeof value !== 'string') return 'must be a string';
      return !categories || categories.some(({ category }) => category === value)
        ? undefined
        : 'must be one of the categories of the metric';
  }
}

function problemWithNumber(value: JsonValue, scale: number | null): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a finite number';
  return scale === null || (value >= 1 && value <= scale) ? undefined : `must be from 1 to ${scale}`;
}

/** Returns a name chosen by a client in a form that is safe in a message. */
function printable(name: string): string {
  return name.replace(/[^\x20-\x7e]/g, '?').slice(0, 100);
}
