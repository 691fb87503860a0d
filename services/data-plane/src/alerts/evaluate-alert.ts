import type { AlertTurn, ClaimedAlert } from '@assay/control-plane-client';
import {
  acceptChartMeasure,
  acceptFilters,
  alertOutcome,
  comparedValue,
  mayLeaveAsNumber,
  type Filter,
  type Redaction,
} from '@assay/domain';
import type { AggregatesPort, QueryOptions } from '@assay/event-store';

export interface EvaluateAlertDeps {
  readonly store: { readonly aggregates: Pick<AggregatesPort, 'chart'> };
  readonly redaction: Redaction;
}

const MINUTE_MS = 60_000;

/**
 * Returns a function that reads the windows of an alert from the store. A value that redaction keeps in the data plane is compared, but
 * not part of the result. @throws AppError as the store
 */
export function makeEvaluateAlert({ store, redaction }: EvaluateAlertDeps) {
  return async function evaluateAlert(
    alert: ClaimedAlert,
    options: QueryOptions,
  ): Promise<AlertTurn['windows']> {
    const lengthMs = alert.window_minutes * MINUTE_MS;
    const leaves = mayLeave(alert, redaction);
    const read = makeReadValue(store, alert, options);
    const windows: AlertTurn['windows'][number][] = [];
    for (const end of alert.ends) {
      const value = await read(end - lengthMs, end);
      const before = alert.compare === 'change' ? await read(end - 2 * lengthMs, end - lengthMs) : null;
      const compared = comparedValue(alert.compare, value, before);
      windows.push({ end, outcome: alertOutcome(alert, compared), value: leaves ? compared : null });
    }
    return windows;
  };
}

/** Reads the value of the events that start from `from` to before `to`; null when there is none. */
function makeReadValue(
  { aggregates }: EvaluateAlertDeps['store'],
  { projectId, metric, func, query, part }: ClaimedAlert,
  options: QueryOptions,
) {
  const filters = acceptFilters(query, 'stored', 'query');
  const ofPart = part && [...filters, ...acceptFilters(part, 'stored', 'part')];
  const value = acceptChartMeasure({ metric, func });
  const isCount = value.aggregation.kind === 'count' || value.aggregation.kind === 'distinct';

  async function chart(of: readonly Filter[], from: number, to: number) {
    const range = { from, to: to - 1, starts: [from] };
    return aggregates.chart(projectId, { filters: of, ...range, value, maxGroups: 1 }, options);
  }

  return async function read(from: number, to: number): Promise<number | null> {
    const { points, total } = await chart(filters, from, to);
    if (ofPart === null) return total === 0 && isCount ? 0 : (points[0]?.value ?? null);
    if (total === 0) return null;
    return ((await chart(ofPart, from, to)).total / total) * 100;
  };
}

/** Counts and shares say how many events there are, which the control plane may know. */
function mayLeave({ metric, func, part }: ClaimedAlert, redaction: Redaction): boolean {
  const { field, aggregation } = acceptChartMeasure({ metric, func });
  if (part !== null || aggregation.kind === 'count' || aggregation.kind === 'distinct') return true;
  return mayLeaveAsNumber(field, redaction);
}
