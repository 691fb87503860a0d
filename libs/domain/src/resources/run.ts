import { validationError } from '@assay/errors';
import type { JsonObject, JsonValue } from '../json.js';

export const RUN_STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/**
 * Content of a run. The id of a dataset that the client keeps itself is in `metadata.offline_dataset_id`, and
 * `dataset_id` is null.
 */
export interface RunContent {
  readonly name: string | null;
  readonly description: string | null;
  readonly status: RunStatus;
  readonly metadata: JsonObject;
  readonly results: JsonObject;
  readonly configuration: JsonObject;
  readonly event_ids: readonly string[];
  readonly dataset_id: string | null;
}

/** A run as a client sends it. Null means absent. */
export interface RunInput {
  readonly name?: string | null;
  readonly description?: string | null;
  readonly status?: RunStatus | null;
  readonly metadata?: JsonObject;
  readonly results?: JsonObject;
  readonly configuration?: JsonObject;
  readonly event_ids?: string[];
  readonly dataset_id?: string | null;
  readonly evaluators?: JsonValue[];
  readonly session_ids?: string[];
  readonly datapoint_ids?: string[];
  readonly passing_ranges?: JsonObject;
}

const NOTHING: RunContent = {
  name: null,
  description: null,
  status: 'pending',
  metadata: {},
  results: {},
  configuration: {},
  event_ids: [],
  dataset_id: null,
};

/** Prefix of the ids of datasets that the client keeps itself. */
const EXTERNAL = 'EXT-';

/** @throws AppError `VALIDATION_ERROR` when the name is blank */
export function newRun(input: RunInput): RunContent {
  return mergeRun(NOTHING, input);
}

/**
 * Merges a run that is created again: as an update, but no session is removed.
 * @throws AppError `VALIDATION_ERROR` when the name is blank
 */
export function mergeRun(run: RunContent, input: RunInput): RunContent {
  const { dataset_id } = input;
  const external = dataset_id?.startsWith(EXTERNAL) === true ? dataset_id : undefined;
  // Metadata may have 100,000 keys: it is not copied twice.
  const metadata =
    external === undefined ? (input.metadata ?? {}) : { ...input.metadata, offline_dataset_id: external };
  const event_ids = [...new Set([...run.event_ids, ...(input.event_ids ?? [])])];
  return {
    ...updateRun(run, { ...input, metadata, event_ids }),
    dataset_id: external === undefined ? (dataset_id ?? run.dataset_id) : null,
  };
}

/**
 * Applies the given fields: `metadata`, `results` and `configuration` merge per key; `event_ids` and texts
 * are replaced. Fields of older clients become part of the metadata. The dataset of a run never changes.
 * @throws AppError `VALIDATION_ERROR` when the name is blank
 */
export function updateRun(run: RunContent, input: RunInput): RunContent {
  return {
    name: trimmedName(input.name) ?? run.name,
    description: input.description ?? run.description,
    status: input.status ?? run.status,
    metadata: { ...run.metadata, ...input.metadata, ...legacyMetadata(input) },
    results: { ...run.results, ...input.results },
    configuration: { ...run.configuration, ...input.configuration },
    event_ids: input.event_ids ?? run.event_ids,
    dataset_id: run.dataset_id,
  };
}

/**
 * Returns the dataset id that clients use: that of the stored dataset, or of the one that the client keeps
 * itself.
 */
export function datasetOfRun({
  dataset_id,
  metadata,
}: Pick<RunContent, 'dataset_id' | 'metadata'>): string | null {
  const offline = Object.hasOwn(metadata, 'offline_dataset_id') ? metadata.offline_dataset_id : null;
  return dataset_id ?? (typeof offline === 'string' && offline !== '' ? offline : null);
}

function trimmedName(name: string | null | undefined): string | undefined {
  const trimmed = name?.trim();
  if (trimmed === '') throw validationError('name must not be blank');
  return trimmed;
}

function legacyMetadata({ evaluators, session_ids, datapoint_ids, passing_ranges }: RunInput): JsonObject {
  const named: [string, JsonValue | undefined][] = Object.entries({
    evaluators,
    session_ids,
    datapoint_ids,
    passing_ranges,
  });
  return Object.fromEntries(named.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
