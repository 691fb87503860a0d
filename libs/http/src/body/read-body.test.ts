import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { AppError } from '@assay/errors';
import { bomb, rawFrame, skippable } from '../../test/zstd/frames.js';
import { ByteBudget } from '../scheduling/byte-budget.js';
import { readBody } from './read-body.js';

const text = Buffer.from(JSON.stringify({ a: 'some text '.repeat(50), n: [1, 2, 3] }));

/** Returns a request whose body arrives in these chunks. */
function incoming(
  chunks: readonly Buffer[],
  headers: Record<string, string | undefined> = {},
): IncomingMessage {
  return Object.assign(Readable.from(chunks, { objectMode: false }), { headers }) as never;
}

interface Outcome {
  readonly body?: Buffer;
  readonly code?: string;
  readonly message?: string;
  readonly left: number;
}

async function read(
  chunks: readonly Buffer[],
  headers: Record<string, string | undefined>,
  options: { maxBytes?: number; budget?: ByteBudget; sniffGzip?: boolean } = {},
): Promise<Outcome> {
  const budget = options.budget ?? new ByteBudget();
  const grant = budget.open('p1');
  try {
    const body = await readBody(incoming(chunks, headers), grant, options);
    expect(budget.used).toBe(body.length);
    grant.release();
    return { body, left: budget.used };
  } catch (error) {
    grant.release();
    if (error instanceof AppError) return { code: error.code, message: error.message, left: budget.used };
    throw error;
  }
}

/** Splits the bytes at these offsets (modulo their length), as a network may. */
function split(bytes: Buffer, offsets: readonly number[]): Buffer[] {
  const edges = [
    0,
    ...offsets.map((offset) => offset % (bytes.length + 1)).sort((a, b) => a - b),
    bytes.length,
  ];
  return edges
    .slice(1)
    .map((end, index) => bytes.subarray(edges[index], end))
    .filter((chunk) => chunk.length > 0);
}

const GZIP = { 'content-encoding': 'gzip' };
const ZSTD = { 'content-encoding': 'zstd' };

describe('readBody returns the body', () => {
  const seed = Date.now();
  const offsets = fc.array(fc.nat(2000), { maxLength: 8 });

  test.each<[string, string, Buffer]>([
    ['unchanged', 'identity', text],
    ['inflated from gzip', 'gzip', gzipSync(text)],
    ['inflated from x-gzip in capitals', ' X-GZIP ', gzipSync(text)],
    ['inflated from zlib', 'deflate', deflateSync(text)],
    ['inflated from raw deflate', 'deflate', deflateRawSync(text)],
    ['inflated from zstd', 'zstd', rawFrame(text)],
    [
      'inflated from several zstd frames',
      ' ZSTD ',
      Buffer.concat([rawFrame(text.subarray(0, 9)), rawFrame(text.subarray(9))]),
    ],
    [
      'inflated from several gzip members',
      'gzip',
      Buffer.concat([gzipSync(text.subarray(0, 9)), gzipSync(Buffer.alloc(0)), gzipSync(text.subarray(9))]),
    ],
  ])('%s, for any split into chunks, with and without Content-Length', async (_, coding, sent) => {
    await fc.assert(
      fc.asyncProperty(offsets, fc.boolean(), async (at, withLength) => {
        const headers = {
          'content-encoding': coding,
          ...(withLength ? { 'content-length': String(sent.length) } : {}),
        };
        const { body, left } = await read(split(sent, at), headers);
        expect(body?.equals(text)).toBe(true);
        expect(left).toBe(0);
      }),
      { seed, numRuns: 60 },
    );
  });

  const noise = Buffer.from(
    Array.from({ length: 400_000 }, (_, index) => Math.imul(index + 1, 0x9e3779b1) >>> 24),
  );
  test.each<[string, Buffer, Buffer]>([
    ['that hardly compresses', gzipSync(noise, { level: 1 }), noise],
    [
      'that inflates to a thousand times its size',
      gzipSync(Buffer.alloc(3_000_000)),
      Buffer.alloc(3_000_000),
    ],
    [
      'of two members, the last of which declares a smaller size',
      Buffer.concat([gzipSync(noise), gzipSync(text)]),
      Buffer.concat([noise, text]),
    ],
    [
      'of two members, the last of which declares a larger size',
      Buffer.concat([gzipSync(text), gzipSync(noise)]),
      Buffer.concat([text, noise]),
    ],
    ['of two members, the last of which is empty', Buffer.concat([gzipSync(noise), gzipSync('')]), noise],
  ])('inflated from gzip with Content-Length %s', async (_, sent, body) => {
    await fc.assert(
      fc.asyncProperty(offsets, async (at) => {
        const outcome = await read(split(sent, at), { ...GZIP, 'content-length': String(sent.length) });
        expect(outcome.body?.equals(body)).toBe(true);
        expect(outcome.left).toBe(0);
      }),
      { seed, numRuns: 10 },
    );
  });

  test('inflated from gzip without a header when sniffGzip is set', async () => {
    expect((await read([gzipSync(text)], {}, { sniffGzip: true })).body?.equals(text)).toBe(true);
    expect((await read([gzipSync(text)], {})).body?.equals(text)).toBe(false);
  });

  test('empty for a request without a body', async () => {
    for (const headers of [{}, GZIP, { ...GZIP, 'content-length': '0' }])
      expect((await read([], headers)).body).toHaveLength(0);
  });
});

