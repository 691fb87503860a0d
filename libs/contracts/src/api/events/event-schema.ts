import { Type, type Static } from '@sinclair/typebox';
import { listOf, text, textList } from '../../schema/fields.js';

const field = Type.Object(
  {
    name: text('Dotted path of the field.', 'inputs.question'),
    event_type: text('Type of the events that have it.', 'model'),
  },
  { description: 'A field of events.' },
);

type FieldMappings = Record<string, { field_name: string; event_type: string }[]>;

/** The fields that events have, as a response. */
export const eventSchemaResponse = Type.Object(
  {
    fields: listOf(field, 'Distinct fields with the types of events that have them, at most 5,000.', [
      { name: 'inputs.question', event_type: 'model' },
    ]),
    datasets: textList('Distinct ids of datasets, at most 1,000.', ['EXT-aaaa']),
    mappings: Type.Unsafe<FieldMappings>({
      type: 'object',
      description: 'The fields by the name of the events.',
      examples: [{ answer: [{ field_name: 'inputs.question', event_type: 'model' }] }],
    }),
  },
  { $id: 'EventsSchema', description: 'Fields of events: dotted paths of the values in their objects.' },
);
export type EventSchemaResponse = Static<typeof eventSchemaResponse>;
