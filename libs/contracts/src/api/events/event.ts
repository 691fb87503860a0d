import { Type, type Static } from '@sinclair/typebox';
import { text } from '../../schema/fields.js';
import * as field from './event-fields.js';

/** Properties of an event as it is answered. `end_time` and `duration` are absent, never null, when they are unknown. */
export const eventPropertiesResponse = {
  project: Type.Optional(text('Name of the project.', 'support-bot')),
  project_id: text('Id of the project.', '65c13dbbd65fb876b7886cdb'),
  org_id: Type.Optional(text('Id of the organisation that the project belongs to.', 'default')),
  workspace_id: Type.Optional(text('Id of the workspace that the project belongs to.', 'default')),
  event_id: field.eventId(),
  session_id: field.sessionId(),
  session_name: Type.Optional(text('Name of the session; sessions only, equal to event_name.', 'chat')),
  parent_id: field.parentId(),
  children_ids: field.childrenIds(),
  event_type: field.eventType(),
  event_name: field.eventName(),
  source: field.source(),
  start_time: field.startTime(),
  end_time: Type.Optional(field.endTime()),
  duration: Type.Optional(field.durationResponse()),
  error: field.errorText(),
  inputs: field.inputs(),
  outputs: field.outputs(),
  config: field.mergedBuckets.config(),
  metadata: field.mergedBuckets.metadata(),
  metrics: field.mergedBuckets.metrics(),
  feedback: field.mergedBuckets.feedback(),
  user_properties: field.mergedBuckets.user_properties(),
};

/** An event as it is answered. */
export const eventResponse = Type.Object(eventPropertiesResponse, {
  $id: 'Event',
  description: 'A step of a session, or a session.',
});
export type EventResponse = Static<typeof eventResponse>;
