export { isJsonObject, type JsonObject, type JsonValue } from './json.js';
export { decodeUtf8 } from './utf8.js';
export {
  BUCKETS,
  EVENT_TYPES,
  MERGED_BUCKETS,
  type Bucket,
  type Event,
  type EventOrigin,
  type EventPatch,
  type EventType,
  type MergedBucket,
} from './events/event.js';
export { KEY_SCOPES, type Caller, type KeyScope } from './access/caller.js';
export {
  ADMINISTRATOR,
  isAdministrator,
  mayManageProject,
  type Administrator,
  type Principal,
} from './access/principal.js';
export {
  FILTER_OPERATORS,
  FILTER_TYPES,
  type Filter,
  type FilterOperator,
  type FilterScalar,
  type FilterType,
} from './events/filter.js';
export {
  EVENT_NAMESPACE,
  canonicalUuid,
  isUuid,
  sessionIdOf,
  spanEventId,
  traceSessionId,
  uuid5,
} from './events/event-id.js';
export { ROOT_FIELDS, eventPath, type EventPath } from './events/event-path.js';
export { FILTER_CASES, type FilterCase } from './events/filter-cases.js';
export { filterMatcher, matchesFilter, matchesFilters } from './events/matches-filter.js';
export { acceptBatch, type AcceptedBatch, type BatchInput } from './events/accept-batch.js';
export {
  acceptEvent,
  type AcceptContext,
  type AcceptedEvent,
  type EventInput,
} from './events/accept-event.js';
export { acceptFilters, type FilterInput } from './events/accept-filters.js';
export { modelEventInput, type ModelEventInput } from './events/accept-model-event.js';
export { derivedIds } from './events/derived-ids.js';
export { projectEvent, type ProjectedEvent } from './events/project-event.js';
export { countUsage, type Usage, type UsageReport } from './sessions/count-usage.js';
export { MAX_TREE_LEVELS, sessionTree, type TreeEvent, type TreeNode } from './sessions/session-tree.js';
export { withChildren, type TreePlace } from './sessions/with-children.js';
export { type SessionNode } from './sessions/session-node.js';
export { acceptSession, type SessionInput } from './events/accept-session.js';
export { acceptUpdate, type UpdateInput } from './events/accept-update.js';
export { MAX_EVENT_BYTES, cleanString, mayHoldUnstorable } from './events/clean-text.js';
export { acceptDateRange, type DateRange } from './events/date-range.js';
export { type FilterMode } from './events/filter-type.js';
export {
  foldState,
  type FoldedState,
  type FoldRecord,
  type StoredChanges,
  type StoredState,
} from './events/fold-state.js';
export { applyPatch, mergeCreates, mergePatches } from './events/merge-event.js';
export { emptied, redactEvent, type RedactedEvent } from './events/redact-event.js';
export {
  NO_REDACTION,
  QUOTING_FIELDS,
  REDACTABLE_FIELDS,
  acceptRedaction,
  type RedactableField,
  type Redaction,
  type RedactionSettings,
} from './events/redaction.js';
export { synthesiseSession } from './events/synthesise-session.js';
export { toWireEvent, type WireEvent } from './events/wire-event.js';
export { annotationNames, checkAnnotation, type ScoreRule } from './resources/annotation.js';
export { acceptEventMapping, datapointOfEvent, type EventMapping } from './resources/event-datapoint.js';
export {
  mapDatapoint,
  newDatapoint,
  type DatapointContent,
  type DatapointMapping,
} from './resources/datapoint.js';
export {
  datasetOfRun,
  mergeRun,
  newRun,
  RUN_STATUSES,
  type RunContent,
  type RunInput,
  type RunStatus,
  updateRun,
} from './resources/run.js';
export {
  changedMetric,
  checkVersionContent,
  definitionOf,
  DIRECTIONS,
  METRIC_TYPES,
  newMetric,
  RETURN_TYPES,
  type Direction,
  type FilterList,
  type MetricDefinition,
  type MetricInput,
  type MetricType,
  type ReturnType,
} from './resources/metric.js';
export { acceptChartRange, type ChartRange, type SentChartRange } from './resources/chart-range.js';
