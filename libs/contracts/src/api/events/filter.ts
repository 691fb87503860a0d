import { Type, type Static, type TArray, type TSchema } from '@sinclair/typebox';
import { FILTER_TYPES, SENT_OPERATORS } from '@assay/domain';
import { anyJson, text } from '../../schema/fields.js';

/** Shape of one condition in a request; `@assay/domain` checks that operator, type and value fit together. */
export const filterProperties = {
  field: text(
    'Field of the event, or a path into one of its objects; [0] and [*] are items of lists.',
    'metadata.run_id',
    {
      minLength: 1,
      maxLength: 1000,
    },
  ),
  operator: Type.Optional(
    text(
      `Comparison operator: ${SENT_OPERATORS.join(', ')}; also =, !=, >, >=, <, <=, is null, is not null; "is" when absent.`,
      'is',
      {
        maxLength: 50,
      },
    ),
  ),
  value: Type.Optional(anyJson('Value to compare with; a {"$gte", "$lte"} object is a range.', 'prod')),
  type: Type.Optional(
    text(
      `Type to which both operands are converted: ${FILTER_TYPES.join(', ')}; absent: type of the value.`,
      'string',
      { maxLength: 50 },
    ),
  ),
};

/** Filter on strict routes: an unknown field is rejected. */
export const strictFilter = Type.Object(filterProperties, {
  $id: 'Filter',
  description: 'One condition.',
  additionalProperties: false,
});
export type WireFilter = Static<typeof strictFilter>;

/** Longest text of filters that are sent as JSON text. */
const MAX_FILTER_TEXT = 100_000;

/** The list of conditions, or its JSON text. */
export const listOrText = <T extends TSchema>(list: TArray<T>) =>
  Type.Unsafe<Static<T>[] | string>({ ...list, type: ['array', 'string'], maxLength: MAX_FILTER_TEXT });
