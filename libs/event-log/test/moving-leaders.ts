import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { int16, int32, onFrames } from './kafka-frames.js';

const [PRODUCE, METADATA, API_VERSIONS] = [0, 3, 18];
/** Highest version of each request that these brokers know: the first with record batches, and the first with a controller. */
const VERSIONS = [
  [PRODUCE, 3],
  [METADATA, 1],
  [API_VERSIONS, 2],
] as const;
const NOT_LEADER = 6;

export interface MovingLeaders {
  /** `127.0.0.1:port` of both brokers. */
  readonly addresses: readonly string[];
  /** The partition of each batch that was appended. */
  readonly appended: readonly number[];
  close(): Promise<void>;
}

/** The fields of a request that the brokers read. Source: Apache Kafka protocol guide. */
interface Request {
  readonly apiKey: number;
  readonly apiVersion: number;
  readonly body: Buffer;
}

/**
 * Two brokers of a topic, as far as a producer sees them. Each leads one partition, 0 and 1, but the second loses its own to the first
 * while a request is under way: after the first has acknowledged its part, the second refuses, because it leads nothing any more.
 */
export async function startMovingLeaders(topic: string): Promise<MovingLeaders> {
  const appended: number[] = [];
  const leaders = [0, 1];
  const refusals: (() => void)[] = [];
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const portOf = (index: number) => (servers[index]!.address() as AddressInfo).port;

  const metadata = () =>
    Buffer.concat([
      list([0, 1].map((id) => Buffer.concat([int32(id), text('127.0.0.1'), int32(portOf(id)), int16(-1)]))),
      int32(0),
      list([
        Buffer.concat([
          int16(0),
          text(topic),
          Buffer.from([0]),
          list(leaders.map((id, at) => partition(at, id))),
        ]),
      ]),
    ]);
  const produce = (node: number, body: Buffer, respond: (body: Buffer) => void) => {
    const partitions = partitionsOf(body);
    if (node === 1) {
      refusals.push(() => {
        leaders[1] = 0;
        respond(produced(topic, partitions, NOT_LEADER));
      });
    } else {
      appended.push(...partitions);
      respond(produced(topic, partitions, 0));
    }
    if (appended.length > 0) for (const refuse of refusals.splice(0)) refuse();
  };
  const handle = (node: number, request: Request, respond: (body: Buffer) => void) => {
    if (request.apiKey === API_VERSIONS) respond(apiVersions(request.apiVersion));
    else if (request.apiKey === METADATA) respond(metadata());
    else produce(node, request.body, respond);
  };

  for (const node of [0, 1]) {
    const server = createServer((socket) => {
      sockets.add(socket);
      serve(socket, (request, respond) => handle(node, request, respond));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }
  return {
    addresses: [0, 1].map((index) => `127.0.0.1:${portOf(index)}`),
    appended,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

/** Calls the handler for each request of a connection. */
function serve(socket: Socket, handle: (request: Request, respond: (body: Buffer) => void) => void): void {
  socket.on('error', () => undefined);
  onFrames(socket, (frame) => {
    const body = frame.subarray(14 + Math.max(0, frame.readInt16BE(12)));
    const respond = (response: Buffer) =>
      socket.write(Buffer.concat([int32(4 + response.length), frame.subarray(8, 12), response]));
    handle({ apiKey: frame.readInt16BE(4), apiVersion: frame.readInt16BE(6), body }, respond);
  });
}

/** Returns the partitions of a produce request for one topic: transactional id (none), acks, timeout, topics. */
function partitionsOf(body: Buffer): number[] {
  let at = 12;
  at += 2 + body.readInt16BE(at);
  const partitions: number[] = [];
  for (let left = body.readInt32BE(at), next = at + 4; left > 0; left -= 1) {
    partitions.push(body.readInt32BE(next));
    next += 8 + body.readInt32BE(next + 4);
  }
  return partitions;
}

function produced(topic: string, partitions: readonly number[], error: number): Buffer {
  const results = partitions.map((id) => Buffer.concat([int32(id), int16(error), Buffer.alloc(16)]));
  const topics = partitions.length > 0 ? [Buffer.concat([text(topic), list(results)])] : [];
  return Buffer.concat([list(topics), int32(0)]);
}

function apiVersions(version: number): Buffer {
  const keys = VERSIONS.map(([key, highest]) => Buffer.concat([int16(key), int16(0), int16(highest)]));
  return Buffer.concat([int16(0), list(keys), ...(version > 0 ? [int32(0)] : [])]);
}

function partition(id: number, leader: number): Buffer {
  const replicas = list([int32(0), int32(1)]);
  return Buffer.concat([int16(0), int32(id), int32(leader), replicas, replicas]);
}

function list(items: readonly Buffer[]): Buffer {
  return Buffer.concat([int32(items.length), ...items]);
}

function text(value: string): Buffer {
  return Buffer.concat([int16(value.length), Buffer.from(value)]);
}
