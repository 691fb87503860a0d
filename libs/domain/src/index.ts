export { isJsonObject, setOwn, type JsonObject, type JsonValue } from './json.js';
export { jsonBytesSteps, jsonPiecesSteps, type TakePiece } from './json-pieces.js';
export { isRawText, plainText, RawText, withoutRawText } from './raw-text.js';
export { SpecialBytes } from './special-bytes.js';
export { isBeyond64Bits, isLargeInteger, markedInteger, parseExactJson } from './exact-json.js';
export { parseStoredJson, restoreIntegers } from './exact-json.js';
export { decodeUtf8 } from './utf8.js';
export {
  BUCKETS,
  MERGED_BUCKETS,
  emptyEvent,
  type Event,
  type EventInput,
  type EventOrigin,
  type EventPatch,
  type EventType,
  type UpdateInput,
} from './events/event.js';
export { defaultOf, type EventField, type FieldType, type FieldTypes } from './events/event-field.js';
export {
  EVENT_FIELDS,
  EVENT_SHAPE,
  EVENT_TYPES,
  PAYLOAD_FIELDS,
  UNKNOWN,
  namesWhere,
  shapeOf,
  type Bucket,
  type EventShape,
  type FieldName,
  type FieldsWith,
  type MergedBucket,
  type NamedField,
  type PayloadField,
} from './events/event-shape.js';
export { KEY_SCOPES, type Caller, type KeyScope } from './access/caller.js';
export {
  missingPermission,
  PERMISSION_RESOURCES,
  PERMISSIONS,
  type Permission,
  type PermissionResource,
} from './access/permission.js';
export { ADMINISTRATOR_ROLES, includesRole, type AdministratorRole } from './access/administrator-role.js';
export { isSignedToken, keyIdOfPerson, subjectOf } from './access/person.js';
export { PRESET_PERMISSIONS } from './access/presets.js';
export { administratorIdIn, administratorToken } from './access/administrator-token.js';
export { endsWithChecksum, readKeyText, withChecksum, type KeyText } from './access/key-text.js';
export {
  ADMINISTRATOR,
  isAdministrator,
  mayManageProject,
  type Administrator,
  type Principal,
} from './access/principal.js';
export {
  FILTER_OPERATORS,
  SENT_OPERATORS,
  FILTER_TYPES,
  type Filter,
  type FilterOperator,
  type FilterScalar,
  type FilterType,
} from './events/filter/filter.js';
export { DOCUMENT_KINDS, type DocumentKind } from './resources/document-kind.js';
export { canonicalUuid, isUuid } from './events/identity/uuid-text.js';
export {
  EVENT_NAMESPACE,
  sessionIdOf,
  callingEventId,
  spanEventId,
  traceSessionId,
  uuid5,
} from './events/identity/event-id.js';
export {
  filterMatcher,
  matchesFilter,
  matchesFilters,
  type FilterMatcher,
} from './events/filter/matches-filter.js';
export { BatchWork, UNLIMITED_WORK, type FilterWork } from './events/filter/match/filter-work.js';
export type { FilterMatch } from './events/filter/match/value-matcher.js';
export { finishSync, inSteps, type MaybeSteps, type Steps } from './steps.js';
export { acceptFilters, type FilterInput } from './events/filter/accept-filters.js';
export { derivedIds } from './events/identity/derived-ids.js';
export {
  acceptEventSort,
  NEWEST_FIRST,
  SORT_ORDERS,
  type EventSort,
  type SortOrder,
} from './events/page/event-sort.js';
export {
  newestPosition,
  readEventCursor,
  readNewestCursor,
  writeEventCursor,
  writeNewestCursor,
  type EventPosition,
  type NewestPosition,
} from './events/page/page-cursor.js';
export { cursorError, MAX_CURSOR_LENGTH, readCursor, writeCursor } from './paging/cursor.js';
export { projectEvent, type ProjectedEvent } from './events/wire/project-event.js';
export { acceptBound, acceptDateRange, type DateRange } from './events/filter/date-range.js';
export { type FilterMode } from './events/filter/filter-type.js';
export {
  foldState,
  foldWhileItFits,
  type BoundedFold,
  type FoldedState,
  type FoldRecord,
  type StoredChanges,
  type StoredState,
} from './events/merge/fold-state.js';
export { applyPatch, mergeCreates, mergeLogEvents, mergePatches } from './events/merge/merge-event.js';
export { isServingKind, separateEvents, type SeparateEvents } from './events/merge/shared-span-id.js';
export { sortedText, type LogContent, type LogPiece } from './events/merge/log-content.js';
export { messagesOfOutputs, outputsOfMessages } from './events/merge/output-messages.js';
export {
  LOG_CONTENT,
  ERROR_MESSAGE as LOG_ERROR_MESSAGE,
  withLogContent,
  type SplitEvent,
} from './events/merge/stored-log-content.js';
export { truncateEvent, truncatePatch, TRUNCATED_VALUES } from './events/truncate/truncate-event.js';
export { TRUNCATED } from './events/truncate/truncate-values.js';
export { decidesOnStored } from './events/redact/decides-on-stored.js';
export {
  emptied,
  mayLeaveAsId,
  mayLeaveAsNumber,
  redactEvent,
  type RedactedEvent,
} from './events/redact/redact-event.js';
export {
  NO_REDACTION,
  redactsNothing,
  QUOTING_FIELDS,
  REDACTABLE_FIELDS,
  acceptRedaction,
  type RedactableField,
  type Redaction,
  type RedactionSettings,
} from './events/redact/redaction.js';
export { isReplacementKey } from './events/redact/path-rules.js';
export { toWireEvent, type WireEvent } from './events/wire/wire-event.js';
export { wireEventTexts } from './events/wire/wire-event-texts.js';
export { parseObjectText, parseStoredEvent, type StoredEvent } from './events/stored-event.js';
export {
  annotationNames,
  annotationUpdate,
  checkAnnotation,
  type Annotation,
  type AnnotationNote,
  type ScoreRule,
} from './resources/annotation.js';
export { explainedBy, explanationOf, isExplanation } from './resources/explanation.js';
export * from './resources/alert.js';
export * from './resources/annotator.js';
export {
  QUEUE_EVENT_STATES,
  QUEUE_EVENT_STATUSES,
  type QueueEventState,
  type QueueEventStatus,
} from './resources/queue-event.js';
export { acceptEventMapping, datapointOfEvent, type EventMapping } from './resources/event-datapoint.js';
export {
  mapDatapoint,
  newDatapoint,
  type DatapointContent,
  type DatapointMapping,
} from './resources/datapoint.js';
export * from './resources/run.js';
export * from './resources/retention.js';
export * from './access/ingest-limits.js';
export {
  changedMetric,
  checkVersionContent,
  definitionOf,
  DIRECTIONS,
  isCombinable,
  checkModelNamed,
  checkSourceSize,
  MAX_SOURCE_BYTES,
  newMetric,
  RETURN_TYPES,
  type ChildMetric,
  type Direction,
  type FilterList,
  type MetricDefinition,
  type MetricChanges,
  type MetricInput,
  type ModelParameters,
  type ReturnType,
} from './resources/metric.js';
export {
  EVALUATED_TYPES,
  METRIC_TYPES,
  PEOPLE_TYPES,
  traitsOf,
  type EvaluatedType,
  type MetricType,
} from './resources/metric-kinds.js';
export { modelWarnings, withDefaultModel } from './resources/metric-model.js';
export type { CallableModels, DefaultModel } from './resources/metric-model.js';
export { addsInstructions } from './resources/judge-instructions.js';
export {
  BUCKET_WIDTHS,
  chartBuckets,
  MAX_BUCKETS,
  type Bucketing,
  type BucketWidth,
  type ChartBuckets,
} from './resources/chart-buckets.js';
export {
  acceptChartMeasure,
  CHART_FUNCTIONS,
  checkChartGroup,
  checkChartMeasure,
  type ChartAggregation,
  type ChartMeasure,
  type ChartValue,
} from './resources/chart-measure.js';
export * from './resources/dataset-version.js';
export { chartWarnings, checkChartPaths } from './resources/chart-paths.js';
export { fillChart, type ChartPoint, type ChartRow } from './resources/fill-chart.js';
export { acceptChartRange, type ChartRange, type SentChartRange } from './resources/chart-range.js';
export { AGGREGATE_FUNCTIONS, aggregate, type AggregateFunction } from './experiments/aggregate.js';
export {
  compareRuns,
  type ComparedMetric,
  type ComparedRun,
  type CompareRunsInput,
  type LostMetric,
  type RunComparison,
} from './experiments/compare-runs.js';
export * from './experiments/gate.js';
export { BOUND_TOLERANCE } from './experiments/bound-tolerance.js';
export * from './experiments/run-evaluations.js';
export { shortAverage } from './experiments/short-average.js';
export {
  passingRangesOf,
  type MetricRule,
  type PassingRange,
  type RunRules,
} from './experiments/metric-rule.js';
export { sessionsOfRun, type RunEvent, type RunLinks, type RunSession } from './experiments/run-events.js';
export {
  RESULT_METRIC_TYPES,
  runResult,
  type ResultMetricType,
  type ResultDatapoint,
  type RunResult,
  type RunResultInput,
} from './experiments/run-result.js';
export {
  compareDatapoints,
  countDatapoints,
  DATAPOINT_SELECTIONS,
  DATAPOINT_SORTS,
  DATAPOINT_VERDICTS,
  selectDatapoints,
  type ComparedDatapoint,
  type ComparedSession,
  type DatapointSelection,
  type DatapointSort,
  type DatapointVerdict,
} from './experiments/compare-datapoints.js';
export { runOverview, type RunOverview, type SessionMeasures } from './experiments/run-overview.js';
export {
  MAX_COMPARED_METRICS,
  MIN_PAIRS,
  VERDICTS,
  type PairedStatistics,
  type Verdict,
} from './experiments/significance.js';
export { type Category, type Threshold } from './resources/metric.js';
export { pairRunEvents, type RunEventPair } from './experiments/pair-run-events.js';
export * from './evaluators/index.js';
export * from './sessions/index.js';
export * from './events/filter/index.js';
export {
  classifiedNames,
  sessionsWithGroundTruths,
  classify,
  MAX_CLASSIFIED,
  type Classification,
  type GroundTruths,
  type Label,
} from './experiments/classification.js';
export { datasetWarnings } from './experiments/dataset-warnings.js';
export { compositeScore } from './experiments/composite.js';
export { hasScoreType } from './experiments/has-score-type.js';
export * from './events/accept/index.js';
