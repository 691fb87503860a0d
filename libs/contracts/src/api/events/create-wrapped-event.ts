import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { objectOrText } from '../../schema/lenient.js';
import { lenientEvent } from './lenient-event.js';
import { storedEvent } from './stored-events.js';

export const createWrappedEventRequest = Type.Object(
  { event: objectOrText(lenientEvent) },
  { $id: 'CreateWrappedEventRequest', description: 'An event to store, as an object or as JSON text.' },
);
export type CreateWrappedEventRequest = Static<typeof createWrappedEventRequest>;

export const createWrappedEvent = defineRoute({
  operation: 'createWrappedEvent',
  method: 'POST',
  path: '/events',
  owner: 'ingestion',
  access: 'ingest',
  tag: 'Events',
  summary: 'Store one event, wrapped in an object',
  body: createWrappedEventRequest,
  repeatable: true,
  response: storedEvent(),
  successor: 'createEvent',
});
