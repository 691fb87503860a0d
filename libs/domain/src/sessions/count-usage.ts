import { joinFragments, type Parents } from './join-fragments.js';
import { makeIsPriced } from './priced-calls.js';
import { listUnpriced } from './unpriced-models.js';
import {
  ancestorsOf,
  isSameCall,
  reporterAbove,
  sameSiblings,
  type ReportedUsage,
  type UsageReport,
} from './usage-report.js';

/** Total tokens and cost of events. */
export interface Usage extends Omit<ReportedUsage, 'cost'> {
  /** USD; null when the cost of a part is unknown. */
  readonly cost: number | null;
  /** The models of that part, as `listUnpriced` returns them; empty when the cost is known. */
  readonly unpricedModels: readonly string[];
}

/**
 * Returns the usage of a session without counting anything twice. If a call below another, with no call between, reports
 * the same response, or the same model and counts, only the inner one counts; of their costs a reported one, if the inner is
 * estimated. Of calls of one trace below one event that report the same response, model and counts, one counts: some instrumentations do
 * not hold the span of the client that they wrap. A total counts only if no call
 * below it reports the amount and no counted total or call above it includes it. Tokens and cost are counted
 * separately, because an event may report only one of them. An event whose parent has not arrived counts as
 * below the topmost reporter of its trace. The cost is unknown when counted tokens have none.
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
  const unpricedModels = unpricedOf(parents, { reports: sorted, tokens, costs });
  return {
    promptTokens: sumOf(tokens, 'promptTokens'),
    completionTokens: sumOf(tokens, 'completionTokens'),
    totalTokens: sumOf(tokens, 'totalTokens'),
    cost: unpricedModels.length === 0 ? sumOf(costs, 'cost') : null,
    unpricedModels,
  };
}

function unpricedOf(
  parents: Parents,
  counted: Record<'reports' | 'tokens' | 'costs', readonly UsageReport[]>,
): string[] {
  const suspects = counted.tokens.filter(({ unpricedModel }) => unpricedModel !== '');
  if (suspects.length === 0) return [];
  const isPriced = makeIsPriced(parents, counted);
  return listUnpriced(
    suspects.filter((report) => !isPriced(report)).map(({ unpricedModel }) => unpricedModel),
  );
}

function sumOf(reports: readonly UsageReport[], amount: keyof ReportedUsage): number {
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
  for (const group of sameSiblings(parents, calls)) {
    // Another report already stands for the whole group.
    const isRepeated = group.some(({ id }) => repeated.has(id));
    const kept = isRepeated
      ? undefined
      : group.reduce((one, next) => (choose(one, next) === one ? next : one));
    for (const call of group) if (call !== kept) repeated.add(call.id);
  }
  return repeated;
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
