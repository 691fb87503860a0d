import type { Socket } from 'node:net';

/** Calls the handler for each request of a connection, with the length that precedes it. Source: Apache Kafka protocol guide, "Protocol Primitive Types". */
export function onFrames(socket: Socket, handle: (frame: Buffer) => void): void {
  let pending = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 4 && pending.length >= 4 + pending.readInt32BE(0)) {
      const frame = pending.subarray(0, 4 + pending.readInt32BE(0));
      pending = pending.subarray(frame.length);
      handle(frame);
    }
  });
}

export function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