describe('readBody rejects and releases the budget', () => {
  const seed = Date.now();
  const zipped = gzipSync(text);
  const offsets = fc.array(fc.nat(2000), { maxLength: 6 });

  test.each<[string, Buffer, string, string, string]>([
    [
      'plain text as gzip',
      text,
      'gzip',
      'VALIDATION_ERROR',
      'body is not gzip, although Content-Encoding says so',
    ],
    [
      'truncated gzip',
      zipped.subarray(0, zipped.length - 9),
      'gzip',
      'VALIDATION_ERROR',
      'gzip data ends early',
    ],
    [
      'gzip truncated in its header',
      zipped.subarray(0, 5),
      'gzip',
      'VALIDATION_ERROR',
      'gzip data ends early',
    ],
    [
      'bytes after gzip',
      Buffer.concat([zipped, Buffer.from('tail')]),
      'gzip',
      'VALIDATION_ERROR',
      'body has bytes after the end of the gzip data',
    ],
    [
      'zeros after gzip',
      Buffer.concat([zipped, Buffer.alloc(20)]),
      'gzip',
      'VALIDATION_ERROR',
      'body has bytes after the end of the gzip data',
    ],
    [
      'bytes after deflate',
      Buffer.concat([deflateSync(text), Buffer.from('tail')]),
      'deflate',
      'VALIDATION_ERROR',
      'body has bytes after the end of the deflate data',
    ],
    [
      'truncated deflate',
      deflateSync(text).subarray(0, 20),
      'deflate',
      'VALIDATION_ERROR',
      'deflate data ends early',
    ],
    [
      'a damaged checksum',
      Buffer.concat([zipped.subarray(0, -8), Buffer.alloc(8, 1)]),
      'gzip',
      'VALIDATION_ERROR',
      'gzip data is damaged',
    ],
    [
      'a wrong declared size',
      Buffer.concat([zipped.subarray(0, -4), Buffer.from([0xff, 0xff, 0xff, 0x7f])]),
      'gzip',
      'VALIDATION_ERROR',
      'gzip data is damaged',
    ],
    [
      'brotli',
      text,
      'br',
      'UNSUPPORTED_MEDIA_TYPE',
      'Content-Encoding must be gzip, deflate, zstd or identity',
    ],
    [
      'two codings',
      text,
      'gzip, gzip',
      'UNSUPPORTED_MEDIA_TYPE',
      'Content-Encoding must be gzip, deflate, zstd or identity',
    ],
  ])('%s', async (_, ...[sent, coding, code, message]) => {
    await fc.assert(
      fc.asyncProperty(offsets, fc.boolean(), async (at, withLength) => {
        const headers = {
          'content-encoding': coding,
          ...(withLength ? { 'content-length': String(sent.length) } : {}),
        };
        expect(await read(split(sent, at), headers)).toEqual({ code, message, left: 0 });
      }),
      { seed, numRuns: 40 },
    );
  });

  test.each([
    ['declared', {}, text],
    ['chunked', {}, text],
    ['inflated synchronously', GZIP, gzipSync(text)],
    ['inflated in chunks', GZIP, gzipSync(Buffer.alloc(3_000_000))],
    ['inflated from zstd', ZSTD, bomb(40)],
    [
      'of many bytes that inflate to none',
      ZSTD,
      Buffer.concat(Array.from({ length: 100 }, () => skippable(text))),
    ],
  ])('a body over the size limit: %s', async (name, headers, sent) => {
    const length = name === 'declared' ? { 'content-length': String(sent.length) } : {};
    const outcome = await read([sent], { ...headers, ...length }, { maxBytes: 100 });
    expect(outcome).toEqual({
      code: 'PAYLOAD_TOO_LARGE',
      message: 'body must not exceed 100 bytes after decompression',
      left: 0,
    });
  });

  test.each([
    ['declared', { 'content-length': String(text.length) }, text],
    ['chunked', {}, text],
    ['inflated synchronously', { ...GZIP, 'content-length': String(gzipSync(text).length) }, gzipSync(text)],
    ['inflated in chunks', GZIP, gzipSync(Buffer.alloc(3_000_000))],
    ['inflated from zstd', ZSTD, bomb(3)],
  ])(
    'a body over the budget of its project, without affecting another project: %s',
    async (_, headers, sent) => {
      const budget = new ByteBudget({ maxBytes: 800, projectShare: 0.25 });
      expect(await read([sent], headers, { budget })).toMatchObject({ code: 'OVERLOADED', left: 0 });
      const other = budget.open('p2');
      expect(() => other.reserve(200)).not.toThrow();
    },
  );

  test('when the client disconnects', async () => {
    for (const headers of [{}, GZIP, ZSTD]) {
      const request = incoming([], headers);
      const budget = new ByteBudget();
      const grant = budget.open('p1');
      const outcome = readBody(request, grant);
      request.destroy(new Error('ECONNRESET'));
      await expect(outcome).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' });
      grant.release();
      expect(budget.used).toBe(0);
    }
  });
});

