import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { attribute, double, encodeSpan, integer, text } from './attributes.js';
import type { Prose } from './prose.js';
import { bytesField, textField } from './protobuf-writer.js';

/** One gzipped OTLP request of LLM spans: GenAI attributes with chat messages of prose, about `spanBytes` per span before compression. */
export function otlpBody(prose: Prose, spans: number, spanBytes: number): Buffer {
  const trace = randomBytes(16);
  const encoded = Array.from({ length: spans }, () => bytesField(2, span(prose, trace, spanBytes)));
  const resource = bytesField(1, attribute('service.name', text('bench')));
  const scope = bytesField(1, textField(1, 'bench'));
  const resourceSpans = Buffer.concat([
    bytesField(1, resource),
    bytesField(2, Buffer.concat([scope, ...encoded])),
  ]);
  return gzipSync(bytesField(1, resourceSpans), { level: 6 });
}

const NOW_NS = 1_795_000_000_000_000_000n;

function span(prose: Prose, trace: Buffer, size: number): Buffer {
  const content = Math.max(100, size - 900);
  const message = (role: string, length: number) => ({
    role,
    parts: [{ type: 'text', content: prose.text(length) }],
  });
  const attributes = [
    attribute('gen_ai.operation.name', text('chat')),
    attribute('gen_ai.provider.name', text('openai')),
    attribute('gen_ai.request.model', text('gpt-4o')),
    attribute('gen_ai.response.model', text('gpt-4o-2024-08-06')),
    attribute('gen_ai.response.id', text(randomBytes(12).toString('hex'))),
    attribute('gen_ai.request.temperature', double(0.7)),
    attribute('gen_ai.request.max_tokens', integer(1024)),
    attribute('gen_ai.usage.input_tokens', integer(412)),
    attribute('gen_ai.usage.output_tokens', integer(96)),
    attribute('gen_ai.conversation.id', text(trace.toString('hex'))),
    attribute('user.id', text(`user-${trace[0]}`)),
    attribute('deployment.environment', text('prod')),
    attribute(
      'gen_ai.input.messages',
      text(JSON.stringify([message('system', content * 0.3), message('user', content * 0.3)])),
    ),
    attribute('gen_ai.output.messages', text(JSON.stringify([message('assistant', content * 0.4)]))),
  ];
  const head = { trace, id: randomBytes(8), name: 'chat gpt-4o', kind: 3 };
  return encodeSpan({ ...head, startNs: NOW_NS, endNs: NOW_NS + 1_250_000_000n }, attributes);
}
