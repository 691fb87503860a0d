import { Type, type Static } from '@sinclair/typebox';
import { text } from '../../schema/fields.js';
import * as field from './event-fields.js';

/** Properties of an event as the API returns it. `end_time` and `duration` are absent, never null, when they are unknown. */
export const eventPropertiesResponse = {
  project: Type.Optional(text('Name of the project.', 'support-bot')),
  org_id: Type.Optional(text('Id of the organisation that the project belongs to.', 'default')),
  workspace_id: Type.Optional(text('Id of the workspace that the project belongs to.', 'default')),
  session_name: Type.Optional(
    text('Name of the session; sessions only, the event_name unless both were sent.', 'chat'),
  ),
  ...field.returnedFields(),
  end_time: Type.Optional(field.fieldSchema('end_time')),
  duration: Type.Optional(field.durationResponse()),
};

/** An event as the API returns it. */
export const eventResponse = Type.Object(eventPropertiesResponse, {
  $id: 'Event',
  description: 'A step of a session, or a session.',
});
export type EventResponse = Static<typeof eventResponse>;
