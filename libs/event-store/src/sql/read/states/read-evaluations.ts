import { visible } from '../rows/visible.js';
import type { Evaluation, EvaluationDecision, JsonValue } from '@assay/domain';
import type { EventKey, EvaluationRow, PendingQuery } from '../../../event-store.js';
import { Binder } from '../../engine/binder.js';
import type { QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { STAGES } from '../../write/write-evaluations.js';
import { chunks } from '../rows/chunks.js';
import { byProject } from '../rows/keys-by-project.js';

/** Ids of one statement. */
const IDS_PER_QUERY = 1_000;

/** Evaluations of an event of which decisions know, the newest ones: no project has as many metrics. */
const MAX_TO_DECIDE = 1_000;

const WITHOUT_EXPLANATION =
  'project_id AS project, toString(event_id) AS event, metric_id, metric_version, metric_name, decision, reason, value, ' +
  'error_class, duration_ms, if(isNaN(cost), NULL, cost) AS known_cost, prompt_tokens, completion_tokens, attempts, fingerprint, decided_at, job_id, ' +
  `intDiv(ver, ${STAGES}) AS trigger`;
const SELECTED = `${WITHOUT_EXPLANATION}, explanation`;

interface StoredRow {
  readonly project: string;
  readonly event: string;
  readonly metric_id: string;
  readonly metric_version: string;
  readonly metric_name: string;
  readonly decision: EvaluationDecision;
  readonly reason: string;
  readonly value: string;
  readonly explanation: string;
  readonly error_class: string;
  readonly duration_ms: number;
  /** Null when it is unknown. */
  readonly known_cost: number | null;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly attempts: number;
  readonly fingerprint: string;
  readonly decided_at: number;
  readonly job_id: string | null;
  readonly trigger: number;
}

/** The evaluations of events, by `projectId/eventId`, each by metric and version. */
export async function readEvaluations(
  runner: QueryRunner,
  tables: TableNames,
  { keys, toDecide }: { readonly keys: readonly EventKey[]; readonly toDecide: boolean },
): Promise<Map<string, Evaluation[]>> {
  const found = new Map<string, Evaluation[]>();
  for (const [projectId, eventIds] of byProject(keys)) {
    for (const ids of chunks([...eventIds], IDS_PER_QUERY)) {
      const binder = new Binder();
      const where = `project_id = ${binder.text(projectId)} AND event_id IN ${binder.bind(ids, 'Array(UUID)')}`;
      const sql = toDecide
        ? `SELECT ${WITHOUT_EXPLANATION}, '' AS explanation FROM ${visible(tables.evaluations)} WHERE ${where} ` +
          `ORDER BY ver DESC, metric_id, metric_version LIMIT ${MAX_TO_DECIDE} BY event_id`
        : `SELECT ${SELECTED} FROM ${visible(tables.evaluations)} WHERE ${where} ORDER BY metric_id, metric_version`;
      const rows = await runner.query<StoredRow>({ sql, bindings: binder.bindings });
      for (const row of rows) {
        const key = `${row.project}/${row.event}`;
        const ofEvent = found.get(key) ?? [];
        found.set(key, ofEvent);
        ofEvent.push(toEvaluation(row));
      }
    }
  }
  return found;
}

/**
 * Evaluations that wait, oldest first. Candidates are read without merging, because few rows ever wait; then their newest
 * states decide.
 */
export async function readPendingEvaluations(
  runner: QueryRunner,
  tables: TableNames,
  { partitions, perProject, limit }: PendingQuery,
): Promise<EvaluationRow[]> {
  if (partitions.length === 0) return [];
  const binder = new Binder();
  const owned = [`decision = 'pending'`, `log_partition IN (${partitions.map(Number).join(', ')})`];
  const key = 'project_id, event_id, metric_id, metric_version';
  const sql =
    `SELECT ${SELECTED}, log_partition FROM ${visible(tables.evaluations)} WHERE (${key}) IN ` +
    `(SELECT ${key} FROM ${tables.evaluations} WHERE ${owned.join(' AND ')}) AND ${owned.join(' AND ')} ` +
    `ORDER BY decided_at, event_id, metric_id LIMIT ${binder.bind(perProject, 'UInt64')} BY project_id LIMIT ${binder.bind(limit, 'UInt64')}`;
  const rows = await runner.query<StoredRow & { readonly log_partition: number }>({
    sql,
    bindings: binder.bindings,
  });
  return rows.map((row) => ({
    ...{ projectId: row.project, eventId: row.event, logPartition: row.log_partition },
    ...toEvaluation(row),
  }));
}

function toEvaluation(row: StoredRow): Evaluation {
  return {
    metricId: row.metric_id,
    metricVersion: row.metric_version,
    metricName: row.metric_name,
    decision: row.decision,
    reason: row.reason,
    value: JSON.parse(row.value) as JsonValue,
    explanation: row.explanation,
    errorClass: row.error_class,
    durationMs: row.duration_ms,
    cost: row.known_cost,
    promptTokens: row.prompt_tokens,
    completionTokens: row.completion_tokens,
    attempts: row.attempts,
    fingerprint: row.fingerprint,
    trigger: row.trigger,
    decidedAt: row.decided_at,
    ...(row.job_id !== null && { jobId: row.job_id }),
  };
}
