import { constants, gunzipSync } from 'node:zlib';

const HEAD_END = '\r\n\r\n';

/**
 * Returns what one direction of an HTTP/1.1 connection contains as it can be searched: without chunk borders, and
 * with bodies in gzip decompressed. A message that is not complete is included as far as it arrived.
 */
export function readableMessages(stream: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let rest = stream; rest.length > 0;) {
    const headEnd = rest.indexOf(HEAD_END);
    if (headEnd < 0) return Buffer.concat([...parts, rest]);
    const start = headEnd + HEAD_END.length;
    const head = rest.subarray(0, start).toString('latin1');
    const { body, end } = readBody(head, rest.subarray(start));
    parts.push(rest.subarray(0, start), isGzip(head) ? inflate(body) : body);
    rest = rest.subarray(start + end);
  }
  return Buffer.concat(parts);
}

function readBody(head: string, rest: Buffer): { body: Buffer; end: number } {
  if (/^transfer-encoding:\s*chunked/im.test(head)) return readChunks(rest);
  const length = Number(/^content-length:\s*(\d+)/im.exec(head)?.[1] ?? 0);
  return { body: rest.subarray(0, length), end: length };
}

function readChunks(rest: Buffer): { body: Buffer; end: number } {
  const chunks: Buffer[] = [];
  for (let at = 0; at < rest.length;) {
    const lineEnd = rest.indexOf('\r\n', at);
    if (lineEnd < 0) break;
    const size = Number.parseInt(rest.toString('latin1', at, lineEnd), 16);
    const start = lineEnd + 2;
    at = start + size + 2;
    if (size === 0) return { body: Buffer.concat(chunks), end: at };
    chunks.push(rest.subarray(start, start + size));
  }
  return { body: Buffer.concat(chunks), end: rest.length };
}

function isGzip(head: string): boolean {
  return /^content-encoding:\s*gzip/im.test(head);
}

/** Accepts content that ends too early. */
function inflate(body: Buffer): Buffer {
  return gunzipSync(body, { finishFlush: constants.Z_SYNC_FLUSH });
}
