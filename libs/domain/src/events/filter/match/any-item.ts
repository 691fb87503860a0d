import type { JsonValue } from '../../../json.js';
import { inSteps, type MaybeSteps, type Steps } from '../../../steps.js';
import type { Filter, FilterOperator } from '../filter.js';
import type { FilterWork } from './filter-work.js';
import {
  FREE_LENGTH,
  negatedMatch,
  valueMatcher,
  type FilterMatch,
  type ValueMatcher,
} from './value-matcher.js';

/** Values that are compared without interruption. */
const ITEMS_PER_STEP = 10_000;

const NEGATIONS: Readonly<Partial<Record<FilterOperator, FilterOperator>>> = {
  'not exists': 'exists',
  'is not': 'is',
  'not contains': 'contains',
};

/** Returns the filter without its negation. */
export function withoutNegation(filter: Filter): { readonly negated: boolean; readonly asked: Filter } {
  const operator = NEGATIONS[filter.operator];
  return operator === undefined
    ? { negated: false, asked: filter }
    : { negated: true, asked: { ...filter, operator } };
}

/** Tells whether a filter holds for any of the values; a negation holds when what it negates holds for none. */
export function anyItemMatcher(
  filter: Filter,
): (values: readonly JsonValue[], work: FilterWork) => MaybeSteps<FilterMatch> {
  const { negated, asked } = withoutNegation(filter);
  const holds = valueMatcher(asked, true);
  return (values, work) => {
    const match =
      values.length > ITEMS_PER_STEP ? anyHoldsSteps(values, holds, work) : anyHolds(values, holds, work);
    return negated ? negatedMatch(match) : match;
  };
}

function anyHolds(
  values: readonly JsonValue[],
  holds: ValueMatcher,
  work: FilterWork,
): MaybeSteps<FilterMatch> {
  if (values.length > FREE_LENGTH && !work.take(values.length)) return 'not_decided';
  const long: Steps<FilterMatch>[] = [];
  let isDecided = true;
  for (const value of values) {
    const match = holds(value, work);
    if (match === 'matching') return match;
    if (typeof match === 'object') long.push(match);
    else if (match === 'not_decided') isDecided = false;
  }
  if (long.length > 0) return anyOf(long, isDecided);
  return isDecided ? 'not_matching' : 'not_decided';
}

/** As {@link anyHolds}, of many values. */
function* anyHoldsSteps(
  values: readonly JsonValue[],
  holds: ValueMatcher,
  work: FilterWork,
): Steps<FilterMatch> {
  let isDecided = true;
  for (let from = 0; from < values.length; from += ITEMS_PER_STEP) {
    const match = yield* inSteps(anyHolds(values.slice(from, from + ITEMS_PER_STEP), holds, work));
    if (match === 'matching') return match;
    if (match === 'not_decided') isDecided = false;
    yield;
  }
  return isDecided ? 'not_matching' : 'not_decided';
}

function* anyOf(matches: readonly Steps<FilterMatch>[], areOthersDecided: boolean): Steps<FilterMatch> {
  let isDecided = areOthersDecided;
  for (const steps of matches) {
    const match = yield* steps;
    if (match === 'matching') return match;
    if (match === 'not_decided') isDecided = false;
  }
  return isDecided ? 'not_matching' : 'not_decided';
}
