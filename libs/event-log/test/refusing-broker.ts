import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { int32, onFrames } from './kafka-frames.js';

/** `UNSUPPORTED_COMPRESSION_TYPE` of the protocol. */
const REFUSAL = 76;
const PRODUCE = 0;
/** Where a batch has its attributes, of which the last three bits are the compression. */
const ATTRIBUTES_AT = 21;
const CODEC_MASK = 7;

export interface RefusingBroker {
  /** `127.0.0.1:port` */
  readonly address: string;
  /** Number of requests that were refused. */
  refused(): number;
  close(): Promise<void>;
}

/** Passes the requests of clients to a broker, and refuses those that append compressed records, as some brokers do. */
export async function startRefusingBroker(broker: string): Promise<RefusingBroker> {
  const { hostname: host, port } = new URL(`tcp://${broker}`);
  const sockets = new Set<Socket>();
  let refused = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), host);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => (client.destroy(), upstream.destroy()));
    }
    upstream.pipe(client);
    onFrames(client, (frame) => {
      const response = refusalOf(frame);
      if (response === undefined) upstream.write(frame);
      else client.write(response);
      if (response !== undefined) refused += 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused: () => refused,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns the response to a produce request (version 5 to 7) with a compressed batch; undefined for any other request. */
function refusalOf(frame: Buffer): Buffer | undefined {
  let at = 4;
  const next16 = () => frame.readInt16BE((at += 2) - 2);
  const next32 = () => frame.readInt32BE((at += 4) - 4);
  if (next16() !== PRODUCE) return undefined;
  next16();
  const correlation = next32();
  const clientId = next16();
  at += Math.max(0, clientId);
  // Transactional id (none), acks and timeout.
  at += 8;
  let isCompressed = false;
  const topics: Buffer[] = [];
  const topicCount = next32();
  for (let topic = 0; topic < topicCount; topic += 1) {
    const name = frame.subarray(at, at + 2 + frame.readInt16BE(at));
    at += name.length;
    const partitions: Buffer[] = [];
    const partitionCount = next32();
    for (let index = 0; index < partitionCount; index += 1) {
      partitions.push(refusedPartition(next32()));
      const bytes = next32();
      isCompressed ||= (frame.readInt16BE(at + ATTRIBUTES_AT) & CODEC_MASK) !== 0;
      at += bytes;
    }
    topics.push(Buffer.concat([name, int32(partitionCount), ...partitions]));
  }
  if (!isCompressed) return undefined;
  const body = Buffer.concat([int32(correlation), int32(topicCount), ...topics, int32(0)]);
  return Buffer.concat([int32(body.length), body]);
}

/** Partition, error, first offset, time of the append, start of the log. */
function refusedPartition(partition: number): Buffer {
  const bytes = Buffer.alloc(30, 0xff);
  bytes.writeInt32BE(partition, 0);
  bytes.writeInt16BE(REFUSAL, 4);
  return bytes;
}
