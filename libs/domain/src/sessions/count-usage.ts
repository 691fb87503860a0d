import { joinFragments, type Parents } from './join-fragments.js';

/** Total tokens and cost (USD) of events. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
  readonly cost: number;
}

/** Usage that one event of a session reports. Ids and texts are replaced by numbers; 0 means none. */
export interface UsageReport extends Usage {
  readonly id: number;
  readonly trace: number;
  /**
   * Whether it is a total over the events below (`aggregate_usage`), rather than a model call of the event
   * itself.
   */
  readonly isSum: boolean;
  /** Response of a call. */
  readonly response: number;
  /** Model of a call, by its plain name, together with its token counts. */
  readonly counts: number;
  /** Whether the cost is an estimate from the price table. */
  readonly isCostEstimated: boolean;
}

/**
 * Returns the usage of a session without counting anything twice. If a call below another, with no call between, reports
 * the same response, or the same model and counts, only the inner one counts; of their costs a reported one, if the inner is
 * estimated. A total counts only if no call
 * below it reports the amount and no counted total or call above it includes it. Tokens and cost are counted
 * separately, because an event may report only one of them. An event whose parent has not arrived counts as
 * below the topmost reporter of its trace.
 */
export function countUsage(parents: Parents, reports: readonly UsageReport[]): Usage {
  // Sums of fractions depend on their order, so the same reports are added up in the same one.
  const sorted = [...reports].sort((one, other) => one.id - other.id);
  const tokens = countedOf(
    parents,
    sorted.filter((report) => report.promptTokens + report.completionTokens + report.totalTokens > 0),
    (outer) => outer,
  );
  const costs = countedOf(
    parents,
    sorted.filter((report) => report.cost > 0),
    (outer, inner) => (inner.isCostEstimated && !outer.isCostEstimated ? inner : outer),
  );
  return {
    promptTokens: sumOf(tokens, 'promptTokens'),
    completionTokens: sumOf(tokens, 'completionTokens'),
    totalTokens: sumOf(tokens, 'totalTokens'),
    cost: sumOf(costs, 'cost'),
  };
}

function sumOf(reports: readonly UsageReport[], amount: keyof Usage): number {
  return reports.reduce((sum, report) => sum + report[amount], 0);
}

/** Chooses which of two reports of one call does not count. */
type Repeated = (outer: UsageReport, inner: UsageReport) => UsageReport;

function countedOf(parents: Parents, reports: readonly UsageReport[], choose: Repeated): UsageReport[] {
  const calls = reports.filter((report) => !report.isSum);
  const sums = reports.filter((report) => report.isSum);
  const repeated = repeatedCalls(parents, calls, choose);
  const counted = calls.filter((call) => !repeated.has(call.id));
  return sums.length === 0 ? counted : [...counted, ...countedSums(parents, sums, calls)];
}

/** Returns the calls that another report of the same call stands for. */
function repeatedCalls(parents: Parents, calls: readonly UsageReport[], choose: Repeated): Set<number> {
  const byId = new Map(calls.map((call) => [call.id, call]));
  const above = reporterAbove(parents, new Set(byId.keys()));
  const repeated = new Set<number>();
  for (const inner of calls) {
    const outer = byId.get(above(inner.id));
    if (outer !== undefined && outer !== inner && isSameCall(outer, inner))
      repeated.add(choose(outer, inner).id);
  }
  return repeated;
}

function isSameCall(one: UsageReport, other: UsageReport): boolean {
  return (
    (one.response !== 0 && one.response === other.response) ||
    (one.counts !== 0 && one.counts === other.counts)
  );
}

/** Returns the totals that no call below reports and that no total or call above includes. */
function countedSums(
  sent: Parents,
  sums: readonly UsageReport[],
  calls: readonly UsageReport[],
): UsageReport[] {
  const parents = joinFragments(sent, [...sums, ...calls]);
  const callIds = new Set(calls.map((call) => call.id));
  const holders = ancestorsOf(callIds, parents);
  const above = reporterAbove(parents, new Set([...sums.map((sum) => sum.id), ...callIds]));
  // A total with calls below it does not count, so a total below it without calls is not included in one that
  // counts.
  const isPart = (reporter: number) => reporter !== 0 && (callIds.has(reporter) || !holders.has(reporter));
  return sums.filter(({ id }) => !holders.has(id) && !isPart(above(id)));
}

function ancestorsOf(ids: Iterable<number>, parents: Parents): Set<number> {
  const ancestors = new Set<number>();
  for (const id of ids) {
    for (let at = parents.get(id) ?? 0; at !== 0 && !ancestors.has(at); at = parents.get(at) ?? 0)
      ancestors.add(at);
  }
  return ancestors;
}

/**
 * Returns a function that finds the nearest reporter above an event, 0 if there is none or the way up is a cycle. Visits every
 * event once.
 */
function reporterAbove(parents: Parents, reporters: ReadonlySet<number>): (id: number) => number {
  const known = new Map<number, number>([[0, 0]]);
  return (id) => {
    const path = new Set<number>();
    let found: number | undefined;
    for (let at = id; found === undefined;) {
      path.add(at);
      at = parents.get(at) ?? 0;
      found = reporters.has(at) ? at : path.has(at) ? 0 : known.get(at);
    }
    for (const passed of path) known.set(passed, found);
    return found;
  };
}
