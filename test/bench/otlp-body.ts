import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Prose } from './prose.js';
import { bytesField, fixed64Field, textField, varintField } from './protobuf-writer.js';

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
  const head = [
    bytesField(1, trace),
    bytesField(2, randomBytes(8)),
    textField(5, 'chat gpt-4o'),
    varintField(6, 3),
  ];
  const times = [fixed64Field(7, NOW_NS), fixed64Field(8, NOW_NS + 1_250_000_000n)];
  return Buffer.concat([...head, ...times, ...attributes.map((encoded) => bytesField(9, encoded))]);
}

function attribute(key: string, value: Buffer): Buffer {
  return Buffer.concat([textField(1, key), bytesField(2, value)]);
}

const text = (value: string) => textField(1, value);
const integer = (value: number) => varintField(3, value);

function double(value: number): Buffer {
  const bytes = Buffer.alloc(9);
  bytes[0] = (4 << 3) | 1;
  bytes.writeDoubleLE(value, 1);
  return bytes;
}
