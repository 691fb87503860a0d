import { validationError } from '@assay/errors';
import { traitsOf, type MetricType } from './metric-kinds.js';
import { compositeFunction, isBooleanFunction } from './composite-function.js';
import { acceptFilters, type FilterInput } from '../events/filter/accept-filters.js';
import { checkStoredFilters } from '../events/filter/stored-filters.js';

/** Of the source of a metric in Python, in UTF-8: some sources take time with the square of their length to compile. */
export const MAX_SOURCE_BYTES = 65_536;

export const RETURN_TYPES = ['float', 'boolean', 'string', 'categorical'] as const;
export type ReturnType = (typeof RETURN_TYPES)[number];

/** Which values of a metric are better in comparisons: higher, lower, or neither. */
export const DIRECTIONS = ['higher', 'lower', 'none'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** Condition for a value to pass. */
export interface Threshold {
  readonly min?: number;
  readonly max?: number;
  readonly pass_when?: boolean | number;
  readonly passing_categories?: string[];
}

export interface Category {
  readonly category: string;
  readonly score: number | null;
}

export interface ChildMetric {
  readonly id?: string;
  readonly name: string;
  readonly weight: number;
  readonly scale?: number;
}

/** How a model is asked: parameters of a metric of type LLM, each sent to the APIs that have it. */
export interface ModelParameters {
  /** 0 when absent; null sends none, for models that accept none. */
  readonly temperature?: number | null;
  readonly top_p?: number;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly frequency_penalty?: number;
  readonly presence_penalty?: number;
  readonly seed?: number;
  readonly stop?: string | string[];
}

export interface FilterList {
  readonly filterArray: FilterInput[];
}

/** Definition of a metric, without its owner and timestamps, as a version stores it. */
export interface MetricDefinition {
  readonly name: string;
  readonly type: MetricType;
  readonly criteria: string;
  readonly description: string | null;
  readonly return_type: ReturnType;
  readonly direction: Direction;
  readonly enabled_in_prod: boolean;
  readonly needs_ground_truth: boolean;
  /** Percentage of the events, 0 to 100. */
  readonly sampling_percentage: number;
  readonly model_provider: string | null;
  readonly model_name: string | null;
  /** Absent without any, also in definitions of earlier versions of the product. */
  readonly model_parameters?: ModelParameters;
  /** Whether a judge sends instructions on the form of its reply; absent: see `addsInstructions`. */
  readonly add_instructions?: boolean;
  readonly scale: number | null;
  readonly threshold: Threshold | null;
  readonly categories: Category[] | null;
  readonly child_metrics: ChildMetric[] | null;
  readonly filters: FilterList;
}

/** Fields of a definition to set. Null removes the parameters of the model, and what the metric states on instructions. */
export type MetricChanges = Partial<Omit<MetricDefinition, 'model_parameters' | 'add_instructions'>> & {
  readonly model_parameters?: ModelParameters | null;
  readonly add_instructions?: boolean | null;
};

export type MetricInput = Pick<MetricDefinition, 'name' | 'type' | 'criteria'> & MetricChanges;

/**
 * Completes a metric. By default scores are floats where higher is better, and one event in ten is sampled.
 * `path` precedes the names of fields in errors, such as `content.`.
 * @throws AppError `VALIDATION_ERROR` if fields are inconsistent
 */
export function newMetric(input: MetricInput, path = ''): MetricDefinition {
  if (input.filters) checkStoredFilters(input.filters.filterArray, `${path}filters.filterArray`);
  return completeMetric(input, path);
}

function completeMetric(input: MetricInput, path: string): MetricDefinition {
  const definition: MetricDefinition = {
    name: input.name,
    type: input.type,
    criteria: input.criteria,
    description: input.description === undefined ? '' : input.description,
    return_type: input.return_type ?? 'float',
    direction: input.direction ?? 'higher',
    enabled_in_prod: input.enabled_in_prod ?? !traitsOf(input).isEvaluated,
    needs_ground_truth: input.needs_ground_truth ?? false,
    sampling_percentage: input.sampling_percentage ?? 10,
    model_provider: input.model_provider ?? null,
    model_name: input.model_name ?? null,
    ...judgeOptionsOf(input),
    scale: input.scale ?? null,
    threshold: input.threshold ?? null,
    categories: input.categories ?? null,
    child_metrics: input.child_metrics ?? null,
    filters: input.filters ?? { filterArray: [] },
  };
  checkMetric(definition, path);
  return definition;
}

/**
 * Returns the metric with the given fields replaced, and validates the result. Filters of an earlier release that the
 * changes leave as they are may have long patterns.
 * @throws AppError `VALIDATION_ERROR`
 */
export function changedMetric(metric: MetricDefinition, changes: MetricChanges): MetricDefinition {
  if (changes.filters) checkStoredFilters(changes.filters.filterArray, 'filters.filterArray');
  return completeMetric({ ...definitionOf(metric), ...definedOf(changes) }, '');
}

/** Returns only the definition, with its keys in a fixed order. */
export function definitionOf(metric: MetricDefinition): MetricDefinition {
  const {
    name,
    type,
    criteria,
    description,
    return_type,
    direction,
    enabled_in_prod,
    needs_ground_truth,
    sampling_percentage,
  } = metric;
  const { model_provider, model_name, scale, threshold, categories, child_metrics, filters } = metric;
  const judged = {
    name,
    type,
    criteria,
    description,
    return_type,
    direction,
    enabled_in_prod,
    needs_ground_truth,
    sampling_percentage,
  };
  const model = { model_provider, model_name, ...judgeOptionsOf(metric) };
  return { ...judged, ...model, scale, threshold, categories, child_metrics, filters };
}

/** The optional fields of a definition, which are absent unless they are stated. */
function judgeOptionsOf({
  model_parameters,
  add_instructions,
}: MetricChanges): Pick<MetricDefinition, 'model_parameters' | 'add_instructions'> {
  return {
    ...(model_parameters && Object.keys(model_parameters).length > 0 && { model_parameters }),
    ...(typeof add_instructions === 'boolean' && { add_instructions }),
  };
}

/**
 * Validates the additional rule for a version: an LLM metric names its model, so that its scores do not
 * depend on the deployment's default.
 * @throws AppError `VALIDATION_ERROR`
 */
export function checkVersionContent(metric: MetricDefinition): void {
  checkModelNamed(metric, 'content.');
}

/**
 * Checks that a metric that a model evaluates names the model. `path` precedes the names of fields in errors.
 * @throws AppError `VALIDATION_ERROR`
 */
export function checkModelNamed(metric: MetricDefinition, path: string): void {
  if (!traitsOf(metric).needsModel) return;
  const { type, model_provider: provider, model_name: name } = metric;
  if (provider === null) throw validationError(`${path}model_provider is required for type ${type}`);
  if (name === null) throw validationError(`${path}model_name is required for type ${type}`);
}

/**
 * Checks that the source of a metric in Python is not too long to be compiled. Stored metrics may have longer ones.
 * @throws AppError `VALIDATION_ERROR`
 */
export function checkSourceSize(metric: Pick<MetricDefinition, 'type' | 'criteria'>, path = ''): void {
  const { type, criteria } = metric;
  if (traitsOf(metric).criteria === 'python' && Buffer.byteLength(criteria) > MAX_SOURCE_BYTES)
    throw validationError(`${path}criteria must have at most ${MAX_SOURCE_BYTES} bytes for type ${type}`);
}

/** Returns whether a composite metric may combine the scores of this metric: no texts, no other composites. */
export function isCombinable(metric: Pick<MetricDefinition, 'type' | 'return_type'>): boolean {
  return !traitsOf(metric).hasChildren && metric.return_type !== 'string';
}

function checkMetric(definition: MetricDefinition, path: string): void {
  const { threshold, filters } = definition;
  if (traitsOf(definition).hasChildren) checkCombination(definition, path);
  const { min, max } = threshold ?? {};
  if (min !== undefined && max !== undefined && min > max) {
    throw validationError(`${path}threshold.min must not be above ${path}threshold.max`);
  }
  acceptFilters(filters.filterArray, 'stored', `${path}filters.filterArray`);
}

function checkCombination(
  { type, criteria, return_type, child_metrics }: MetricDefinition,
  path: string,
): void {
  if (child_metrics === null) throw validationError(`${path}child_metrics is required for type ${type}`);
  if (return_type !== 'float' && return_type !== 'boolean')
    throw validationError(`${path}return_type must be float or boolean for type ${type}`);
  if (return_type === 'boolean' && !isBooleanFunction(compositeFunction(criteria)))
    throw validationError(
      `${path}criteria must be hierarchical highest true, minimum or maximum for type ${type} with return_type boolean`,
    );
}

/** Returns the keys that have a value and are part of a definition: an update may contain others. */
function definedOf(changes: MetricChanges): MetricChanges {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
