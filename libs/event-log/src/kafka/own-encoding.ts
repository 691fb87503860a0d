import { createRequire } from 'node:module';
import { ProducePayload, type ProduceData } from './produce-payload.js';

/** A produce request as kafkajs describes it to the module that encodes it. */
interface ProduceArguments extends ProduceData {
  readonly transactionalId?: string | null;
  readonly producerId?: unknown;
  readonly compression?: number;
}

interface MadeRequest {
  readonly request: { readonly encode: () => Promise<unknown> };
}

interface ProduceModule {
  protocol: (version: { readonly version: number }) => (args: ProduceArguments) => MadeRequest;
}

interface EncoderClass {
  readonly prototype: { readonly buffer: Buffer; writeEncoder: (value: unknown) => unknown };
}

/** The first version whose messages are record batches. */
const RECORD_BATCHES_FROM = 3;
const NO_PRODUCER_ID = -1;

/**
 * Makes kafkajs send produce requests as {@link ProducePayload} writes them. Its own encoder makes a growing buffer for each record, each list of
 * records, each topic, the request and its frame, and copies all bytes from one into the next: most of what an append costs. Connections, retries and answers
 * stay its own, and so does the encoding of what the log never sends (compressed, transactional, idempotent, keys or values of another kind).
 */
export function useOwnEncoding(): void {
  const load = createRequire(__filename);
  const produce = load('kafkajs/src/protocol/requests/produce') as ProduceModule;
  const encoder = load('kafkajs/src/protocol/encoder') as EncoderClass;
  if (installed.has(produce)) return;
  installed.add(produce);
  encodeProduceRequests(produce);
  takePrefixes(encoder);
}

const installed = new WeakSet<object>();

function encodeProduceRequests(produce: ProduceModule): void {
  const { protocol } = produce;
  produce.protocol = ({ version }) => {
    const make = protocol({ version });
    if (version < RECORD_BATCHES_FROM) return make;
    return (args) => {
      const made = make(args);
      if (!isPlain(args)) return made;
      return { ...made, request: { ...made.request, encode: () => Promise.resolve(new ProducePayload(args, Date.now())) } };
    };
  };
}

/** kafkajs puts the head of a request before its body by writing both into a new encoder; a payload takes the head instead. */
function takePrefixes({ prototype }: EncoderClass): void {
  const { writeEncoder } = prototype;
  prototype.writeEncoder = function (value) {
    return value instanceof ProducePayload ? value.prepend(this.buffer) : writeEncoder.call(this, value);
  };
}

function isPlain({ transactionalId, producerId, compression, topicData }: ProduceArguments): boolean {
  if (transactionalId || producerId !== NO_PRODUCER_ID || compression) return false;
  return topicData.every(({ partitions }) => partitions.every(({ messages }) => messages.every(isPlainMessage)));
}

function isPlainMessage(message: { readonly [name in 'key' | 'value' | 'headers' | 'timestamp']?: unknown }): boolean {
  const { key, value, headers, timestamp } = message;
  return typeof key === 'string' && Buffer.isBuffer(value) && timestamp === undefined && hasPlainHeaders(headers);
}

function hasPlainHeaders(headers: unknown): boolean {
  return typeof headers === 'object' && headers !== null && Object.values(headers).every((value) => typeof value === 'string');
}
