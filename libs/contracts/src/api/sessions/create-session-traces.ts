import { Type, type Static } from '@sinclair/typebox';
import type { JsonObject } from '@assay/domain';
import { defineRoute } from '../../route.js';
import { listOf } from '../../schema/fields.js';
import { orNull } from '../../schema/lenient.js';
import { lenientEvent } from '../events/lenient-event.js';
import { storedEvents } from '../events/stored-events.js';
import { sessionPath } from './session-path.js';

const exampleEvent: JsonObject = { event_type: 'tool', inputs: { city: 'Paris' } };

export const createSessionTracesRequest = Type.Object(
  orNull({
    events: listOf(
      lenientEvent,
      'Events of the session to store atomically; either events or logs is required.',
      [exampleEvent],
    ),
    logs: listOf(lenientEvent, 'Alias of events; only one of both.', [exampleEvent]),
  }),
  {
    $id: 'CreateSessionTracesRequest',
    description: 'Events of one session, as events or as logs.',
    examples: [{ events: [exampleEvent] }],
  },
);
export type CreateSessionTracesRequest = Static<typeof createSessionTracesRequest>;

export const createSessionTraces = defineRoute({
  operation: 'createSessionTraces',
  method: 'POST',
  path: '/session/{session_id}/traces',
  owner: 'ingestion',
  access: 'ingest',
  tag: 'Sessions',
  summary: 'Store several events of one session, with deprecated field names',
  params: sessionPath,
  body: createSessionTracesRequest,
  repeatable: true,
  response: storedEvents(),
  successor: 'createSessionEventBatch',
});
