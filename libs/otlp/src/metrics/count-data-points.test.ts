import { JsonMetricsSerializer, ProtobufMetricsSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { encodeSignalResponse } from '../codec/encode-response.js';
import { rejectMetrics } from './count-data-points.js';

type Metrics = Parameters<typeof ProtobufMetricsSerializer.serializeRequest>[0];
type Metric = Metrics['scopeMetrics'][number]['metrics'][number];

/** A sum with two data points, as the SDK of OpenTelemetry gives it to an exporter. */
const times = { startTime: [1, 0], endTime: [2, 0] } as const;
const sum = {
  descriptor: { name: 'gen_ai.client.token.usage', description: '', unit: '', type: 'COUNTER', valueType: 0 },
  aggregationTemporality: 1,
  dataPointType: 3,
  isMonotonic: true,
  dataPoints: [
    { ...times, attributes: { a: 1 }, value: 1 },
    { ...times, attributes: { a: 2 }, value: 2 },
  ],
} as unknown as Metric;
const metrics: Metrics = {
  resource: resourceFromAttributes({ 'service.name': 'shop' }),
  scopeMetrics: [{ scope: { name: 'm' }, metrics: [sum, sum] }],
};

describe.each([
  ['json', JsonMetricsSerializer],
  ['protobuf', ProtobufMetricsSerializer],
] as const)('metrics in %s', (encoding, serializer) => {
  it('are counted in a response that says which signals are stored', () => {
    const rejected = rejectMetrics(Buffer.from(serializer.serializeRequest(metrics) ?? []), encoding);
    const { body } = encodeSignalResponse('metrics', rejected, encoding);
    const { partialSuccess } = serializer.deserializeResponse(body);
    expect(Number(partialSuccess?.rejectedDataPoints)).toBe(4);
    expect(partialSuccess?.errorMessage).toMatch(/^metrics are not stored: send spans/);
  });

  it('that are empty are a complete success', () => {
    const { body } = encodeSignalResponse('metrics', rejectMetrics(Buffer.alloc(0), encoding), encoding);
    expect(body.toString()).toBe(encoding === 'json' ? '{}' : '');
  });
});

it.each([
  ['json', Buffer.from('{"resourceLogs":[]}'), 'this address accepts metrics, not resourceLogs'],
  ['json', Buffer.from('{'), 'the body is not valid JSON'],
  ['protobuf', Buffer.from([10, 200]), 'the body is truncated or malformed protobuf'],
] as const)('a body in %s that is not metrics is rejected', (encoding, body, message) => {
  expect(() => rejectMetrics(body, encoding)).toThrow(message);
});
