/** What the programs of this folder share: they send spans with the stock exporter, and print them as the SDK saw them. */
const { OTLPTraceExporter } = require('@opentelemetry/exporter-trace-otlp-proto');
const { resourceFromAttributes } = require('@opentelemetry/resources');
const {
  BatchSpanProcessor,
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} = require('@opentelemetry/sdk-trace-node');

/** A provider that is registered, and `finish`, which sends what is left and prints one JSON object for each span. */
exports.startTracing = function startTracing() {
  const memory = new InMemorySpanExporter();
  const exporter = new OTLPTraceExporter({
    url: `${process.env.ASSAY_URL}/opentelemetry/v1/traces`,
    headers: { authorization: `Bearer ${process.env.ASSAY_API_KEY}` },
    compression: 'gzip',
  });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'shop' }),
    spanProcessors: [new BatchSpanProcessor(exporter), new SimpleSpanProcessor(memory)],
  });
  provider.register();
  const finish = async () => {
    await provider.forceFlush();
    for (const span of memory.getFinishedSpans()) process.stdout.write(`${JSON.stringify(sent(span))}\n`);
    await provider.shutdown();
  };
  return { provider, finish };
};

function sent(span) {
  const { traceId, spanId } = span.spanContext();
  const events = span.events.map(({ name, attributes }) => ({ name, attributes: attributes ?? {} }));
  const parentSpanId = span.parentSpanContext?.spanId ?? null;
  return { traceId, spanId, parentSpanId, name: span.name, attributes: span.attributes, events };
}
