import { visible } from '../rows/visible.js';
import type { EvaluationDecision } from '@assay/domain';
import type { DecisionCount, DecisionQuery } from '../../../event-store.js';
import { Binder } from '../../engine/binder.js';
import type { QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';

/** An evaluation by a version that was deployed meanwhile has the trigger of the one that it replaces, which ended as `disabled`. */
export const NEWER = `tuple(ver, decision != 'disabled')`;

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
  const newest = `SELECT event_id, argMax(decision, ${NEWER}) AS last_decision, argMax(error_class, ${NEWER}) AS code, sum(cost) AS cost FROM ${visible(tables.evaluations)} WHERE ${where.join(' AND ')} GROUP BY event_id`;
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