describe('ByteBudget', () => {
  test('equals the sum of the reserved bytes after any sequence of reserve and release', () => {
    const step = fc.record({
      project: fc.constantFrom('a', 'b', 'c'),
      grant: fc.nat(3),
      bytes: fc.integer({ min: 0, max: 60 }),
      act: fc.constantFrom('reserve', 'releasePart', 'release'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const budget = new ByteBudget({ maxBytes: 100, projectShare: 0.5 });
        const grants = new Map<
          string,
          { grant: ReturnType<ByteBudget['open']>; project: string; held: number }
        >();
        for (const { project, grant: index, bytes, act } of steps) {
          const name = `${project}${index}`;
          const entry = grants.get(name) ?? { grant: budget.open(project), project, held: 0 };
          grants.set(name, entry);
          const ofProject = [...grants.values()]
            .filter((other) => other.project === project)
            .reduce((sum, { held }) => sum + held, 0);
          const fits = budget.used + bytes <= 100 && ofProject + bytes <= 50;
          if (act === 'reserve' && !fits) expect(() => entry.grant.reserve(bytes)).toThrow('too many bytes');
          else if (act === 'reserve') entry.grant.reserve(bytes);
          else if (act === 'releasePart') entry.grant.release(bytes);
          else entry.grant.release();
          if (act === 'reserve' && fits) entry.held += bytes;
          if (act === 'releasePart') entry.held -= Math.min(bytes, entry.held);
          if (act === 'release') entry.held = 0;
          expect(budget.used).toBe([...grants.values()].reduce((sum, { held }) => sum + held, 0));
        }
        for (const { grant } of grants.values()) grant.release();
        expect(budget.used).toBe(0);
      }),
      { seed: Date.now(), numRuns: 300 },
    );
  });
});
