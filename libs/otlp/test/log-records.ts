import { JsonLogsSerializer, ProtobufLogsSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { SPAN_ID, TRACE_ID } from './otlp-request.js';

type Records = Parameters<typeof ProtobufLogsSerializer.serializeRequest>[0];
type Record = Records[number];

/** A log record as the SDK of OpenTelemetry gives it to an exporter. */
export function logRecord(fields: Partial<Record>): Record {
  return {
    hrTime: [1_700_000_000, 0],
    hrTimeObserved: [1_700_000_000, 0],
    spanContext: { traceId: TRACE_ID, spanId: SPAN_ID, traceFlags: 1 },
    resource: resourceFromAttributes({ 'service.name': 'shop' }),
    instrumentationScope: { name: 'logs' },
    attributes: {},
    droppedAttributesCount: 0,
    ...fields,
  };
}

/** The records as OpenTelemetry encodes them, in both encodings. */
export function encodedLogs(records: Records): { json: Buffer; protobuf: Buffer } {
  return {
    json: Buffer.from(JsonLogsSerializer.serializeRequest(records) ?? []),
    protobuf: Buffer.from(ProtobufLogsSerializer.serializeRequest(records) ?? []),
  };
}

/** The messages of one call of a model as log events: history, choice, and a record of another library. */
export const CONVERSATION = [
  logRecord({ eventName: 'gen_ai.system.message', body: { content: 'be brief' } }),
  logRecord({
    attributes: { 'event.name': 'gen_ai.user.message', 'gen_ai.system': 'openai' },
    body: { content: 'why?' },
    hrTime: [1_700_000_000, 1000],
  }),
  logRecord({
    eventName: 'gen_ai.choice',
    body: { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'so' } },
    hrTime: [1_700_000_000, 2000],
  }),
  logRecord({ body: 'connection opened', severityText: 'INFO' }),
  logRecord({ eventName: 'gen_ai.user.message', body: { content: 'of no span' }, spanContext: undefined }),
];
