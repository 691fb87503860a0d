import { bytesField, fixed64Field, textField, varintField } from './protobuf-writer.js';

/** One attribute of a span or a resource: a key and an encoded `AnyValue`. */
export function attribute(key: string, value: Buffer): Buffer {
  return Buffer.concat([textField(1, key), bytesField(2, value)]);
}

export const text = (value: string) => textField(1, value);
export const integer = (value: number) => varintField(3, value);
export const texts = (values: readonly string[]) =>
  bytesField(5, Buffer.concat(values.map((value) => bytesField(1, text(value)))));

export function double(value: number): Buffer {
  const bytes = Buffer.alloc(9);
  bytes[0] = (4 << 3) | 1;
  bytes.writeDoubleLE(value, 1);
  return bytes;
}

/** The fixed fields of a span. */
export interface SpanHead {
  readonly trace: Buffer;
  readonly id: Buffer;
  readonly parent?: Buffer;
  readonly name: string;
  /** `SpanKind`. */
  readonly kind: number;
  readonly startNs: bigint;
  readonly endNs: bigint;
}

/** One encoded `Span`. */
export function encodeSpan(head: SpanHead, attributes: readonly Buffer[]): Buffer {
  return Buffer.concat([
    bytesField(1, head.trace),
    bytesField(2, head.id),
    ...(head.parent ? [bytesField(4, head.parent)] : []),
    textField(5, head.name),
    varintField(6, head.kind),
    fixed64Field(7, head.startNs),
    fixed64Field(8, head.endNs),
    ...attributes.map((encoded) => bytesField(9, encoded)),
  ]);
}
