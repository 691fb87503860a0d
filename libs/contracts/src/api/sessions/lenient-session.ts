import { Type, type Static } from '@sinclair/typebox';
import { orNull } from '../../schema/lenient.js';
import * as field from '../events/event-fields.js';
import { sessionFields } from './session-properties.js';

const { project: _project, event_type: _type, ...fields } = sessionFields;

const properties = { ...fields, outputs: field.anyOutputs('session'), error: field.anyError('session') };

/** Session on the deprecated routes: unknown fields, such as `project` and `event_type`, are ignored. */
export const lenientSession = () =>
  Type.Object(orNull(properties), {
    description: 'A session. Unknown fields, such as project, are ignored; null is treated as absent.',
    examples: [{ session_name: 'chat', source: 'dev' }],
  });
export type LenientSession = Static<ReturnType<typeof lenientSession>>;
