import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { text } from '../../schema/fields.js';

/** Response to an OTLP export in JSON. The protobuf encoding is the same message. */
const exportTracesResponse = Type.Object({
  partialSuccess: Type.Optional(
    Type.Object(
      {
        rejectedSpans: Type.Optional(text('Number of rejected spans, as a decimal string.', '1')),
        errorMessage: Type.Optional(text('Reason for the rejection.', 'trace id must be 16 bytes')),
      },
      {
        description: 'Present when some spans were rejected; they must not be retried.',
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
  summary: 'Ingest spans over OTLP/HTTP, as JSON or protobuf',
  encoding: 'otlp',
  response: exportTracesResponse,
});
