import { COMPARISON_CASES } from './filter-cases/comparison-cases.js';
import { INJECTION_CASES } from './filter-cases/injection-cases.js';
import { PATH_CASES } from './filter-cases/path-cases.js';
import { PRESENCE_CASES } from './filter-cases/presence-cases.js';
import { TEXT_CASES } from './filter-cases/text-cases.js';
import type { FilterCase } from './filter-cases/filter-case.js';

export type { FilterCase } from './filter-cases/filter-case.js';

/**
 * What each filter means, case by case: the one table that every engine which evaluates filters is tested
 * with. Names are unique, and so are the ids of the events.
 */
export const FILTER_CASES: readonly FilterCase[] = [
  ...PRESENCE_CASES,
  ...TEXT_CASES,
  ...COMPARISON_CASES,
  ...PATH_CASES,
  ...INJECTION_CASES,
];
