import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { choice, flag, integer, listOf, text } from '../../schema/fields.js';
import { runFilters } from '../runs/run-filters.js';
import { dateRange } from './date-range.js';

/** Maximum and default number of values. */
export const MAX_FIELD_VALUES = 100;
export const DEFAULT_FIELD_VALUES = 20;

export const VALUE_TYPES = ['string', 'number', 'boolean'] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

const fieldName = () =>
  text('Field of the event, or a dotted path into one of its objects.', 'metadata.env', {
    minLength: 1,
    maxLength: 1000,
  });

export const listEventValues = defineRoute({
  operation: 'listEventValues',
  method: 'GET',
  path: '/v1/events/values',
  aliases: ['/events/values'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Events',
  summary: 'List the most frequent values of a field',
  query: Type.Object({
    field: fieldName(),
    prefix: Type.Optional(
      text('Beginning of the values; upper and lower case are equal.', 'pro', { maxLength: 256 }),
    ),
    dateRange: Type.Optional(dateRange),
    filters: Type.Optional(runFilters('Conditions on the events; all must hold.')),
    limit: Type.Optional(
      integer(`Number of values; ${DEFAULT_FIELD_VALUES} when absent.`, 20, {
        minimum: 1,
        maximum: MAX_FIELD_VALUES,
      }),
    ),
  }),
  response: Type.Object({
    field: fieldName(),
    type: choice<ValueType>(
      VALUE_TYPES,
      'Type for a filter on the field: that of all values, or string.',
      'string',
    ),
    values: listOf(
      Type.Object(
        {
          value: Type.Unsafe<string | number | boolean>({
            type: ['string', 'number', 'boolean'],
            description: 'The value.',
            examples: ['prod'],
          }),
          count: integer('Number of events that have it.', 12, { minimum: 1 }),
        },
        { description: 'One value.' },
      ),
      'Values of at most 256 characters, the most frequent first.',
    ),
    approximate: flag(
      'Whether only about the newest 200,000 events were counted, or some have too many fields to be indexed.',
      false,
    ),
  }),
});
