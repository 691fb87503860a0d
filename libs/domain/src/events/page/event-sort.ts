import { validationError } from '@assay/errors';
import { EVENT_SHAPE, namesWhere } from '../event-shape.js';
import { eventPath } from '../filter/event-path.js';

export const SORT_ORDERS = ['asc', 'desc'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

/** Order of a page of events: by one number, then by event id. Events without the number follow all others. */
export interface EventSort {
  /** `start_time`, `end_time`, `duration`, or a path into an object other than inputs, outputs and config. */
  readonly field: string;
  readonly order: SortOrder;
}

/** Newest start first. */
export const NEWEST_FIRST: EventSort = { field: 'start_time', order: 'desc' };

const { fields: FIELDS } = EVENT_SHAPE;
const NUMBERS: readonly string[] = namesWhere(FIELDS, ({ type }) => type.startsWith('number'));
const OBJECTS: readonly string[] = namesWhere(FIELDS, ({ type, payload }) => type === 'object' && !payload);

/**
 * Checks the order of a request.
 * @throws AppError `VALIDATION_ERROR` for a field that events cannot be sorted by
 */
export function acceptEventSort(sent: Partial<EventSort> | undefined): EventSort {
  const { field, order } = { ...NEWEST_FIRST, ...sent };
  const path = eventPath(field);
  const isNumber = NUMBERS.includes(field);
  const isLeaf = path !== undefined && path.isNested && OBJECTS.includes(path.root);
  if (isNumber || isLeaf) return { field, order };
  throw validationError(
    `sort.field must be ${NUMBERS.join(', ')}, or a path into ${OBJECTS.join(', ')}, such as metadata.cost`,
  );
}
