import { visible } from '../rows/visible.js';
import type { DecidedEvents, EvaluationDecision } from '@assay/domain';
import { Binder } from '../../engine/binder.js';
import type { QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { chunks } from '../rows/chunks.js';
import { NEWER } from './count-decisions.js';
import { isStoredId } from '../rows/stored-id.js';

/** Ids of one parameter: about 195 KB of text. A ClickHouse server parses at most 256 KiB of one. */
const IDS_PER_PARAMETER = 5_000;
/** Ids of one statement: its time and memory grow faster than their number. */
const IDS_PER_QUERY = 20_000;

interface DecidedRow {
  readonly name: string;
  readonly last_decision: EvaluationDecision;
  readonly events: number;
  readonly ids: readonly string[];
}

/** The newest decisions about events by the name of the metric. Ids of events with a score, or excluded by a rule, are not sent. */
export async function readDecidedEvents(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  eventIds: readonly string[],
): Promise<DecidedEvents[]> {
  const found: DecidedEvents[] = [];
  for (const ids of chunks(eventIds.filter(isStoredId), IDS_PER_QUERY)) {
    const binder = new Binder();
    const among = [...chunks(ids, IDS_PER_PARAMETER)].map(
      (part) => `event_id IN ${binder.bind(part, 'Array(UUID)')}`,
    );
    const where = `project_id = ${binder.text(projectId)} AND (${among.join(' OR ')})`;
    const newest = `SELECT event_id, argMax(metric_name, ${NEWER}) AS name, argMax(decision, ${NEWER}) AS last_decision FROM ${visible(tables.evaluations)} WHERE ${where} GROUP BY event_id, metric_id`;
    const sql = `SELECT name, last_decision, count() AS events, groupArrayIf(toString(event_id), last_decision NOT IN (${LEFT_OUT})) AS ids FROM (${newest}) GROUP BY name, last_decision ORDER BY name, last_decision`;
    const rows = await runner.query<DecidedRow>({ sql, bindings: binder.bindings });
    for (const { name: metricName, last_decision: decision, events, ids: named } of rows)
      found.push({ metricName, decision, events, eventIds: named });
  }
  return found;
}

const LEFT_OUT = `'scored', 'disabled', 'not_matching', 'sampled_out', 'no_ground_truth'`;
