import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { modelEvent } from './lenient-event.js';
import { storedEvent } from './stored-events.js';

export const createModelEventRequest = Type.Object(
  { model_event: modelEvent },
  { $id: 'CreateModelEventRequest', description: 'A model call to store.' },
);
export type CreateModelEventRequest = Static<typeof createModelEventRequest>;

export const createModelEvent = defineRoute({
  operation: 'createModelEvent',
  method: 'POST',
  path: '/events/model',
  owner: 'ingestion',
  access: 'ingest',
  tag: 'Events',
  summary: 'Store one model call',
  body: createModelEventRequest,
  repeatable: true,
  response: storedEvent(),
  successor: 'createEvent',
});
