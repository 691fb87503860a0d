import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { integer, listOf, text, textOrNull } from '../../schema/fields.js';

/** A rejected request, or the rejected part of an accepted one. It has no values of the request. */
export const rejection = Type.Object(
  {
    at: text('Time of the response, ISO 8601.', '2026-11-01T00:00:00.000Z'),
    route: text('Method and path of the route.', 'POST /v1/events'),
    status: integer(
      'HTTP status of the response; 200 when only a part of an OTLP request was rejected.',
      400,
    ),
    reason: text('Error code of the response; partial_success for a part of a request.', 'VALIDATION_ERROR'),
    message: text('Error message of the response.', 'event_type is required'),
    field: textOrNull('Path of the field that was not valid; null: none.', 'event_type'),
    client: textOrNull(
      'User-Agent of the request, at most 200 characters; null: none.',
      'python-httpx/0.28.1',
    ),
  },
  { $id: 'Rejection', description: 'A request that was rejected.' },
);
export type RejectionResponse = Static<typeof rejection>;

export const listRejections = defineRoute({
  operation: 'listRejections',
  method: 'GET',
  path: '/v1/ingest/rejections',
  owner: 'ingestion',
  access: 'project',
  console: true,
  tag: 'Events',
  summary: 'List the last 100 rejected requests that sent events or spans, newest first',
  response: Type.Object({
    rejections: listOf(
      rejection,
      'The requests, as the process that responds has seen them since its start.',
    ),
  }),
});
