import type { JsonObject, JsonValue } from '../json.js';
import { aggregate } from './aggregate.js';
import { hasScoreType } from './has-score-type.js';
import type { RunRules } from './metric-rule.js';
import type { RunSession } from './run-events.js';
import { trialsOf, type Trial } from './trials.js';

/** A value that is right or wrong as a whole. */
export type Label = boolean | string;

/** Right values in `feedback.ground_truth` of events, by the name of the metric, by the id of the event. */
export type GroundTruths = ReadonlyMap<string, ReadonlyMap<string, Label>>;

/** Precision, recall and F1 of a label. Null where the denominator is 0. */
export interface LabelScores {
  readonly label: string;
  /** How often it is right. */
  readonly support: number;
  /** How often the metric has it. */
  readonly predicted: number;
  readonly true_positives: number;
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number;
}

/** How the values of a metric agree with the ground truth. */
export interface Classification {
  readonly metric_name: string;
  /** Values with a ground truth. */
  readonly pairs: number;
  /** Values without one, which count for nothing. */
  readonly without_ground_truth: number;
  /** Trials with a ground truth and without a value, which count as wrong. */
  readonly without_value: number;
  readonly accuracy: number;
  /** Means over all labels, of which a null counts as 0. */
  readonly macro: { readonly precision: number; readonly recall: number; readonly f1: number };
  /** Those with the most support; at most 100. */
  readonly labels: LabelScores[];
}

export const MAX_LABELS = 100;
/** Metrics that are compared with the ground truth. */
export const MAX_CLASSIFIED = 100;
const EXPLANATION = '_explanation';

/** Returns the names of metrics that have a boolean or a text on a selected event, the first 100 in order. */
export function classifiedNames(sessions: readonly RunSession[], rules: RunRules): string[] {
  const names = new Set<string>();
  const seen = new Set<JsonObject>();
  for (const { events } of sessions) {
    for (const { isSelected, metrics } of events) {
      if (!isSelected || seen.has(metrics)) continue;
      seen.add(metrics);
      addLabelled(names, metrics, rules);
    }
  }
  return [...names].sort().slice(0, MAX_CLASSIFIED);
}

function addLabelled(names: Set<string>, metrics: JsonObject, rules: RunRules): void {
  for (const name of Object.keys(metrics))
    if (!names.has(name) && isLabel(name, metrics[name], rules)) names.add(name);
}

function isLabel(name: string, value: JsonValue | undefined, rules: RunRules): value is Label {
  if (typeof value !== 'boolean' && typeof value !== 'string') return false;
  const rule = rules.metrics.get(name);
  return (rule !== undefined || !name.endsWith(EXPLANATION)) && hasScoreType(value, rule);
}

/**
 * Returns the ids of the sessions whose ground truths have to be read: of all sessions when an event may have one, or a session itself is
 * not known. While an event moves it has rows in two of them, of which the newest counts.
 */
export function sessionsWithGroundTruths(sessions: readonly RunSession[]): string[] {
  const mayHave = ({ sessionId, events }: RunSession) =>
    events[0]?.eventId !== sessionId || events.some((event) => event.mayHaveGroundTruth ?? true);
  return sessions.some(mayHave) ? sessions.map(({ sessionId }) => sessionId) : [];
}

/**
 * Compares booleans and texts of metrics with the ground truth of the same name: that of their own event, else that of
 * its session. Metrics without such a ground truth are left out.
 */
export function classify(
  sessions: readonly RunSession[],
  rules: RunRules,
  truths: GroundTruths,
): Classification[] {
  if (truths.size === 0) return [];
  const trials = [...trialsOf(sessions)];
  return classifiedNames(sessions, rules).flatMap((name) => {
    const counts = new Counts();
    for (const trial of trials) countTrial(trial, name, { rules, truths, counts });
    return counts.pairs === 0 ? [] : [{ metric_name: name, ...counts.result() }];
  });
}

interface Counting {
  readonly rules: RunRules;
  readonly truths: GroundTruths;
  readonly counts: Counts;
}

function countTrial({ events, sessionId }: Trial, name: string, { rules, truths, counts }: Counting): void {
  const ofSession = truths.get(sessionId)?.get(name);
  let hasValue = false;
  let truth = ofSession;
  for (const { eventId, isSelected, metrics } of events) {
    const own = truths.get(eventId)?.get(name) ?? ofSession;
    truth ??= own;
    const value = isSelected ? metrics[name] : undefined;
    if (!isLabel(name, value, rules)) continue;
    hasValue = true;
    counts.add(value, own);
  }
  if (!hasValue && truth !== undefined) counts.addMissing(truth);
}

class Counts {
  pairs = 0;
  #withoutTruth = 0;
  #missing = 0;
  #right = 0;
  readonly #labels = new Map<Label, { support: number; predicted: number; right: number }>();

  add(value: Label, truth: Label | undefined): void {
    if (truth === undefined) {
      this.#withoutTruth += 1;
      return;
    }
    this.pairs += 1;
    this.#of(value).predicted += 1;
    this.#of(truth).support += 1;
    if (value !== truth) return;
    this.#right += 1;
    this.#of(truth).right += 1;
  }

  addMissing(truth: Label): void {
    this.#missing += 1;
    this.#of(truth).support += 1;
  }

  result(): Omit<Classification, 'metric_name'> {
    const labels = [...this.#labels].map(([label, counts]) => scoresOf(label, counts));
    const mean = (values: readonly (number | null)[]) =>
      aggregate(
        'average',
        values.map((one) => one ?? 0),
      );
    return {
      pairs: this.pairs,
      without_ground_truth: this.#withoutTruth,
      without_value: this.#missing,
      accuracy: this.#right / (this.pairs + this.#missing),
      macro: {
        precision: mean(labels.map(({ precision }) => precision)),
        recall: mean(labels.map(({ recall }) => recall)),
        f1: mean(labels.map(({ f1 }) => f1)),
      },
      labels: labels
        .sort((a, b) => b.support - a.support || (a.label < b.label ? -1 : 1))
        .slice(0, MAX_LABELS),
    };
  }

  #of(label: Label) {
    const known = this.#labels.get(label) ?? { support: 0, predicted: 0, right: 0 };
    this.#labels.set(label, known);
    return known;
  }
}

function scoresOf(
  label: Label,
  { support, predicted, right }: { support: number; predicted: number; right: number },
): LabelScores {
  return {
    label: String(label),
    ...{ support, predicted, true_positives: right },
    precision: predicted === 0 ? null : right / predicted,
    recall: support === 0 ? null : right / support,
    f1: (2 * right) / (support + predicted),
  };
}
