import { createRequire } from 'node:module';
import { BatchMessage } from './batch-message.js';
import { ProducePayload, type ProduceData } from './produce-payload.js';

/** The arguments that kafkajs passes to the module that encodes a produce request. */
interface ProduceArguments {
  readonly acks: number;
  readonly timeout: number;
  readonly topicData: readonly {
    readonly topic: string;
    readonly partitions: readonly { readonly partition: number; readonly messages: readonly unknown[] }[];
  }[];
}

interface ProtocolRequest {
  readonly request: { readonly encode: () => Promise<unknown> };
  readonly response: { readonly decode: (bytes: Buffer) => Promise<unknown> };
}

interface ProduceModule {
  protocol: (version: { readonly version: number }) => (args: ProduceArguments) => ProtocolRequest;
}

interface EncoderClass {
  readonly prototype: { readonly buffer: Buffer; writeEncoder: (value: unknown) => unknown };
}

/** The first version whose messages are record batches. */
const RECORD_BATCHES_FROM = 3;

/**
 * Makes kafkajs encode requests of {@link BatchMessage}s with {@link ProducePayload}. Its own encoder
 * allocates a growing buffer for each record, list of records, topic, request and frame, and copies all bytes
 * from one to the next, which is most of the cost of an append. Connections, retries, responses and
 * the encoding of all other messages are unchanged.
 */
export function patchProduceEncoder(): void {
  const load = createRequire(__filename);
  const produce = load('kafkajs/src/protocol/requests/produce') as ProduceModule;
  const encoder = load('kafkajs/src/protocol/encoder') as EncoderClass;
  if (installed.has(produce)) return;
  installed.add(produce);
  patchProduceModule(produce);
  patchEncoder(encoder);
}

const installed = new WeakSet<object>();

function patchProduceModule(produce: ProduceModule): void {
  const { protocol } = produce;
  produce.protocol = ({ version }) => {
    const make = protocol({ version });
    return (args) => {
      const original = make(args);
      if (!hasBatchMessages(args)) return original;
      if (version < RECORD_BATCHES_FROM)
        throw new Error('the broker is too old: it does not support record batches');
      return withPayload(original, new ProducePayload(args, Date.now()));
    };
  };
}

/** kafkajs makes a new request for each attempt, encodes it once, and decodes the response if there is one. */
function withPayload({ request, response }: ProtocolRequest, payload: ProducePayload): ProtocolRequest {
  return {
    request: { ...request, encode: () => payload.compress().then(() => payload) },
    response: {
      ...response,
      decode: (bytes) => {
        payload.release();
        return response.decode(bytes);
      },
    },
  };
}

/**
 * kafkajs prepends the header of a request by writing header and body to a new encoder; a payload takes the
 * header.
 */
function patchEncoder({ prototype }: EncoderClass): void {
  const { writeEncoder } = prototype;
  prototype.writeEncoder = function (value) {
    return value instanceof ProducePayload ? value.prepend(this.buffer) : writeEncoder.call(this, value);
  };
}

/** Returns whether the request is from this log: one batch message for each partition. */
function hasBatchMessages(args: ProduceArguments): args is ProduceData {
  return args.topicData.every(({ partitions }) =>
    partitions.every(({ messages }) => messages[0] instanceof BatchMessage),
  );
}
