import { connect } from 'node:net';

/** Metadata request, version 1, for no topic: length, key 3, version 1, correlation 1, an empty client id and list of topics. */
const REQUEST = Buffer.from('0000000e00030001000000010000' + '00000000', 'hex');
/** Offset of the number of brokers in the response: behind its length and the correlation id. */
const BROKERS_AT = 8;
const RESPOND_WITHIN_MS = 1_000;

/** Whether a broker on this port of 127.0.0.1 responds to a metadata request with at least so many live brokers. */
export function respondsToMetadata(port: number, brokers = 1): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(REQUEST));
    const finish = (ready: boolean) => {
      socket.destroy();
      resolve(ready);
    };
    let response = Buffer.alloc(0);
    socket.setTimeout(RESPOND_WITHIN_MS, () => finish(false));
    socket.on('error', () => finish(false));
    socket.on('end', () => finish(false));
    socket.on('data', (chunk: Buffer) => {
      response = Buffer.concat([response, chunk]);
      if (response.length >= BROKERS_AT + 4) finish(response.readInt32BE(BROKERS_AT) >= brokers);
    });
  });
}
