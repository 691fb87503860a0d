import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { decodeTraces } from '@assay/otlp';

/**
 * The floor of taking OTLP in: bare `node:http`, gunzip, decode, answer. Nothing is kept. Prints its port.
 * Run as a process of its own, so that its CPU is counted apart from the sender's.
 */
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    decodeTraces(gunzipSync(Buffer.concat(chunks)), 'protobuf');
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object') process.stdout.write(`listening ${address.port}\n`);
});
