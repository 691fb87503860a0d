import { COMPARISON_CASES } from './filter-cases/comparison-cases.js';
import { INJECTION_CASES } from './filter-cases/injection-cases.js';
import { LIST_CASES } from './filter-cases/list-cases.js';
import { PATH_CASES } from './filter-cases/path-cases.js';
import { PRESENCE_CASES } from './filter-cases/presence-cases.js';
import { TEXT_FIELD_CASES } from './filter-cases/text-field-cases.js';
import { TEXT_CASES } from './filter-cases/text-cases.js';
import type { FilterCase } from './filter-cases/filter-case.js';

export type { FilterCase } from './filter-cases/filter-case.js';

/**
 * Expected result of each filter, case by case. Every engine that evaluates filters is tested with this
 * table. Names of cases and ids of events are unique.
 */
export const FILTER_CASES: readonly FilterCase[] = [
  ...PRESENCE_CASES,
  ...TEXT_CASES,
  ...TEXT_FIELD_CASES,
  ...COMPARISON_CASES,
  ...PATH_CASES,
  ...LIST_CASES,
  ...INJECTION_CASES,
];
