import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { text } from '../../schema/fields.js';

/** Response to an OTLP export in JSON. The protobuf encoding is the same message. */
const exportTracesResponse = Type.Object({
  partialSuccess: Type.Optional(
    Type.Object(
      {
        rejectedSpans: Type.Optional(text('Number of spans that were refused, as decimal text.', '1')),
        errorMessage: Type.Optional(text('Why they were refused.', 'trace id must be 16 bytes')),
      },
      {
        description: 'Set when some spans were refused; they must not be sent again.',
        examples: [{ rejectedSpans: '1' }],
      },
    ),
  ),
});

export const exportTraces = defineRoute({
  operation: 'exportTraces',
  method: 'POST',
  path: '/opentelemetry/v1/traces',
  aliases: ['/v1/traces'],
  owner: 'ingestion',
  access: 'ingest',
  tag: 'OpenTelemetry',
  summary: 'Take spans by OTLP/HTTP, as JSON or protobuf',
  encoding: 'otlp',
  response: exportTracesResponse,
});
