import { emptyEvent, type Event } from '../events/event.js';
import { redactEvent } from '../events/redact/redact-event.js';
import { redactsNothing, type Redaction } from '../events/redact/redaction.js';
import {
  REPORTED_AMOUNTS,
  type DayCount,
  type EventNameCount,
  type ReportedAmount,
  type SessionSummary,
} from './session-summary.js';

declare const redacted: unique symbol;

/**
 * A summary that may leave the data plane. Only {@link redactSessionSummary} returns one, so code that takes this
 * type cannot receive a summary that was not redacted.
 */
export type RedactedSessionSummary = Readonly<SessionSummary> & { readonly [redacted]: true };

/** Summaries hold names cut to this length. Of a longer text, which is no name, no beginning may leave. */
const CUT_LENGTH = 200;

/** What the rules decide about the parts of summaries. */
interface SummaryRules {
  readonly nameOf: (text: string) => string;
  readonly sourceOf: (text: string) => string;
  /** Returns the metrics whose names leave. */
  readonly keptMetrics: (metrics: SessionSummary['metrics']) => SessionSummary['metrics'];
  readonly isRunIdKept: (runId: string) => boolean;
  /** Whether an amount, which is under the same name in the metadata of events, may leave. */
  readonly leaves: (name: ReportedAmount) => boolean;
  /** Whether the name of a model, which is in the configuration of events, may leave. */
  readonly isModelKept: (model: string) => boolean;
}

const ALL_KEPT: SummaryRules = {
  nameOf: (text) => text,
  sourceOf: (text) => text,
  keptMetrics: (metrics) => metrics,
  isRunIdKept: () => true,
  leaves: () => true,
  isModelKept: () => true,
};

/** Rules by redaction: most of them do not depend on the summary. */
const rulesByRedaction = new WeakMap<Redaction, SummaryRules>();

function rulesOf(redaction: Redaction): SummaryRules {
  const known = rulesByRedaction.get(redaction);
  if (known !== undefined) return known;
  const rules = redactsNothing(redaction) ? ALL_KEPT : redactingRules(redaction);
  rulesByRedaction.set(redaction, rules);
  return rules;
}

function redactingRules(redaction: Redaction): SummaryRules {
  const empty = emptyEvent();
  const redactedEvent = (fields: Partial<Event>) => redactEvent({ ...empty, ...fields }, redaction);
  const isCut = (text: string) => redaction.allowList !== undefined && text.length >= CUT_LENGTH;
  const amounts = redactedEvent({
    metadata: Object.fromEntries(REPORTED_AMOUNTS.map((name) => [name, 1])),
  }).metadata;
  return {
    nameOf: (text) => (isCut(text) ? '' : redactedEvent({ event_name: text }).event_name),
    sourceOf: (text) => (isCut(text) ? '' : redactedEvent({ source: text }).source),
    keptMetrics(metrics) {
      if (metrics.length === 0) return metrics;
      const named = Object.fromEntries(metrics.map(({ name }) => [name, 1]));
      const { metrics: kept } = redactedEvent({ metrics: named });
      return metrics.filter(({ name }) => Object.hasOwn(kept, name) && kept[name] === 1);
    },
    isRunIdKept: (run_id) => redactedEvent({ metadata: { run_id } }).metadata['run_id'] === run_id,
    leaves: (name) => amounts[name] === 1,
    isModelKept: (model) => redactedEvent({ config: { model } }).config['model'] === model,
  };
}

/**
 * Returns the summary as it may leave the data plane: a closed list of fields. What the rules redact in an event is
 * redacted here too: a name becomes empty, and a metric or a run id is left out. Counts and times stay.
 */
export function redactSessionSummary(summary: SessionSummary, redaction: Redaction): RedactedSessionSummary {
  const rules = rulesOf(redaction);
  const result: SessionSummary = {
    session_id: summary.session_id,
    session_name: rules.nameOf(summary.session_name),
    source: rules.sourceOf(summary.source),
    start_time: summary.start_time,
    end_time: summary.end_time,
    duration: summary.duration,
    num_events: summary.num_events,
    num_model_events: summary.num_model_events,
    num_tool_events: summary.num_tool_events,
    num_chain_events: summary.num_chain_events,
    num_errors: summary.num_errors,
    event_names: withoutRepeats(
      summary.event_names.map(({ event_type, event_name, count }) => ({
        event_type,
        event_name: rules.nameOf(event_name),
        count,
      })),
    ),
    metrics: rules
      .keptMetrics(summary.metrics)
      .map(({ name, count, sum, min, max }) => ({ name, count, sum, min, max })),
    run_ids: summary.run_ids.filter(rules.isRunIdKept),
    days: summary.days.map((day) => redactedDay(day, rules)),
  };
  return result as RedactedSessionSummary;
}

function redactedDay(
  day: DayCount,
  { leaves, isModelKept }: Pick<SummaryRules, 'leaves' | 'isModelKept'>,
): DayCount {
  const { num_errors, unpriced_models: models } = day;
  const kept: DayCount = { day: day.day, num_events: day.num_events, num_model_events: day.num_model_events };
  if (num_errors !== undefined) kept.num_errors = num_errors;
  for (const name of REPORTED_AMOUNTS) {
    const amount = day[name];
    if (typeof amount === 'number' && leaves(name)) kept[name] = amount;
  }
  if (day.cost === null && leaves('cost')) {
    kept.cost = null;
    kept.unpriced_models = (models ?? []).filter(isModelKept);
  }
  return kept;
}

/** Adds up names that are equal after they were redacted. */
function withoutRepeats(names: readonly EventNameCount[]): EventNameCount[] {
  const counts = new Map<string, EventNameCount>();
  for (const one of names) {
    const key = `${one.event_type}/${one.event_name}`;
    counts.set(key, { ...one, count: one.count + (counts.get(key)?.count ?? 0) });
  }
  return [...counts.values()];
}
