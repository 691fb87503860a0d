import { Type, type Static } from '@sinclair/typebox';
import { anyJson } from '../../schema/fields.js';
import { orNull } from '../../schema/lenient.js';
import { sessionFields } from './session-properties.js';

const { project: _project, event_type: _type, ...fields } = sessionFields;

const properties = {
  ...fields,
  outputs: anyJson('What came out of the session; what is not an object is stored as {"value": ...}.', {
    answer: 'Paris',
  }),
  error: anyJson('Text of the error that ended the session; another value is stored as its JSON.', null),
};

/** Session on the deprecated routes: unknown fields, such as `project` and `event_type`, are ignored. */
export const lenientSession = () =>
  Type.Object(orNull(properties), {
    description:
      'A session. Names that are not listed, such as project, are ignored; null is the same as absent.',
    examples: [{ session_name: 'chat', source: 'dev' }],
  });
export type LenientSession = Static<ReturnType<typeof lenientSession>>;
