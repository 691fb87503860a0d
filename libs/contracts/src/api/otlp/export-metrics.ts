import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { text } from '../../schema/fields.js';

/** Response to an OTLP export in JSON. The protobuf encoding is the same message. */
const exportMetricsResponse = Type.Object({
  partialSuccess: Type.Optional(
    Type.Object(
      {
        rejectedDataPoints: Type.Optional(
          text('Number of data points that are not stored, as a decimal string.', '1'),
        ),
        errorMessage: Type.Optional(text('Which signals are stored.', 'metrics are not stored')),
      },
      {
        description: 'Present when there were data points; they must not be retried.',
        examples: [{ rejectedDataPoints: '1' }],
      },
    ),
  ),
});

export const exportMetrics = defineRoute({
  operation: 'exportMetrics',
  method: 'POST',
  path: '/opentelemetry/v1/metrics',
  sharedAliases: ['/v1/metrics'],
  owner: 'ingestion',
  access: 'ingest',
  tag: 'OpenTelemetry',
  summary: 'Accept metrics over OTLP/HTTP without storing them',
  encoding: 'otlp',
  response: exportMetricsResponse,
});
