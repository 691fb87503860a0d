import { joinFragments, type Parents } from './join-fragments.js';
import { ancestorsOf, isSameCall, reporterAbove, sameSiblings, type UsageReport } from './usage-report.js';

/** What a session reports, and which reports its cost is the sum of. */
export interface CountedCosts {
  readonly reports: readonly UsageReport[];
  readonly costs: readonly UsageReport[];
}

/**
 * Returns a function that decides whether another event reports the cost of one that reports tokens without a cost: another
 * layer of the same call, one beside it, or a counted total above it; of a total the events below it.
 */
export function makeIsPriced(
  parents: Parents,
  { reports, costs }: CountedCosts,
): (report: UsageReport) => boolean {
  const isPricedCall = makeIsPricedCall(
    parents,
    reports.filter(({ isSum }) => !isSum),
  );
  const joined = joinFragments(parents, reports);
  const totals = costs.filter(({ isSum }) => isSum).map(({ id }) => id);
  const totalAbove = reporterAbove(joined, new Set(totals));
  const holders = ancestorsOf(
    costs.map(({ id }) => id),
    joined,
  );
  return (report) =>
    totalAbove(report.id) !== 0 || (report.isSum ? holders.has(report.id) : isPricedCall(report));
}

const isCosted = ({ unpricedModel }: UsageReport): boolean => unpricedModel === '';

/** The layers of one call follow each other upwards, without another call between. */
function makeIsPricedCall(parents: Parents, calls: readonly UsageReport[]) {
  const byId = new Map(calls.map((call) => [call.id, call]));
  const above = reporterAbove(parents, new Set(byId.keys()));
  const outerLayer = (call: UsageReport) => {
    const outer = byId.get(above(call.id));
    return outer !== undefined && outer !== call && isSameCall(outer, call) ? outer : undefined;
  };
  const pricedBelow = new Set<UsageReport>();
  for (const call of calls) {
    if (call.unpricedModel !== '') continue;
    for (let at = outerLayer(call); at !== undefined && !pricedBelow.has(at); at = outerLayer(at))
      pricedBelow.add(at);
  }
  const groups = sameSiblings(parents, calls);
  const pricedBeside = new Set(groups.filter((group) => group.some(isCosted)).flat());
  return function isPricedCall(call: UsageReport): boolean {
    if (pricedBelow.has(call) || pricedBeside.has(call)) return true;
    const passed = new Set<UsageReport>();
    for (let at = outerLayer(call); at !== undefined && !passed.has(at); at = outerLayer(at)) {
      if (at.unpricedModel === '') return true;
      passed.add(at);
    }
    return false;
  };
}
