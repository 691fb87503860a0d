import { validationError } from '@assay/errors';
import type { QueryObject } from './query-string.js';

/** Other words for what a parameter means: distance would suggest another one. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['evaluation_id', 'run_id', 'run_ids', 'run', 'evaluation', 'experiment', 'experiment_id'],
  [
    'dateRange',
    'from',
    'to',
    'since',
    'until',
    'start',
    'end',
    'start_time',
    'end_time',
    'startDate',
    'endDate',
  ],
  ['filters', 'filter', 'where', 'query', 'q'],
  ['limit', 'size', 'page_size', 'per_page', 'top', 'count'],
  ['cursor', 'page', 'offset', 'skip', 'next', 'next_cursor', 'page_token'],
];
/** Longest part of a name that is looked at and named in an error. */
const MAX_NAME = 64;

/**
 * Rejects a parameter that the route does not have: ignoring one that should narrow a response would return too much without a
 * word. Clients in Python send an absent argument as the text `None`, which is none.
 * @throws AppError `VALIDATION_ERROR` that names the parameter and the nearest one of the route
 */
export function assertKnownParameters(
  query: QueryObject,
  known: readonly string[],
  ignored: readonly string[],
): void {
  for (const [name, value] of Object.entries(query)) {
    if (known.includes(name) || ignored.includes(name) || value === 'None') continue;
    const quoted = name.slice(0, MAX_NAME).replace(/[^\x20-\x7e]/g, '?');
    const nearest = nearestOf(name.slice(0, MAX_NAME), known);
    throw validationError(
      `${quoted} is not a parameter of this route${nearest === undefined ? ', which has none' : `: did you mean ${nearest}`}`,
    );
  }
}

/** Returns the known name that means the same, or else the most similar one; undefined when none is known. */
function nearestOf(name: string, known: readonly string[]): string | undefined {
  const plain = plainName(name);
  const same = known.find((one) => plainName(one) === plain) ?? known.find((one) => areSynonyms(plain, one));
  if (same !== undefined) return same;
  const [nearest] = known
    .map((one) => ({ one, distance: editDistance(plain, plainName(one)) }))
    .sort((a, b) => a.distance - b.distance);
  return nearest?.one;
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function areSynonyms(plain: string, other: string): boolean {
  return SYNONYMS.some((words) => words.includes(other) && words.some((word) => plainName(word) === plain));
}

/** Insertions, deletions and replacements that turn one text into the other. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let to = 1; to <= other.length; to++) {
      const replaced = (row[to - 1] ?? 0) + Number(one[at - 1] !== other[to - 1]);
      next.push(Math.min(replaced, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
