import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { BSON } from 'mongodb';

/** Operations of MongoDB's wire protocol. The driver sends the first `hello` as a query. */
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const HEADER_BYTES = 16;

type Document = Record<string, unknown>;

export interface ReadOnlyServerOptions {
  /** The version that it reports; a supported one when absent. */
  readonly version?: string;
  /** How far its clock is ahead of this process, in milliseconds; 0 when absent. */
  readonly aheadMs?: number;
}

/** What a server with access control permits every client. */
function permittedCommands({ version = '7.0.0', aheadMs = 0 }: ReadOnlyServerOptions) {
  const wire = { maxWireVersion: 21, minWireVersion: 0 };
  const permitted: Readonly<Record<string, () => Document>> = {
    hello: () => ({ isWritablePrimary: true, localTime: new Date(Date.now() + aheadMs), ...wire }),
    ismaster: () => ({ ismaster: true, helloOk: true, ...wire }),
    ping: () => ({}),
    buildInfo: () => ({ version }),
    endSessions: () => ({}),
    find: () => ({ cursor: { id: BSON.Long.ZERO, ns: 'assay.any', firstBatch: [] } }),
  };
  return permitted;
}

/** A server that speaks MongoDB's protocol to a user with the role `read`, on an empty database. */
export async function startReadOnlyServer(
  options: ReadOnlyServerOptions = {},
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const permitted = permittedCommands(options);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let received = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= HEADER_BYTES && received.length >= received.readInt32LE(0)) {
        const length = received.readInt32LE(0);
        socket.write(respond(received.subarray(0, length), permitted));
        received = received.subarray(length);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `mongodb://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function respond(message: Buffer, commands: Readonly<Record<string, () => Document>>): Buffer {
  const isQuery = message.readInt32LE(12) === OP_QUERY;
  const start = isQuery ? message.indexOf(0, HEADER_BYTES + 4) + 1 + 8 : HEADER_BYTES + 5;
  const document = message.subarray(start, start + message.readInt32LE(start));
  const [command = ''] = Object.keys(BSON.deserialize(document));
  const permitted = commands[command]?.();
  const body = BSON.serialize(
    permitted
      ? { ...permitted, ok: 1 }
      : { ok: 0, code: 13, codeName: 'Unauthorized', errmsg: 'not authorized on assay to execute command' },
  );
  // Before the document, a reply has flags, a cursor, an offset and a count of 1; a message has flags and a kind of 0.
  const prefix = isQuery ? Buffer.alloc(20) : Buffer.alloc(5);
  if (isQuery) prefix.writeInt32LE(1, 16);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeInt32LE(HEADER_BYTES + prefix.length + body.length, 0);
  header.writeInt32LE(message.readInt32LE(4), 8);
  header.writeInt32LE(isQuery ? OP_REPLY : OP_MSG, 12);
  return Buffer.concat([header, prefix, body]);
}
