import { randomUUID } from 'node:crypto';
import type { Evaluation } from '@assay/domain';
import type { EvaluationRow } from '../../event-store.js';
import { Binder } from '../engine/binder.js';
import type { SqlEngine } from '../engine/engine.js';
import type { TableNames } from '../schema/topology.js';

/** Versions of a row with one trigger: those that wait, by their attempts, then the one that is complete. */
export const STAGES = 8;
const COMPLETE = STAGES - 1;
/** Above the version of every row, so that a row that is written again stays deleted. */
const DELETED_VERSION = String((BigInt(Number.MAX_SAFE_INTEGER) + 1n) * BigInt(STAGES));
/** A cost that is not known: no number, also in every sum. */
const UNKNOWN_COST = 'nan';
const INSERT_SETTINGS = { async_insert: 0, distributed_foreground_insert: 1 };

/**
 * Writes the states of evaluations. Of one evaluation the state with the higher trigger stays, then the one of the later
 * stage, in whatever order they are written.
 */
export async function writeEvaluations(
  engine: SqlEngine,
  tables: TableNames,
  { rows, token }: { readonly rows: readonly EvaluationRow[]; readonly token: string },
): Promise<void> {
  await insertLines(engine, tables, rows.map(rowOf), token);
}

interface RowKey {
  readonly metric_id: string;
  readonly metric_version: string;
  readonly event: string;
}

/** Deletes the rows of events of one project, at most 1,000, for ever. */
export async function removeEvaluations(
  engine: SqlEngine,
  tables: TableNames,
  { projectId, eventIds }: { readonly projectId: string; readonly eventIds: readonly string[] },
): Promise<void> {
  const binder = new Binder();
  const where = `project_id = ${binder.text(projectId)} AND event_id IN ${binder.bind(eventIds, 'Array(UUID)')}`;
  const sql = `SELECT toString(event_id) AS event, metric_id, metric_version FROM ${tables.evaluations} FINAL WHERE ${where}`;
  const found = await engine.query<RowKey>({ sql, bindings: binder.bindings });
  const rows = found.map(({ event: event_id, ...key }) => ({
    ...{ project_id: projectId, event_id, ...key },
    ...{ ver: DELETED_VERSION, is_deleted: 1 },
  }));
  await insertLines(engine, tables, rows, randomUUID());
}

async function insertLines(
  engine: SqlEngine,
  tables: TableNames,
  rows: readonly object[],
  token: string,
): Promise<void> {
  if (rows.length === 0) return;
  await engine.insert({
    table: tables.evaluations,
    format: 'JSONEachRow',
    parts: rows.map((row) => Buffer.from(`${JSON.stringify(row)}\n`)),
    settings: { ...INSERT_SETTINGS, insert_deduplication_token: token },
  });
}

function rowOf(row: EvaluationRow): object {
  return {
    project_id: row.projectId,
    event_id: row.eventId,
    metric_id: row.metricId,
    metric_version: row.metricVersion,
    metric_name: row.metricName,
    decision: row.decision,
    reason: row.reason,
    value: JSON.stringify(row.value),
    explanation: row.explanation,
    error_class: row.errorClass,
    duration_ms: row.durationMs,
    cost: row.cost ?? UNKNOWN_COST,
    prompt_tokens: row.promptTokens,
    completion_tokens: row.completionTokens,
    attempts: row.attempts,
    fingerprint: row.fingerprint,
    decided_at: row.decidedAt,
    job_id: row.jobId ?? null,
    log_partition: row.logPartition,
    ver: versionOf(row),
    is_deleted: 0,
  };
}

/** As decimal text: it can exceed the numbers that JSON carries exactly. */
function versionOf({ trigger, decision, attempts }: Evaluation): string {
  const stage = decision === 'pending' ? Math.min(attempts, COMPLETE - 1) : COMPLETE;
  return String(BigInt(trigger) * BigInt(STAGES) + BigInt(stage));
}
