import { visible } from '../rows/visible.js';
import type { RunScoresQuery } from '../../../aggregates-port.js';
import { Binder } from '../../engine/binder.js';
import type { Query } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { isStoredId } from '../rows/stored-id.js';

/** Names of scores of one run: the first ones of more. */
const MAX_NAMES = 200;
/** Sessions that runs list, over all runs. A ClickHouse server parses at most 256 KiB of one parameter. */
const MAX_LISTED_SESSIONS = 5_000;

/** The scores of one name in one run. */
export interface RunScoreRow {
  readonly run: string;
  readonly name: string;
  readonly average: number;
  readonly scores: number;
  readonly numbers: number;
  /** Null without numbers. */
  readonly number_average: number | null;
  readonly trues: number;
}

/**
 * The statement that averages the scores of runs. Events belong to a run as `sessionsOfRun` of the domain says:
 * they name it, or their session does and they name none, or the run lists their session.
 */
export function runScoresQuery(tables: TableNames, projectId: string, { runs }: RunScoresQuery): Query {
  const binder = new Binder();
  const project = `project_id = ${binder.text(projectId)}`;
  const ids = `run_id IN ${binder.texts(runs.map(({ runId }) => runId))}`;
  const rows = `FROM ${visible(tables.events)}`;
  const scored = `metrics NOT IN ('', '{}')`;
  const links = [
    `SELECT session_id AS linked, run_id AS run, 0 AS is_listed ${rows} WHERE ${project} AND ${ids} AND event_id = session_id`,
    ...listedSessions(runs, binder),
  ].join(' UNION ALL ');
  const ofSessions =
    `SELECT session_id, event_id, run_id, metrics ${rows} ` +
    `PREWHERE ${project} AND session_id IN (SELECT linked FROM links) WHERE ${scored}`;
  const events = [
    `SELECT run_id AS run, event_id, metrics ${rows} WHERE ${project} AND ${ids} AND ${scored}`,
    `SELECT run, event_id, metrics FROM (${ofSessions}) AS e INNER JOIN links AS l ON e.session_id = l.linked ` +
      `WHERE l.is_listed = 1 OR e.run_id = ''`,
  ].join(' UNION ALL ');
  const once = `SELECT run, metrics FROM (${events}) LIMIT 1 BY run, event_id`;
  const scores = `SELECT run, arrayJoin(${SCORES}) AS score FROM (${once})`;
  const sql =
    `WITH links AS (${links}) SELECT run, score.1 AS name, ${averageOf('1')} AS average, toUInt32(count()) AS scores, ` +
    `toUInt32(countIf(score.3 = 0)) AS numbers, ${averageOf('score.3 = 0')} AS number_average, ` +
    `toUInt32(countIf(score.3 = 1 AND score.2 = 1)) AS trues ` +
    `FROM (${scores}) GROUP BY run, name ORDER BY run, name LIMIT ${MAX_NAMES} BY run`;
  return { sql, bindings: binder.bindings };
}

/** A power of two that keeps the sum of as many doubles of any size finite. */
const SCALE = 2 ** 40;

/** The average of the scores that satisfy a condition. A sum beyond the range of a double does not make it infinite. */
function averageOf(condition: string): string {
  const average = `(sumKahanIf(score.2, ${condition}) / countIf(${condition}))`;
  const scaled = `avgIf(score.2 / ${SCALE}, ${condition}) * ${SCALE}`;
  const largest = `${Number.MAX_VALUE}`;
  return `if(isInfinite(${average}) OR isNaN(${average}), least(greatest(${scaled}, -${largest}), ${largest}), ${average})`;
}

/** Pairs of a listed session and its run. */
function listedSessions(runs: RunScoresQuery['runs'], binder: Binder): string[] {
  const pairs = runs
    .flatMap(({ runId, sessionIds }) => sessionIds.filter(isStoredId).map((id) => ({ runId, id })))
    .slice(0, MAX_LISTED_SESSIONS);
  if (pairs.length === 0) return [];
  const sessions = binder.bind(
    pairs.map(({ id }) => id),
    'Array(UUID)',
  );
  const named = binder.texts(pairs.map(({ runId }) => runId));
  return [
    `SELECT pair.1 AS linked, pair.2 AS run, 1 AS is_listed FROM (SELECT arrayJoin(arrayZip(${sessions}, ${named})) AS pair)`,
  ];
}

/** Numbers and booleans among the metrics, with 1 for a boolean; texts are none. */
const SCORES = `arrayFilter(s -> isNotNull(s.2) AND isFinite(assumeNotNull(s.2)), arrayMap(
  m -> (m.1, multiIf(m.2 = 'true', 1., m.2 = 'false', 0., toFloat64OrNull(m.2)), m.2 IN ('true', 'false')), JSONExtractKeysAndValuesRaw(metrics)))`.replace(
  /\s+/g,
  ' ',
);
