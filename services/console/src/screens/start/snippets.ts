/** A program that sends a first trace. */
export interface Snippet {
  readonly id: string;
  readonly title: string;
  /** What has to be installed before. */
  readonly install?: string;
  readonly code: string;
}

/**
 * Returns programs that send a trace to an address. The tests copy each from the page and run it.
 * @param key of the project; without one, the environment variable has it
 */
export function snippetsFor(address: string, key: string | undefined): readonly Snippet[] {
  return [curl(address, key), python(address, key), typescript(address, key), collector(address, key)];
}

function curl(address: string, key = '$ASSAY_API_KEY'): Snippet {
  return {
    id: 'curl',
    title: 'curl',
    code: `NOW=$(date +%s)
curl ${address}/v1/traces \\
  -H "Authorization: Bearer ${key}" -H 'Content-Type: application/json' \\
  -d '{"resourceSpans": [{"scopeSpans": [{"spans": [{
    "traceId": "'$(openssl rand -hex 16)'", "spanId": "'$(openssl rand -hex 8)'", "name": "chat",
    "startTimeUnixNano": "'$NOW'000000000", "endTimeUnixNano": "'$NOW'400000000",
    "attributes": [
      {"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}},
      {"key": "gen_ai.request.model", "value": {"stringValue": "gpt-4o"}},
      {"key": "gen_ai.input.messages", "value": {"stringValue": "[{\\"role\\": \\"user\\", \\"parts\\": [{\\"type\\": \\"text\\", \\"content\\": \\"Hello?\\"}]}]"}}
    ]
  }]}]}]}'`,
  };
}

function python(address: string, key: string | undefined): Snippet {
  return {
    id: 'python',
    title: 'Python',
    install: 'pip install opentelemetry-sdk opentelemetry-exporter-otlp-proto-http',
    code: `import os
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

key = ${key === undefined ? 'os.environ["ASSAY_API_KEY"]' : `"${key}"`}
exporter = OTLPSpanExporter(
    endpoint="${address}/v1/traces",
    headers={"Authorization": f"Bearer {key}"},
)
provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(exporter))
trace.set_tracer_provider(provider)

with trace.get_tracer("demo").start_as_current_span("chat") as span:
    span.set_attribute("gen_ai.operation.name", "chat")
    span.set_attribute("gen_ai.request.model", "gpt-4o")
    span.set_attribute("gen_ai.input.messages", '[{"role": "user", "parts": [{"type": "text", "content": "Hello?"}]}]')

provider.shutdown()`,
  };
}

function typescript(address: string, key: string | undefined): Snippet {
  return {
    id: 'typescript',
    title: 'TypeScript',
    install: 'npm install @opentelemetry/sdk-trace-node @opentelemetry/exporter-trace-otlp-proto',
    code: `import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

const key = ${key === undefined ? 'process.env.ASSAY_API_KEY' : `'${key}'`};
const exporter = new OTLPTraceExporter({
  url: '${address}/v1/traces',
  headers: { Authorization: \`Bearer \${key}\` },
});
const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });

const span = provider.getTracer('demo').startSpan('chat');
span.setAttribute('gen_ai.operation.name', 'chat');
span.setAttribute('gen_ai.request.model', 'gpt-4o');
span.setAttribute('gen_ai.input.messages', '[{"role": "user", "parts": [{"type": "text", "content": "Hello?"}]}]');
span.end();

await provider.shutdown();`,
  };
}

function collector(address: string, key = '${env:ASSAY_API_KEY}'): Snippet {
  return {
    id: 'collector',
    title: 'Collector',
    code: `receivers:
  otlp:
    protocols:
      http:
        endpoint: 127.0.0.1:4318
exporters:
  otlphttp/assay:
    endpoint: ${address}/opentelemetry
    headers:
      authorization: Bearer ${key}
service:
  pipelines:
    traces:
      receivers: [otlp]
      exporters: [otlphttp/assay]`,
  };
}
