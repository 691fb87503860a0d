import { Type, type Static } from '@sinclair/typebox';
import type { JsonObject } from '@assay/domain';
import { defineRoute } from '../../route.js';
import { flag, listOf, success, textList } from '../../schema/fields.js';
import { sessionProperties } from '../sessions/session-properties.js';
import { createEventRequest } from './create-event.js';
import * as field from './event-fields.js';

const exampleEvent: JsonObject = { event_type: 'tool', inputs: { city: 'Paris' } };

export const createEventBatchRequest = Type.Object(
  {
    events: listOf(createEventRequest, 'Events to store atomically.', [exampleEvent]),
    single_session: Type.Optional(flag('Whether all events belong to one session.', false)),
    session_properties: Type.Optional(sessionProperties),
  },
  {
    $id: 'CreateEventBatchRequest',
    description: 'Events to store as one batch.',
    additionalProperties: false,
    unknownFieldHints: { is_single_session: 'use single_session', session: 'use session_properties' },
  },
);
export type CreateEventBatchRequest = Static<typeof createEventBatchRequest>;

export const createEventBatch = defineRoute({
  operation: 'createEventBatch',
  method: 'POST',
  path: '/v1/events/batch',
  owner: 'ingestion',
  access: 'ingest',
  tag: 'Events',
  summary: 'Store several events',
  body: createEventBatchRequest,
  repeatable: true,
  response: Type.Object({
    success: success(),
    event_ids: textList('Ids of the events, in request order.', ['0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e']),
    session_id: field.sessionId(),
  }),
});
