import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Kafka, logLevel } from 'kafkajs';
import { encodeTopicRequest, fetchTopicId } from './topic-id.js';

const TOPIC_ID = '00112233445566778899aabbccddeeff';
const API_VERSIONS = 18;
const METADATA = 3;

describe('the id of a topic', () => {
  let server: Server;
  let requests: { apiKey: number; version: number; body: Buffer }[];

  /** A broker that knows one topic and offers metadata requests up to this version. */
  const startBroker = async (maxMetadataVersion: number) => {
    requests = [];
    const sockets: Socket[] = [];
    server = createServer((socket) => {
      sockets.push(socket);
      socket.on('data', (data) => {
        const apiKey = data.readInt16BE(4);
        const version = data.readInt16BE(6);
        const clientIdBytes = data.readInt16BE(12);
        requests.push({ apiKey, version, body: data.subarray(14 + clientIdBytes) });
        const { port } = server.address() as AddressInfo;
        const body =
          apiKey === API_VERSIONS ? versions(version, maxMetadataVersion) : metadata(version, port);
        const head = Buffer.alloc(8);
        head.writeInt32BE(body.length + 4, 0);
        data.copy(head, 4, 8, 12);
        socket.write(Buffer.concat([head, body]));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const brokers = [`127.0.0.1:${(server.address() as AddressInfo).port}`];
    const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    return {
      admin,
      stop: async () => {
        await admin.disconnect();
        for (const socket of sockets) socket.destroy();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  };

  it('is asked for with a request that names the topic', () => {
    expect(encodeTopicRequest('events').toString('hex')).toBe(
      `0002${'00'.repeat(16)}07${Buffer.from('events').toString('hex')}00000000` + '00',
    );
  });

  it('comes from the metadata of the broker, through the connection of kafkajs', async () => {
    const { admin, stop } = await startBroker(12);
    expect(await fetchTopicId(admin, 'events')).toBe(TOPIC_ID);
    expect(requests.at(-1)).toMatchObject({
      apiKey: METADATA,
      version: 10,
      body: encodeTopicRequest('events'),
    });
    await stop();
  });

  it('is undefined on a broker without topic ids', async () => {
    const { admin, stop } = await startBroker(6);
    expect(await fetchTopicId(admin, 'events')).toBeUndefined();
    await stop();
  });

  it('leaves other metadata requests as kafkajs makes them', async () => {
    const { admin, stop } = await startBroker(12);
    await fetchTopicId(admin, 'events');
    const { topics } = await admin.fetchTopicMetadata({ topics: ['events'] });
    expect(topics[0]?.name).toBe('events');
    expect(requests.at(-1)).toMatchObject({ apiKey: METADATA, version: 6 });
    await stop();
  });
});

function versions(version: number, maxMetadataVersion: number): Buffer {
  const keys = [
    [METADATA, 0, maxMetadataVersion],
    [API_VERSIONS, 0, 2],
  ].map(([apiKey = 0, min = 0, max = 0]) => int16(apiKey, min, max));
  return Buffer.concat([int16(0), int32(keys.length), ...keys, ...(version > 0 ? [int32(0)] : [])]);
}

function metadata(version: number, port: number): Buffer {
  const host = Buffer.from('127.0.0.1');
  const topic = Buffer.from('events');
  const cluster = Buffer.from('a-cluster');
  const text = (bytes: Buffer) =>
    version >= 10 ? compact(bytes) : Buffer.concat([int16(bytes.length), bytes]);
  if (version >= 10)
    return Buffer.concat([
      Buffer.from([0]),
      int32(0),
      ...[Buffer.from([2]), int32(1), text(host), int32(port), Buffer.from([0, 0])],
      ...[text(cluster), int32(1)],
      ...[Buffer.from([2]), int16(0), text(topic), Buffer.from(TOPIC_ID, 'hex')],
      ...[Buffer.from([0, 1]), int32(0), Buffer.from([0]), int32(0), Buffer.from([0])],
    ]);
  const broker = [int32(1), int32(1), text(host), int32(port), int16(-1)];
  return Buffer.concat([
    int32(0),
    ...broker,
    text(cluster),
    int32(1),
    ...[int32(1), int16(0), text(topic), Buffer.from([0]), int32(0)],
  ]);
}

function compact(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([bytes.length + 1]), bytes]);
}

function int16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, index) => bytes.writeInt16BE(value, 2 * index));
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value, 0);
  return bytes;
}
