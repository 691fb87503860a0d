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
    is_single_session: flag('The same as single_session.', false),
    session_properties: lenientSession(),
    session: lenientSession(),
  });

export const createLenientEventBatchRequest = Type.Object(
  { events: listOf(lenientEvent, 'Events to store, all or none.', [exampleEvent]), ...sharing() },
  {
    $id: 'CreateLenientEventBatchRequest',
    description: 'Events to store together. Names that are not listed are ignored.',
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
  summary: 'Store several events, under the older names',
  body: createLenientEventBatchRequest,
  repeatable: true,
  response: storedEvents(),
  successor: 'createEventBatch',
});

export const createModelEventBatchRequest = Type.Object(
  {
    model_events: listOf(modelEvent, 'Calls of models to store, all or none.', [{ model_name: 'gpt-4o' }]),
    ...sharing(),
  },
  {
    $id: 'CreateModelEventBatchRequest',
    description: 'Calls of models to store together. Names that are not listed are ignored.',
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
  summary: 'Store several calls of models',
  body: createModelEventBatchRequest,
  repeatable: true,
  response: storedEvents(),
  successor: 'createEvent',
});
