import { finishSync, inSteps, type MaybeSteps, type Steps } from '../../steps.js';
import type { Event } from '../event.js';
import { filterPath, literalCharacters, valueAt, valuesAt, type EventPath } from './event-path.js';
import type { Filter } from './filter.js';
import { anyItemMatcher } from './match/any-item.js';
import { UNLIMITED_WORK, type FilterWork } from './match/filter-work.js';
import { FREE_LENGTH, valueMatcher, type FilterMatch } from './match/value-matcher.js';
import { filtersOfText } from './text-field.js';

/** Tells whether an event satisfies filters: immediately, unless they read long texts. */
export type FilterMatcher = (event: Event, work: FilterWork) => MaybeSteps<FilterMatch>;

/** Returns whether the event satisfies all filters, without interruption and without a limit on the work. */
export function matchesFilters(event: Event, filters: readonly Filter[]): boolean {
  return finishSync(filterMatcher(filters)(event, UNLIMITED_WORK)) === 'matching';
}

/**
 * Returns whether the event satisfies one filter. Both sides are read as the filter's type. A stored value
 * that is absent, null or of another type satisfies only the negations (`is not`, `not contains`, `not
 * exists`).
 */
export function matchesFilter(event: Event, filter: Filter): boolean {
  return matchesFilters(event, [filter]);
}

/**
 * Prepares filters for many events, all of which must hold. Those on long texts are evaluated last, in steps, and only when
 * the others hold. One filter that does not hold decides, whether or not the others are decided.
 */
export function filterMatcher(filters: readonly Filter[]): FilterMatcher {
  const compiled = filters.map(fieldMatcher);
  return (event, work) => {
    let [isDecided, long] = [true, NONE];
    for (const matches of compiled) {
      const match = matches(event, work);
      if (match === 'not_matching') return match;
      if (typeof match === 'object') long = [...long, match];
      else if (match === 'not_decided') isDecided = false;
    }
    if (long.length > 0) return allHold(long, isDecided);
    return isDecided ? 'matching' : 'not_decided';
  };
}

function fieldMatcher(filter: Filter): FilterMatcher {
  const searched = filtersOfText(filter);
  if (searched !== undefined) return textMatcher(filter, searched);
  const path = filterPath(filter.field);
  if (path === undefined) {
    const holds = valueMatcher(filter, false);
    return (_event, work) => holds(null, work);
  }
  const matches = pathMatcher(filter, path);
  const characters = literalCharacters(path);
  if (characters <= FREE_LENGTH) return matches;
  return (event, work) => (work.take(characters) ? matches(event, work) : 'not_decided');
}

function pathMatcher(filter: Filter, path: EventPath): FilterMatcher {
  if (!path.isMany) {
    const holds = valueMatcher(filter, path.isNested);
    return (event, work) => holds(valueAt(event, path), work);
  }
  const anyHolds = anyItemMatcher(filter);
  return (event, work) => {
    const values = valuesAt(event, path, (items) => items <= FREE_LENGTH || work.take(items));
    return values === undefined ? 'not_decided' : anyHolds(values, work);
  };
}

/** One filter that holds decides, whether or not the other is decided. A negation holds when all do. */
function textMatcher({ operator }: Filter, searched: readonly Filter[]): FilterMatcher {
  if (operator === 'not contains') return filterMatcher(searched);
  const matchers = searched.map(fieldMatcher);
  return function* (event, work) {
    let isDecided = true;
    for (const matches of matchers) {
      const match = yield* inSteps(matches(event, work));
      if (match === 'matching') return match;
      if (match === 'not_decided') isDecided = false;
    }
    return isDecided ? 'not_matching' : 'not_decided';
  };
}

const NONE: readonly Steps<FilterMatch>[] = [];

function* allHold(filters: readonly Steps<FilterMatch>[], areOthersDecided: boolean): Steps<FilterMatch> {
  let isDecided = areOthersDecided;
  for (const filter of filters) {
    const match = yield* filter;
    if (match === 'not_matching') return match;
    if (match === 'not_decided') isDecided = false;
  }
  return isDecided ? 'matching' : 'not_decided';
}
