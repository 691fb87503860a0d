import { Type, type Static } from '@sinclair/typebox';
import { anyJson } from '../../schema/fields.js';
import { orNull } from '../../schema/lenient.js';
import { sessionFields } from './session-properties.js';

const { project: _project, event_type: _type, ...fields } = sessionFields;

const properties = {
  ...fields,
  outputs: anyJson('Outputs of the session; a value that is not an object is stored as {"value": ...}.', {
    answer: 'Paris',
  }),
  error: anyJson('Error that ended the session; a value that is not a string is stored as JSON text.', null),
};

/** A session on the deprecated routes: names that are not listed, such as `project` and `event_type`, are ignored. */
export const lenientSession = () =>
  Type.Object(orNull(properties), {
    description: 'A session. Unknown fields, such as project, are ignored; null is treated as absent.',
    examples: [{ session_name: 'chat', source: 'dev' }],
  });
export type LenientSession = Static<ReturnType<typeof lenientSession>>;
