/** Sends one trace through a stock OpenTelemetry exporter and prints its id. Arguments: encoding, marker. */
import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter as GrpcExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';

async function main(encoding: string, marker: string): Promise<void> {
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'journey' }),
    spanProcessors: [new SimpleSpanProcessor(exporterOf(encoding))],
  });
  const tracer = provider.getTracer('journey');
  const root = tracer.startSpan('answer question');
  const child = tracer.startSpan(
    'chat gpt-4o',
    { attributes: chatAttributes(marker) },
    trace.setSpan(context.active(), root),
  );
  child.end();
  root.setStatus({ code: SpanStatusCode.ERROR, message: 'it broke' });
  root.end();
  await provider.forceFlush();
  await provider.shutdown();
  process.stdout.write(`${root.spanContext().traceId}\n`);
}

/** The exporter by gRPC has its endpoint, key and compression from the environment, as most applications configure it. */
function exporterOf(encoding: string) {
  if (encoding === 'grpc') return new GrpcExporter();
  const options = {
    url: process.env.OTEL_ENDPOINT ?? '',
    headers: { authorization: `Bearer ${process.env.OTEL_KEY}` },
  };
  return encoding === 'json' ? new JsonExporter(options) : new ProtobufExporter(options);
}

function chatAttributes(marker: string) {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.usage.input_tokens': 12,
    'gen_ai.usage.output_tokens': 3,
    'gen_ai.input.messages': JSON.stringify([
      { role: 'user', parts: [{ type: 'text', content: `Hello ${marker}` }] },
    ]),
    'gen_ai.output.messages': JSON.stringify([
      { role: 'assistant', parts: [{ type: 'text', content: 'Hi' }], finish_reason: 'stop' },
    ]),
  };
}

const [, , encoding = 'protobuf', marker = ''] = process.argv;
void main(encoding, marker);
