import { Type, type Static } from '@sinclair/typebox';
import type { JsonObject } from '@assay/domain';
import { defineRoute } from '../../route.js';
import { flag, listOf } from '../../schema/fields.js';
import { orNull } from '../../schema/lenient.js';
import { lenientSession } from '../sessions/lenient-session.js';
import { lenientEvent, modelEvent } from './lenient-event.js';
import { storedEvents } from './stored-events.js';

const exampleEvent: JsonObject = { event_type: 'tool', inputs: { city: 'Paris' } };

/** How the events of a batch share a session, with both the current and the former field names. */
const sharing = () =>
  orNull({
    single_session: flag('Whether all events belong to one session.', false),
    is_single_session: flag('Alias of single_session.', false),
    session_properties: lenientSession(),
    session: lenientSession(),
  });

export const createLenientEventBatchRequest = Type.Object(
  { events: listOf(lenientEvent, 'Events to store atomically.', [exampleEvent]), ...sharing() },
  {
    $id: 'CreateLenientEventBatchRequest',
    description: 'Events to store as one batch. Unknown fields are ignored.',
  },
);
export type CreateLenientEventBatchRequest = Static<typeof createLenientEventBatchRequest>;

export const createLenientEventBatch = defineRoute({
  operation: 'createLenientEventBatch',
  method: 'POST',
  path: '/events/batch',
  owner: 'ingestion',
  access: 'ingest',
  tag: 'Events',
  summary: 'Store several events, with deprecated field names',
  body: createLenientEventBatchRequest,
  repeatable: true,
  response: storedEvents(),
  successor: 'createEventBatch',
});

export const createModelEventBatchRequest = Type.Object(
  {
    model_events: listOf(modelEvent, 'Model calls to store atomically.', [{ model_name: 'gpt-4o' }]),
    ...sharing(),
  },
  {
    $id: 'CreateModelEventBatchRequest',
    description: 'Model calls to store as one batch. Unknown fields are ignored.',
  },
);
export type CreateModelEventBatchRequest = Static<typeof createModelEventBatchRequest>;

export const createModelEventBatch = defineRoute({
  operation: 'createModelEventBatch',
  method: 'POST',
  path: '/events/model/batch',
  owner: 'ingestion',
  access: 'ingest',
  tag: 'Events',
  summary: 'Store several model calls',
  body: createModelEventBatchRequest,
  repeatable: true,
  response: storedEvents(),
  successor: 'createEvent',
});
