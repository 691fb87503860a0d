import type { Evaluation, EvaluationDecision, JsonValue } from '@assay/domain';
import type {
  DecisionCount,
  DecisionQuery,
  EventKey,
  EvaluationRow,
  PendingQuery,
} from '../../event-store.js';
import { Binder } from '../engine/binder.js';
import type { QueryRunner } from '../engine/engine.js';
import type { TableNames } from '../schema/topology.js';
import { STAGES } from '../write/write-evaluations.js';
import { chunks } from './chunks.js';
import { byProject } from './read-states.js';

/** Ids of one statement. */
const IDS_PER_QUERY = 1_000;

const SELECTED =
  'project_id AS project, toString(event_id) AS event, metric_id, metric_version, metric_name, decision, reason, value, ' +
  'explanation, error_class, duration_ms, if(isNaN(cost), NULL, cost) AS known_cost, prompt_tokens, completion_tokens, attempts, fingerprint, decided_at, job_id, ' +
  `intDiv(ver, ${STAGES}) AS trigger`;

/** An evaluation by a version that was deployed meanwhile has the trigger of the one that it replaces, which ended as `disabled`. */
export const NEWER = `tuple(ver, decision != 'disabled')`;

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
  keys: readonly EventKey[],
): Promise<Map<string, Evaluation[]>> {
  const found = new Map<string, Evaluation[]>();
  for (const [projectId, eventIds] of byProject(keys)) {
    for (const ids of chunks([...eventIds], IDS_PER_QUERY)) {
      const binder = new Binder();
      const where = `project_id = ${binder.text(projectId)} AND event_id IN ${binder.bind(ids, 'Array(UUID)')}`;
      const sql = `SELECT ${SELECTED} FROM ${tables.evaluations} FINAL WHERE ${where} ORDER BY metric_id, metric_version`;
      const rows = await runner.query<StoredRow>({ sql, bindings: binder.bindings });
      for (const row of rows) {
        const key = `${row.project}/${row.event}`;
        found.set(key, [...(found.get(key) ?? []), toEvaluation(row)]);
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
    `SELECT ${SELECTED}, log_partition FROM ${tables.evaluations} FINAL WHERE (${key}) IN ` +
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

/** How many events of a metric have each decision; of several versions the newest counts. */
export async function countDecisions(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  { metricId, from, to }: DecisionQuery,
): Promise<DecisionCount[]> {
  const binder = new Binder();
  const where = [`project_id = ${binder.text(projectId)}`, `metric_id = ${binder.text(metricId)}`];
  if (from !== undefined) where.push(`decided_at >= ${binder.number(from)}`);
  if (to !== undefined) where.push(`decided_at <= ${binder.number(to)}`);
  const newest = `SELECT event_id, argMax(decision, ${NEWER}) AS last_decision, argMax(error_class, ${NEWER}) AS code, sum(cost) AS cost FROM ${tables.evaluations} FINAL WHERE ${where.join(' AND ')} GROUP BY event_id`;
  const sql = `SELECT last_decision AS decision, code, count() AS events, if(isNaN(sum(n.cost)), NULL, sum(n.cost)) AS total_cost FROM (${newest}) AS n GROUP BY last_decision, code ORDER BY last_decision, code`;
  const rows = await runner.query<CountRow>({ sql, bindings: binder.bindings });
  const counts = new Map<EvaluationDecision, DecisionCount>();
  for (const { decision, code, events, total_cost: cost } of rows) {
    const { errorCodes, ...before } = counts.get(decision) ?? { events: 0, cost: 0, errorCodes: {} };
    counts.set(decision, {
      ...{
        decision,
        events: before.events + events,
        cost: before.cost === null || cost === null ? null : before.cost + cost,
      },
      errorCodes: code === '' ? errorCodes : { ...errorCodes, [code]: events },
    });
  }
  return [...counts.values()];
}

interface CountRow {
  readonly decision: EvaluationDecision;
  /** Code of the failure; empty without one. */
  readonly code: string;
  readonly events: number;
  readonly total_cost: number | null;
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
