import { createRequire } from 'node:module';
import { BatchMessage } from './batch-message.js';
import { ProducePayload, type ProduceData } from './produce-payload.js';

/** A produce request as kafkajs describes it to the module that encodes it. */
interface ProduceArguments {
  readonly acks: number;
  readonly timeout: number;
  readonly topicData: readonly {
    readonly topic: string;
    readonly partitions: readonly { readonly partition: number; readonly messages: readonly unknown[] }[];
  }[];
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

/**
 * Makes kafkajs send requests of {@link BatchMessage}s as {@link ProducePayload} writes them. Its own encoder makes a growing buffer for each record, each list of
 * records, each topic, the request and its frame, and copies all bytes from one into the next: most of what an append costs. Connections, retries and answers
 * stay its own, and so does the encoding of other messages.
 */
export function patchProduceEncoder(): void {
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
    return (args) => {
      const made = make(args);
      if (!isOurs(args)) return made;
      if (version < RECORD_BATCHES_FROM)
        throw new Error('the broker is too old: it does not know record batches');
      return {
        ...made,
        request: { ...made.request, encode: () => Promise.resolve(new ProducePayload(args, Date.now())) },
      };
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

/** The log's own requests: one batch of records for each partition. */
function isOurs(args: ProduceArguments): args is ProduceData {
  return args.topicData.every(({ partitions }) =>
    partitions.every(({ messages }) => messages[0] instanceof BatchMessage),
  );
}
