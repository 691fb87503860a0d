/**
 * The columns of a row in the order of its bytes: those of fixed width first, so that ids and times are read at their offsets.
 * The version and the mark of deletion follow when the row is stored. The order is part of the format of the log's records.
 */
export const ROW_COLUMNS = [
  'event_id',
  'session_id',
  'start_time',
  'start_at',
  'start_hour',
  'complete',
  'project_id',
  'parent_id',
  'children_ids',
  'event_type',
  'event_name',
  'source',
  'end_time',
  'duration',
  'error',
  'inputs',
  'outputs',
  'config',
  'metadata',
  'metrics',
  'feedback',
  'user_properties',
  'origin',
  'attrs',
  'nums',
  'run_id',
  'datapoint_id',
] as const;

/** What the store puts behind a row. */
export const VERSION_COLUMNS = ['ver', 'is_deleted'] as const;

/** Bytes of the columns before `project_id`. */
export const FIXED_BYTES = 16 + 16 + 8 + 8 + 4 + 1;
