import type { JsonValue } from '../../../json.js';
import type { MaybeSteps, Steps } from '../../../steps.js';
import type { Filter, FilterOperator } from '../filter.js';
import type { FilterWork } from './filter-work.js';
import { foldText } from './fold-text.js';
import { readAs } from './read-as.js';
import { textAtPath, textOf, type ScalarText } from './scalar-text.js';
import { chunksOfText, CHUNK_LENGTH } from '../../../text-chunks.js';
import { containsText } from './text-search.js';
import { valuesWithin } from './values-within.js';

/** Whether an event satisfies filters; `not_decided` when that takes more work than they may do. */
export type FilterMatch = 'matching' | 'not_matching' | 'not_decided';

/** Tells whether a filter holds for a stored value: immediately, unless it reads a long text. */
export type ValueMatcher = (stored: JsonValue, work: FilterWork) => MaybeSteps<FilterMatch>;

/** Texts up to this length are read whatever work is left, so that filters on names and ids are always decided. */
export const FREE_LENGTH = 64;

/**
 * Returns the matcher of one filter. Both sides are read as the type of the filter.
 * @param isNested whether the values are those of a path into a field
 */
export function valueMatcher(filter: Filter, isNested: boolean): ValueMatcher {
  const { operator, value } = filter;
  const textIn = isNested ? textAtPath : textOf;
  switch (operator) {
    case 'exists':
      return (stored) => matchIf(stored !== null);
    case 'not exists':
      return (stored) => matchIf(stored === null);
    case 'is':
    case 'in':
      return equality(filter);
    case 'is not':
      return negated(equality(filter));
    case 'contains':
      return container(value, textIn);
    case 'not contains':
      return negated(container(value, textIn));
    default:
      return comparison(operator, filter);
  }
}

function matchIf(holds: boolean): FilterMatch {
  return holds ? 'matching' : 'not_matching';
}

function negated(matcher: ValueMatcher): ValueMatcher {
  return (stored, work) => negatedMatch(matcher(stored, work));
}

/** Returns the opposite of a match, which stays undecided if it is. */
export function negatedMatch(match: MaybeSteps<FilterMatch>): MaybeSteps<FilterMatch> {
  return typeof match === 'object' ? negatedSteps(match) : opposite(match);
}

function* negatedSteps(steps: Steps<FilterMatch>): Steps<FilterMatch> {
  return opposite(yield* steps);
}

function opposite(match: FilterMatch): FilterMatch {
  return match === 'not_decided' ? match : matchIf(match === 'not_matching');
}

function equality({ type, value }: Filter): ValueMatcher {
  const values = new Set<unknown>(typeof value === 'object' ? value : [value]);
  const maxLength = Math.max(0, ...[...values].map((one) => (typeof one === 'string' ? one.length : 0)));
  return (stored, work) => {
    if (stored === null) return 'not_matching';
    const read = readAs(stored, type, { work, maxLength, freeLength: FREE_LENGTH });
    return read === 'not_decided' ? read : matchIf(read.value !== undefined && values.has(read.value));
  };
}

function comparison(operator: Comparison, { type, value: bound }: Filter): ValueMatcher {
  return (stored, work) => {
    if (stored === null || typeof bound !== 'number') return 'not_matching';
    const read = readAs(stored, type, { work, maxLength: 0, freeLength: FREE_LENGTH });
    if (read === 'not_decided') return read;
    return matchIf(typeof read.value === 'number' && holds(operator, read.value, bound));
  };
}

type Comparison = Extract<
  FilterOperator,
  'greater than' | 'less than' | 'greater than or equal' | 'less than or equal' | 'after' | 'before'
>;

function holds(operator: Comparison, stored: number, bound: number): boolean {
  switch (operator) {
    case 'greater than':
    case 'after':
      return stored > bound;
    case 'less than':
    case 'before':
      return stored < bound;
    case 'greater than or equal':
      return stored >= bound;
    case 'less than or equal':
      return stored <= bound;
  }
}

function container(value: Filter['value'], textIn: ScalarText): ValueMatcher {
  if (typeof value !== 'string') return () => 'not_matching';
  const pattern = foldText(value);
  return (stored, work) => {
    if (stored === null) return 'not_matching';
    if (typeof stored === 'object') return valuesContain(stored, { pattern, textIn, work });
    const text = textIn(stored);
    if (text.length > FREE_LENGTH) return containsSteps(chunksOfText(text), pattern, work);
    return matchIf(containsText(foldText(text), pattern));
  };
}

/** Searches a text in parts. Each part begins with the end of the one before, where the pattern may have begun. */
function* containsSteps(chunks: Iterable<string>, pattern: string, work: FilterWork): Steps<FilterMatch> {
  if (pattern === '') return 'matching';
  let end = '';
  for (const chunk of chunks) {
    const text = end + foldText(chunk);
    if (!work.take(text.length)) return 'not_decided';
    if (containsText(text, pattern)) return 'matching';
    end = pattern.length === 1 ? '' : text.slice(1 - pattern.length);
    yield;
  }
  return 'not_matching';
}

/** Searches the texts, numbers and booleans within a list or an object, each on its own: neither its keys nor its JSON. */
function* valuesContain(
  stored: JsonValue,
  { pattern, textIn, work }: { pattern: string; textIn: ScalarText; work: FilterWork },
): Steps<FilterMatch> {
  if (pattern === '') return 'matching';
  let read = 0;
  for (const value of valuesWithin(stored)) {
    const text = typeof value === 'object' ? '' : textIn(value);
    if (text.length > CHUNK_LENGTH) {
      const match = yield* containsSteps(chunksOfText(text), pattern, work);
      if (match !== 'not_matching') return match;
      continue;
    }
    if (!work.take(text.length + 1)) return 'not_decided';
    if (containsText(foldText(text), pattern)) return 'matching';
    read += text.length + 1;
    if (read < CHUNK_LENGTH) continue;
    read = 0;
    yield;
  }
  return 'not_matching';
}
