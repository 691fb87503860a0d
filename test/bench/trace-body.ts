import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { attribute, double, encodeSpan, integer, text, texts } from './attributes.js';
import type { Prose } from './prose.js';
import { bytesField, textField } from './protobuf-writer.js';

export const SPANS_PER_TRACE = 10;

const START_NS = 1_795_000_000_000_000_000n;
const STEP_NS = 400_000_000n;

/** What the spans of a trace share. */
interface Trace {
  readonly prose: Prose;
  readonly id: Buffer;
  readonly root: Buffer;
  /** Bytes of a span before compression. */
  readonly spanBytes: number;
}

/**
 * One gzipped OTLP request as an instrumented agent sends it: traces of {@link SPANS_PER_TRACE} spans (the agent, six chat
 * calls, three tool calls), each of about `spanBytes` before compression with about 18 attributes.
 */
export function traceBody(prose: Prose, traces: number, spanBytes: number): Buffer {
  const spans = Array.from({ length: traces }, () =>
    spansOf({ prose, spanBytes, id: randomBytes(16), root: randomBytes(8) }),
  ).flat();
  const resource = Buffer.concat(
    [
      attribute('service.name', text('support-agent')),
      attribute('service.version', text('4.12.0')),
      attribute('deployment.environment.name', text('production')),
      attribute('telemetry.sdk.language', text('python')),
      attribute('telemetry.sdk.name', text('opentelemetry')),
      attribute('telemetry.sdk.version', text('1.38.0')),
    ].map((encoded) => bytesField(1, encoded)),
  );
  const scope = Buffer.concat([
    textField(1, 'opentelemetry.instrumentation.openai_v2'),
    textField(2, '2.2b0'),
  ]);
  const scopeSpans = Buffer.concat([bytesField(1, scope), ...spans.map((span) => bytesField(2, span))]);
  return gzipSync(bytesField(1, Buffer.concat([bytesField(1, resource), bytesField(2, scopeSpans)])), {
    level: 6,
  });
}

function spansOf(trace: Trace): Buffer[] {
  return Array.from({ length: SPANS_PER_TRACE }, (_, index) => {
    const startNs = START_NS + BigInt(index) * STEP_NS;
    const head = { trace: trace.id, startNs, endNs: startNs + STEP_NS };
    if (index === 0) {
      const name = 'invoke_agent support';
      return encodeSpan({ ...head, id: trace.root, name, kind: 1 }, agentAttributes(trace));
    }
    const child = { ...head, id: randomBytes(8), parent: trace.root };
    return index % 3 === 0
      ? encodeSpan({ ...child, name: 'execute_tool search_orders', kind: 1 }, toolAttributes(trace))
      : encodeSpan({ ...child, name: 'chat gpt-4o', kind: 3 }, chatAttributes(trace));
  });
}

function agentAttributes(trace: Trace): Buffer[] {
  return [
    ...commonAttributes(trace, 'invoke_agent'),
    attribute('gen_ai.agent.id', text('asst_5j66UpCpwteGg4YSxUnt7lPY')),
    attribute('gen_ai.agent.description', text('Answers questions about orders')),
    attribute('gen_ai.request.model', text('gpt-4o')),
    ...messages(trace),
  ];
}

function toolAttributes({ prose, spanBytes, ...trace }: Trace): Buffer[] {
  const content = contentBytes(spanBytes);
  return [
    ...commonAttributes({ prose, spanBytes, ...trace }, 'execute_tool'),
    attribute('gen_ai.tool.name', text('search_orders')),
    attribute('gen_ai.tool.type', text('function')),
    attribute('gen_ai.tool.call.id', text(`call_${randomBytes(12).toString('hex')}`)),
    attribute('gen_ai.tool.call.arguments', text(JSON.stringify({ query: prose.text(content * 0.2) }))),
    attribute('gen_ai.tool.call.result', text(JSON.stringify({ rows: [prose.text(content * 0.8)] }))),
  ];
}

function chatAttributes(trace: Trace): Buffer[] {
  return [
    ...commonAttributes(trace, 'chat'),
    attribute('gen_ai.request.model', text('gpt-4o')),
    attribute('gen_ai.response.model', text('gpt-4o-2024-08-06')),
    attribute('gen_ai.response.id', text(`chatcmpl-${randomBytes(12).toString('hex')}`)),
    attribute('gen_ai.response.finish_reasons', texts(['stop'])),
    attribute('gen_ai.request.temperature', double(0.7)),
    attribute('gen_ai.request.top_p', double(0.95)),
    attribute('gen_ai.request.max_tokens', integer(1024)),
    attribute('gen_ai.usage.input_tokens', integer(412)),
    attribute('gen_ai.usage.output_tokens', integer(96)),
    ...messages(trace),
  ];
}

/** Attributes of every span: those of the conventions, and those that applications add. */
function commonAttributes({ id }: Trace, operation: string): Buffer[] {
  return [
    attribute('gen_ai.operation.name', text(operation)),
    attribute('gen_ai.provider.name', text('openai')),
    attribute('gen_ai.conversation.id', text(id.toString('hex'))),
    attribute('gen_ai.agent.name', text('support')),
    attribute('server.address', text('api.openai.com')),
    attribute('server.port', integer(443)),
    attribute('user.id', text(`user-${id[0]}`)),
  ];
}

function messages({ prose, spanBytes }: Trace): Buffer[] {
  const content = contentBytes(spanBytes);
  const message = (role: string, share: number) => ({
    role,
    parts: [{ type: 'text', content: prose.text(content * share) }],
  });
  return [
    attribute('gen_ai.input.messages', text(JSON.stringify([message('system', 0.3), message('user', 0.3)]))),
    attribute('gen_ai.output.messages', text(JSON.stringify([message('assistant', 0.4)]))),
  ];
}

/** What the attributes leave of a span for its messages. */
function contentBytes(spanBytes: number): number {
  return Math.max(100, spanBytes - 1_000);
}
