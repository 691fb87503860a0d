import { visible } from './visible.js';
import type { RunMembers } from '../../../run-members.js';
import type { Binder } from '../../engine/binder.js';
import type { TableNames } from '../../schema/topology.js';
import { chunks } from './chunks.js';
import { exactScope, type Scope } from './scope.js';
import { isStoredId } from './stored-id.js';

/** Sessions that runs list and that are looked at. */
const MAX_LISTED_SESSIONS = 20_000;
/** About 205 KB of text. A ClickHouse server parses at most 256 KiB of one parameter. */
const SESSIONS_PER_PARAMETER = 5_000;
const KEY = 'start_hour, session_id, event_id';

/**
 * Condition on rows of the scope that holds for the events of runs, by the rule of `sessionsOfRun` of the domain. Each way to
 * belong to a run is a query of its own, so that the engine looks each of them up in an index.
 */
export function inRuns(tables: TableNames, scope: Scope, runs: RunMembers, binder: Binder): string {
  const rows = `SELECT ${KEY} FROM ${visible(tables.events)} WHERE`;
  const inScope = exactScope(scope, binder).join(' AND ');
  const ways = memberships(tables, scope.projectId, runs, binder).map(
    (way) => `${rows} ${inScope} AND ${way}`,
  );
  return `(${KEY}) IN (${ways.join(' UNION ALL ')})`;
}

/** Condition that holds for the rows of sessions that have an event of one of the runs, or that one lists. */
export function inSessionsOfRuns(
  tables: TableNames,
  projectId: string,
  runs: RunMembers,
  binder: Binder,
): string {
  const naming = `SELECT session_id FROM ${visible(tables.events)} WHERE project_id = ${binder.text(projectId)} AND ${namesRun(runs, binder)}`;
  const listed = listedSessions(runs, binder).map((ids) => `SELECT arrayJoin(${ids})`);
  return `session_id IN (${[naming, ...listed].join(' UNION ALL ')})`;
}

/** Conditions of which one holds for each event of the runs. */
function memberships(tables: TableNames, projectId: string, runs: RunMembers, binder: Binder): string[] {
  const named = namesRun(runs, binder);
  const project = `project_id = ${binder.text(projectId)}`;
  const naming = `SELECT session_id FROM ${visible(tables.events)} WHERE ${project} AND ${named} AND event_id = session_id`;
  return [
    named,
    `run_id = '' AND session_id IN (${naming})`,
    ...listedSessions(runs, binder).map((ids) => `session_id IN ${ids}`),
  ];
}

function namesRun({ runId }: RunMembers, binder: Binder): string {
  return runId === undefined ? `run_id != ''` : `run_id = ${binder.text(runId)}`;
}

function listedSessions({ sessionIds }: RunMembers, binder: Binder): string[] {
  const listed = [...new Set(sessionIds)].filter(isStoredId).slice(0, MAX_LISTED_SESSIONS);
  return chunks(listed, SESSIONS_PER_PARAMETER).map((ids) => binder.bind(ids, 'Array(UUID)'));
}
