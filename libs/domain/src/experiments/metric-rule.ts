import { isJsonObject, type JsonObject, type JsonValue } from '../json.js';
import type { MetricDefinition, Threshold } from '../resources/metric.js';

/** What computing on scores needs of a metric's definition. */
export type MetricRule = Pick<
  MetricDefinition,
  | 'name'
  | 'type'
  | 'criteria'
  | 'return_type'
  | 'direction'
  | 'threshold'
  | 'categories'
  | 'child_metrics'
  | 'filters'
> & {
  /** False for a deleted metric: its scores are still judged, but it computes no new ones. */
  readonly is_active: boolean;
};

/** Bounds of passing values, both inclusive; an absent bound is open. */
export interface PassingRange {
  readonly min?: number;
  readonly max?: number;
}

/** The rules that apply to the scores of one run. */
export interface RunRules {
  /** Definitions by name; scores without one were computed by a client. */
  readonly metrics: ReadonlyMap<string, MetricRule>;
  /** Ranges that the run sets for metrics that have no threshold of their own. */
  readonly passingRanges: ReadonlyMap<string, PassingRange>;
}

/** Returns the conditions that scores of this name must satisfy; undefined: every score passes. */
export function thresholdOf(name: string, { metrics, passingRanges }: RunRules): Threshold | undefined {
  const threshold = metrics.get(name)?.threshold;
  return threshold && Object.keys(threshold).length > 0 ? threshold : passingRanges.get(name);
}

/**
 * Reads the passing ranges in the metadata of a run: `{name: {min?, max?}}` or `{name: [min, max]}`. Entries of
 * another shape are ignored, as the client that sent them is not there to correct them.
 */
export function passingRangesOf(metadata: JsonObject): Map<string, PassingRange> {
  const sent = Object.hasOwn(metadata, 'passing_ranges') ? metadata['passing_ranges'] : undefined;
  const ranges = new Map<string, PassingRange>();
  if (!isJsonObject(sent)) return ranges;
  for (const [name, range] of Object.entries(sent)) {
    const [min, max] = Array.isArray(range) ? range : isJsonObject(range) ? [range['min'], range['max']] : [];
    const bounds = { ...boundOf('min', min), ...boundOf('max', max) };
    if (Object.keys(bounds).length > 0) ranges.set(name, bounds);
  }
  return ranges;
}

function boundOf(name: 'min' | 'max', value: JsonValue | undefined): PassingRange {
  return typeof value === 'number' && Number.isFinite(value) ? { [name]: value } : {};
}
