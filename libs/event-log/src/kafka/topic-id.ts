import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import type { Admin } from 'kafkajs';

/**
 * The version of metadata requests from which a broker says the id of a topic (KIP-516, Kafka 2.8). kafkajs
 * stops at 6.
 */
const VERSION = 10;
const LAST_OF_KAFKAJS = 6;
const API_KEY = 3;
const API_NAME = 'Metadata';
const UUID_BYTES = 16;

interface Encoder {
  writeBuffer(bytes: Buffer): Encoder;
}

interface Protocol {
  readonly request: object;
  readonly response: object;
}

interface MetadataModule {
  versions: readonly string[];
  protocol: (version: {
    readonly version: number;
  }) => (args: { readonly topics: readonly string[] }) => Protocol;
}

/** A look-up under way, and what it found. */
interface LookUp {
  topicId?: string;
}

const current = new AsyncLocalStorage<LookUp>();
const patched = new WeakSet<object>();

/**
 * The id that the cluster gave the topic when it was created, 32 hexadecimal digits; undefined on a cluster
 * without topic ids. The connection, retries and authentication are those of kafkajs; only the metadata
 * request of this look-up is encoded here.
 */
export async function fetchTopicId(admin: Admin, topic: string): Promise<string | undefined> {
  patchMetadataRequests();
  const lookUp: LookUp = {};
  await current.run(lookUp, () => admin.fetchTopicMetadata({ topics: [topic] }));
  return lookUp.topicId;
}

/** Requests outside of a look-up stay as kafkajs makes them. */
function patchMetadataRequests(): void {
  const load = createRequire(__filename);
  const metadata = load('kafkajs/src/protocol/requests/metadata') as MetadataModule;
  if (patched.has(metadata)) return;
  patched.add(metadata);
  const { versions, protocol } = metadata;
  const NewEncoder = load('kafkajs/src/protocol/encoder') as new () => Encoder;
  Object.defineProperty(metadata, 'versions', {
    get: () => (current.getStore() === undefined ? versions : [...versions, String(VERSION)]),
  });
  metadata.protocol = ({ version }) => {
    const lookUp = current.getStore();
    if (lookUp === undefined || version < VERSION)
      return protocol({ version: Math.min(version, LAST_OF_KAFKAJS) });
    return ({ topics }) =>
      topicIdProtocol(lookUp, protocol({ version: LAST_OF_KAFKAJS })({ topics }), topics[0] ?? '', (bytes) =>
        new NewEncoder().writeBuffer(bytes),
      );
  };
}

function topicIdProtocol(
  lookUp: LookUp,
  ordinary: Protocol,
  topic: string,
  toEncoder: (bytes: Buffer) => Encoder,
): Protocol {
  const encode = () => Promise.resolve(toEncoder(encodeTopicRequest(topic)));
  const decode = (bytes: Buffer) => {
    const decoded = decodeMetadata(bytes);
    lookUp.topicId = topicIdIn(decoded, topic) ?? lookUp.topicId;
    return Promise.resolve(decoded);
  };
  return {
    request: { apiKey: API_KEY, apiName: API_NAME, apiVersion: VERSION, encode },
    response: { ...ordinary.response, decode },
  };
}

/** Header tags, one topic by its name, and no creation, no authorized operations, no tags. */
export function encodeTopicRequest(topic: string): Buffer {
  const name = Buffer.from(topic);
  const oneTopic = Buffer.concat([Buffer.alloc(UUID_BYTES), varint(name.length + 1), name, Buffer.from([0])]);
  return Buffer.concat([Buffer.from([0, 2]), oneTopic, Buffer.from([0, 0, 0, 0])]);
}

/** A topic's name has at most 249 bytes, so two bytes are enough. */
function varint(value: number): Buffer {
  return Buffer.from(value < 0x80 ? [value] : [(value & 0x7f) | 0x80, value >> 7]);
}

/** A metadata response as kafkajs keeps it, with the id of each topic. */
interface Metadata {
  /** Milliseconds that the client is to wait before its next request. */
  readonly clientSideThrottleTime: number;
  readonly brokers: readonly object[];
  readonly clusterId: string | null;
  readonly controllerId: number;
  readonly topicMetadata: readonly {
    readonly topicErrorCode: number;
    readonly topic: string | null;
    readonly topicId: string;
    readonly isInternal: boolean;
    readonly partitionMetadata: readonly object[];
  }[];
}

/**
 * Decodes a whole response, because kafkajs may refresh what it knows of the cluster while the id is asked
 * for.
 */
export function decodeMetadata(response: Buffer): Metadata {
  const reader = new FlexibleReader(response);
  reader.skipTags();
  const clientSideThrottleTime = reader.int32();
  const brokers = reader.array(() => ({
    nodeId: reader.int32(),
    host: reader.text(),
    port: reader.int32(),
    rack: reader.text(),
  }));
  const clusterId = reader.text();
  const controllerId = reader.int32();
  const topicMetadata = reader.array(() => ({
    topicErrorCode: reader.int16(),
    topic: reader.text(),
    topicId: reader.bytes(UUID_BYTES).toString('hex'),
    isInternal: reader.bytes(1)[0] === 1,
    partitionMetadata: reader.array(() => decodePartition(reader)),
    authorizedOperations: reader.int32(),
  }));
  return { clientSideThrottleTime, brokers, clusterId, controllerId, topicMetadata };
}

function decodePartition(reader: FlexibleReader) {
  const ids = () => reader.plainArray(() => reader.int32());
  return {
    partitionErrorCode: reader.int16(),
    partitionId: reader.int32(),
    leader: reader.int32(),
    leaderEpoch: reader.int32(),
    replicas: ids(),
    isr: ids(),
    offlineReplicas: ids(),
  };
}

/** A cluster that does not use topic ids reports zeros. */
function topicIdIn({ topicMetadata }: Metadata, topic: string): string | undefined {
  const id = topicMetadata.find((one) => one.topic === topic)?.topicId ?? '';
  return /[1-9a-f]/.test(id) ? id : undefined;
}

/**
 * Reads the flexible encoding of the Kafka protocol (KIP-482): lengths are unsigned varints, one more than
 * the length.
 */
class FlexibleReader {
  private at = 0;

  constructor(private readonly source: Buffer) {}

  bytes(length: number): Buffer {
    if (this.at + length > this.source.length) throw new Error('the metadata response is too short');
    this.at += length;
    return this.source.subarray(this.at - length, this.at);
  }

  int16(): number {
    return this.bytes(2).readInt16BE(0);
  }

  int32(): number {
    return this.bytes(4).readInt32BE(0);
  }

  /** A text; kafkajs compares brokers with those it knew, for which no rack is null. */
  text(): string | null {
    const length = this.varint() - 1;
    return length < 0 ? null : this.bytes(length).toString();
  }

  /** An array of numbers. */
  plainArray<T>(element: () => T): T[] {
    const elements: T[] = [];
    for (let left = this.varint() - 1; left > 0; left -= 1) elements.push(element());
    return elements;
  }

  /** An array of structures, each of which ends with tags. */
  array<T>(element: () => T): T[] {
    return this.plainArray(() => {
      const decoded = element();
      this.skipTags();
      return decoded;
    });
  }

  skipTags(): void {
    for (let tags = this.varint(); tags > 0; tags -= 1) {
      this.varint();
      this.bytes(this.varint());
    }
  }

  private varint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.bytes(1).readUInt8(0);
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    return value;
  }
}
