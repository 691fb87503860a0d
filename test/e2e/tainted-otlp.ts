import { randomBytes } from 'node:crypto';
import { encodeMessage, encodeRequest } from '@assay/otlp';
import { bytesField, fixed64Field, textField } from '../bench/protobuf-writer.js';

/** What makes the texts of a request. */
export interface TaintedContent {
  /** Attributes of every record, of the resource and of the data points. */
  readonly attributes: readonly (readonly [string, string])[];
  /** A text that occurs nowhere else. */
  readonly text: () => string;
}

/** A request in both encodings of OTLP. */
export interface OtlpForms {
  readonly json: () => object;
  readonly protobuf: () => Buffer;
}

/** Part of the content of every log event, by which a test finds it. */
export const FROM_LOG = 'from a log';

/** Returns a request for the route with this operation: spans, log events or metrics. */
export function otlpRequest(operation: string, content: TaintedContent): OtlpForms {
  if (operation === 'exportTraces') return traces(content);
  if (operation === 'exportLogs') return logs(content);
  if (operation === 'exportMetrics') return metrics(content);
  throw new Error(`unknown OTLP route ${operation}`);
}

const stringValue = (text: string) => ({ stringValue: text });
const keyValues = (pairs: TaintedContent['attributes']) =>
  pairs.map(([key, text]) => ({ key, value: stringValue(text) }));

/** One span with an exception event. */
function traces({ attributes: pairs, text }: TaintedContent): OtlpForms {
  const attributes = keyValues(pairs);
  const startTimeUnixNano = nanoseconds();
  const span = {
    traceId: randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    name: 'span',
    startTimeUnixNano,
    endTimeUnixNano: String(BigInt(startTimeUnixNano) + 1n),
    attributes,
    status: { code: 2, message: text() },
    events: [{ name: 'exception', timeUnixNano: startTimeUnixNano, attributes }],
  };
  const request = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
  return { json: () => request, protobuf: () => encodeRequest(request) };
}

/** The log events of one call of a model, and a record of another library, which is not stored. */
function logs({ attributes: pairs, text }: TaintedContent): OtlpForms {
  const [traceId, spanId] = [randomBytes(16), randomBytes(8)];
  const logText = () => `${text()} ${FROM_LOG}`;
  const call = { id: text(), type: 'function', function: { name: text(), arguments: text() } };
  const reply = { role: 'assistant', content: logText() };
  const messages = [{ role: 'user', parts: [{ type: 'text', content: logText() }] }];
  const events: readonly (readonly [string, object])[] = [
    ['gen_ai.system.message', { content: logText() }],
    ['gen_ai.user.message', { content: logText(), name: text() }],
    ['gen_ai.assistant.message', { content: logText(), tool_calls: JSON.stringify([call]) }],
    ['gen_ai.choice', { finish_reason: 'stop', message: JSON.stringify(reply) }],
    ['gen_ai.client.inference.operation.details', { 'gen_ai.input.messages': JSON.stringify(messages) }],
    [
      'gen_ai.evaluation.result',
      { 'gen_ai.evaluation.name': 'tone', 'gen_ai.evaluation.explanation': text() },
    ],
    [`gen_ai.${text()}`, { content: logText() }],
    ['', { content: text() }],
  ];
  const request = (ids: object) => {
    const logRecords = events.map(([eventName, content]) => {
      const values = keyValues(Object.entries(content) as [string, string][]);
      // The newer events have their content in attributes.
      const attributes = [...keyValues(pairs), ...values];
      const record = { ...ids, eventName, timeUnixNano: nanoseconds(), attributes };
      return { ...record, severityText: text(), body: { kvlistValue: { values } } };
    });
    const resource = { attributes: keyValues(pairs) };
    const scope = { name: text(), version: text(), attributes: keyValues(pairs) };
    return { resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords }] }] };
  };
  return {
    json: () => request({ traceId: traceId.toString('hex'), spanId: spanId.toString('hex') }),
    protobuf: () => encodeMessage('ExportLogsServiceRequest', request({ traceId, spanId })),
  };
}

/** A gauge with one data point. Metrics are accepted and not stored. */
function metrics({ attributes: pairs, text }: TaintedContent): OtlpForms {
  const [name, description] = [text(), text()];
  return {
    json: () => {
      const dataPoints = [{ timeUnixNano: nanoseconds(), asDouble: 0.5, attributes: keyValues(pairs) }];
      const metric = { name, description, unit: text(), gauge: { dataPoints } };
      return { resourceMetrics: [{ scopeMetrics: [{ metrics: [metric] }] }] };
    },
    protobuf: () => {
      const attributes = pairs.map(([key, value]) =>
        bytesField(7, Buffer.concat([textField(1, key), bytesField(2, textField(1, value))])),
      );
      const point = Buffer.concat([fixed64Field(3, BigInt(nanoseconds())), ...attributes]);
      const gauge = bytesField(5, bytesField(1, point));
      const metric = Buffer.concat([textField(1, name), textField(2, description), gauge]);
      return bytesField(1, bytesField(2, bytesField(2, metric)));
    },
  };
}

function nanoseconds(): string {
  return `${Date.now()}000000`;
}
