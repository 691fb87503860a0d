import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { text } from '../../schema/fields.js';

/** Response to an OTLP export in JSON. The protobuf encoding is the same message. */
const exportLogsResponse = Type.Object({
  partialSuccess: Type.Optional(
    Type.Object(
      {
        rejectedLogRecords: Type.Optional(
          text('Number of log records that are not stored, as a decimal string.', '1'),
        ),
        errorMessage: Type.Optional(
          text(
            'Which records are stored.',
            'only gen_ai.* and exception log events with a trace id and a span id are stored',
          ),
        ),
      },
      {
        description: 'Present when some log records are not stored; they must not be retried.',
        examples: [{ rejectedLogRecords: '1' }],
      },
    ),
  ),
});

export const exportLogs = defineRoute({
  operation: 'exportLogs',
  method: 'POST',
  path: '/opentelemetry/v1/logs',
  aliases: ['/v1/logs'],
  owner: 'ingestion',
  access: 'ingest',
  tag: 'OpenTelemetry',
  summary: 'Ingest GenAI log events over OTLP/HTTP into the events of their spans',
  encoding: 'otlp',
  response: exportLogsResponse,
});
