import { Type, type Static } from '@sinclair/typebox';
import type { JsonObject } from '@assay/domain';
import { defineRoute } from '../../route.js';
import { listOf } from '../../schema/fields.js';
import { createEventRequest } from '../events/create-event.js';
import { storedEvents } from '../events/stored-events.js';
import { sessionPath } from './session-path.js';

const exampleEvent: JsonObject = { event_type: 'tool', inputs: { city: 'Paris' } };

export const createSessionEventBatchRequest = Type.Object(
  { events: listOf(createEventRequest, 'Events of the session to store atomically.', [exampleEvent]) },
  {
    $id: 'CreateSessionEventBatchRequest',
    description: 'Events of one session.',
    additionalProperties: false,
  },
);
export type CreateSessionEventBatchRequest = Static<typeof createSessionEventBatchRequest>;

export const createSessionEventBatch = defineRoute({
  operation: 'createSessionEventBatch',
  method: 'POST',
  path: '/v1/sessions/{session_id}/events/batch',
  aliases: ['/sessions/{session_id}/events/batch'],
  owner: 'ingestion',
  access: 'ingest',
  tag: 'Sessions',
  summary: 'Store several events of one session',
  params: sessionPath,
  body: createSessionEventBatchRequest,
  repeatable: true,
  response: storedEvents(),
});
