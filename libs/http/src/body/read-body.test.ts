import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { AppError } from '@assay/errors';
import { ByteBudget } from '../scheduling/byte-budget.js';
import { readBody } from './read-body.js';

const text = Buffer.from(JSON.stringify({ a: 'some text '.repeat(50), n: [1, 2, 3] }));

/** A request whose body comes in these pieces. */
function incoming(
  pieces: readonly Buffer[],
  headers: Record<string, string | undefined> = {},
): IncomingMessage {
  return Object.assign(Readable.from(pieces, { objectMode: false }), { headers }) as never;
}

interface Outcome {
  readonly body?: Buffer;
  readonly code?: string;
  readonly message?: string;
  readonly left: number;
}

async function read(
  pieces: readonly Buffer[],
  headers: Record<string, string | undefined>,
  options: { maxBytes?: number; budget?: ByteBudget; sniffGzip?: boolean } = {},
): Promise<Outcome> {
  const budget = options.budget ?? new ByteBudget();
  const grant = budget.open('p1');
  try {
    const body = await readBody(incoming(pieces, headers), grant, options);
    expect(budget.used).toBe(body.length);
    grant.release();
    return { body, left: budget.used };
  } catch (error) {
    grant.release();
    if (error instanceof AppError) return { code: error.code, message: error.message, left: budget.used };
    throw error;
  }
}

