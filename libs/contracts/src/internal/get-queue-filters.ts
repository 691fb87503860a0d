import { Type, type Static } from '@sinclair/typebox';
import {
  FILTER_OPERATORS,
  FILTER_TYPES,
  type FilterOperator,
  type FilterScalar,
  type FilterType,
} from '@assay/domain';
import { defineRoute } from '../route.js';
import { choice, text } from '../schema/fields.js';
import { BODY_BYTES, orNull, queueName, readonlyList } from './fields.js';

const SCALAR_TYPES = ['string', 'number', 'boolean', 'null'];

/** A filter that was checked: its operator fits its type, and its value is coerced to the type. */
export const checkedFilter = Type.Object(
  {
    field: text('Field of the event, or a dotted path into one of its objects.', 'metadata.run_id'),
    operator: choice<FilterOperator>(FILTER_OPERATORS, 'How the field is compared.', 'is'),
    type: choice<FilterType>(FILTER_TYPES, 'Type of both sides.', 'string'),
    value: Type.Unsafe<FilterScalar | readonly FilterScalar[]>({
      type: [...SCALAR_TYPES, 'array'],
      items: { type: SCALAR_TYPES },
      description: 'What the field is compared with.',
      examples: ['prod'],
    }),
  },
  { description: 'One condition.' },
);

const queue = Type.Object(queueName);
export type QueueName = Readonly<Static<typeof queue>>;

export const getQueueFilters = defineRoute({
  operation: 'getQueueFilters',
  method: 'POST',
  path: '/internal/v1/queues/filters',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Read the filters of a queue, all of which an event must match; null when there is no such queue',
  readOnly: true,
  limits: { maxBodyBytes: BODY_BYTES.oneResource },
  body: queue,
  response: Type.Object({
    filters: orNull(readonlyList(checkedFilter, 'The filters; null when there is no such queue.', [])),
  }),
});
