import { Type } from '@sinclair/typebox';
import { strictFilter } from '../events/filter.js';

const MAX_FILTERS = 50;

/** Filters of a metric or a queue, under the key that clients use. */
export const filterList = (description: string) =>
  Type.Object(
    {
      filterArray: Type.Array(strictFilter, {
        description: 'The filters.',
        examples: [[{ field: 'event_type', operator: 'is', value: 'model', type: 'string' }]],
        maxItems: MAX_FILTERS,
      }),
    },
    { description, additionalProperties: false },
  );