/** Cut where the numbers say, as a network does. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const edges = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return edges
    .slice(1)
    .map((end, index) => bytes.subarray(edges[index], end))
    .filter((piece) => piece.length > 0);
}

const GZIP = { 'content-encoding': 'gzip' };

describe('a body is read', () => {
  const seed = Date.now();
  const places = fc.array(fc.nat(2000), { maxLength: 8 });

  test.each<[string, string, Buffer]>([
    ['as it is', 'identity', text],
    ['inflated from gzip', 'gzip', gzipSync(text)],
    ['inflated from x-gzip in capitals', ' X-GZIP ', gzipSync(text)],
    ['inflated from zlib', 'deflate', deflateSync(text)],
    ['inflated from raw deflate', 'deflate', deflateRawSync(text)],
    [
      'inflated from several gzip members',
      'gzip',
      Buffer.concat([gzipSync(text.subarray(0, 9)), gzipSync(Buffer.alloc(0)), gzipSync(text.subarray(9))]),
    ],
  ])('%s, however it is cut, with a length and without', async (_, coding, sent) => {
    await fc.assert(
      fc.asyncProperty(places, fc.boolean(), async (at, withLength) => {
        const headers = {
          'content-encoding': coding,
          ...(withLength ? { 'content-length': String(sent.length) } : {}),
        };
        const { body, left } = await read(cut(sent, at), headers);
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
    ['that hardly gets smaller', gzipSync(noise, { level: 1 }), noise],
    ['that becomes a thousand times as large', gzipSync(Buffer.alloc(3_000_000)), Buffer.alloc(3_000_000)],
    [
      'of two members, of which the last says a smaller length',
      Buffer.concat([gzipSync(noise), gzipSync(text)]),
      Buffer.concat([noise, text]),
    ],
    [
      'of two members, of which the last says a larger length',
      Buffer.concat([gzipSync(text), gzipSync(noise)]),
      Buffer.concat([text, noise]),
    ],
    ['of two members, of which the last is empty', Buffer.concat([gzipSync(noise), gzipSync('')]), noise],
  ])('whole from gzip of a known length %s', async (_, sent, body) => {
    await fc.assert(
      fc.asyncProperty(places, async (at) => {
        const outcome = await read(cut(sent, at), { ...GZIP, 'content-length': String(sent.length) });
        expect(outcome.body?.equals(body)).toBe(true);
        expect(outcome.left).toBe(0);
      }),
      { seed, numRuns: 10 },
    );
  });

  test('as gzip without a header, where that is asked for', async () => {
    expect((await read([gzipSync(text)], {}, { sniffGzip: true })).body?.equals(text)).toBe(true);
    expect((await read([gzipSync(text)], {})).body?.equals(text)).toBe(false);
  });

  test('empty when nothing comes', async () => {
    for (const headers of [{}, GZIP, { ...GZIP, 'content-length': '0' }])
      expect((await read([], headers)).body).toHaveLength(0);
  });
});

describe('a body is refused, and the budget gets everything back', () => {
  const seed = Date.now();
  const zipped = gzipSync(text);
  const places = fc.array(fc.nat(2000), { maxLength: 6 });

  test.each<[string, Buffer, string, string, string]>([
    [
      'plain text as gzip',
      text,
      'gzip',
      'VALIDATION_ERROR',
      'body is not gzip, although Content-Encoding says so',
    ],
    [
      'gzip cut short',
      zipped.subarray(0, zipped.length - 9),
      'gzip',
      'VALIDATION_ERROR',
      'gzip data ends early',
    ],
    ['gzip cut in its header', zipped.subarray(0, 5), 'gzip', 'VALIDATION_ERROR', 'gzip data ends early'],
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
      'deflate cut short',
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
      'a length at the end that is a lie',
      Buffer.concat([zipped.subarray(0, -4), Buffer.from([0xff, 0xff, 0xff, 0x7f])]),
      'gzip',
      'VALIDATION_ERROR',
      'gzip data is damaged',
    ],
    ['zstd', text, 'zstd', 'UNSUPPORTED_MEDIA_TYPE', 'Content-Encoding must be gzip, deflate or identity'],
    [
      'two codings',
      text,
      'gzip, gzip',
      'UNSUPPORTED_MEDIA_TYPE',
      'Content-Encoding must be gzip, deflate or identity',
    ],
  ])('%s', async (_, sent, coding, code, message) => {
    await fc.assert(
      fc.asyncProperty(places, fc.boolean(), async (at, withLength) => {
        const headers = {
          'content-encoding': coding,
          ...(withLength ? { 'content-length': String(sent.length) } : {}),
        };
        expect(await read(cut(sent, at), headers)).toEqual({ code, message, left: 0 });
      }),
      { seed, numRuns: 40 },
    );
  });

  test.each([
    ['declared', {}, text],
    ['chunked', {}, text],
    ['inflated at once', GZIP, gzipSync(text)],
    ['inflated piece by piece', GZIP, gzipSync(Buffer.alloc(3_000_000))],
  ])('over the limit: %s', async (name, headers, sent) => {
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
    ['inflated at once', { ...GZIP, 'content-length': String(gzipSync(text).length) }, gzipSync(text)],
    ['inflated piece by piece', GZIP, gzipSync(Buffer.alloc(3_000_000))],
  ])('over the budget of the project, while another project goes on: %s', async (_, headers, sent) => {
    const budget = new ByteBudget({ maxBytes: 800, projectShare: 0.25 });
    expect(await read([sent], headers, { budget })).toMatchObject({ code: 'OVERLOADED', left: 0 });
    const other = budget.open('p2');
    expect(() => other.take(200)).not.toThrow();
  });

  test('when the client goes away', async () => {
    for (const headers of [{}, GZIP]) {
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

describe('the budget', () => {
  test('is the sum of what is held, whatever is taken, given back and released', () => {
    const step = fc.record({
      project: fc.constantFrom('a', 'b', 'c'),
      grant: fc.nat(3),
      bytes: fc.integer({ min: 0, max: 60 }),
      act: fc.constantFrom('take', 'give', 'release'),
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
          if (act === 'take' && !fits) expect(() => entry.grant.take(bytes)).toThrow('too many bytes');
          else if (act === 'take') entry.grant.take(bytes);
          else if (act === 'give') entry.grant.give(bytes);
          else entry.grant.release();
          if (act === 'take' && fits) entry.held += bytes;
          if (act === 'give') entry.held -= Math.min(bytes, entry.held);
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
