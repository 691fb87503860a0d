import { validationError } from '@assay/errors';
import type { FilterInput } from '../events/filter/accept-filters.js';
import { ROOT_FIELDS } from '../events/filter/event-path.js';
import { DOTTED_INDEX, hasDottedIndex } from '../events/filter/field-parts.js';
import { indexWarnings } from '../events/filter/stored-warnings.js';

/** The parts of a chart that name fields of events. Absent parts are not checked. */
export interface ChartPaths {
  readonly metric?: string;
  readonly groupBy?: string | null;
}

/**
 * Checks the fields that a request names. Charts of earlier releases may have an index between dots, which is read as a key.
 * @throws AppError `VALIDATION_ERROR` naming the part
 */
export function checkChartPaths(paths: ChartPaths): void {
  const [wrong] = dottedParts(paths);
  if (wrong !== undefined) throw validationError(`${wrong} ${DOTTED_INDEX}`);
}

/** Returns what is wrong with a stored chart that a request would be refused for. */
export function chartWarnings(
  chart: ChartPaths & { readonly query: readonly FilterInput[] | null },
): string[] {
  return [
    ...dottedParts(chart).map((name) => `${name} ${DOTTED_INDEX}`),
    ...indexWarnings(chart.query ?? [], 'query'),
  ];
}

function dottedParts({ metric, groupBy }: ChartPaths): string[] {
  return Object.entries({ metric, groupBy }).flatMap(([name, field]) =>
    typeof field === 'string' && isField(field) && hasDottedIndex(field) ? [name] : [],
  );
}

/** The name of a metric may have dots and digits. */
function isField(text: string): boolean {
  const root = /^[^.[]*/.exec(text)?.[0];
  return ROOT_FIELDS.some((field) => field === root);
}
