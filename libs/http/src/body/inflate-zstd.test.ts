import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env as environment } from 'node:process';
import fc from 'fast-check';
import { AppError } from '@assay/errors';
import { zstdContent } from '../../test/zstd/content.js';
import { block, bomb, frame, MAGIC, rawFrame, skippable } from '../../test/zstd/frames.js';
import { inflateZstd } from './inflate-zstd.js';

const seed = Number(environment.SEED ?? Date.now() % 1_000_000_007);
const MB = 1_048_576;
const LIMIT = 2 * MB;
const content = zstdContent();
const file = (name: string) => readFileSync(join(__dirname, '../../test/zstd', name));
const FILES = ['level-1.no-check.zst', 'level-3.stream.zst', 'level-19.zst'];
const text = Buffer.from('{"a":1}');

/** Inflates bytes that arrive in chunks of this size; at most 2 MB. */
async function inflate(bytes: Buffer, chunkBytes = bytes.length): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) chunks.push(bytes.subarray(at, at + chunkBytes));
  let inflated = 0;
  return inflateZstd(chunks, (count) => {
    inflated += count;
    if (inflated > LIMIT) throw new Error('too large');
  });
}

async function failure(bytes: Buffer): Promise<string> {
  return inflate(bytes).then(
    (inflated) => `inflated to ${inflated.length} bytes`,
    (error: Error) => error.message,
  );
}

describe(`zstd bodies (SEED=${seed})`, () => {
  it.each(FILES)('are inflated, in chunks of any size: %s', async (name) => {
    const bytes = file(name);
    for (const size of [bytes.length, 65_536, 1_000, 1])
      expect((await inflate(bytes, size)).equals(content)).toBe(true);
  });

  it.each<[string, Buffer, Buffer]>([
    ['nothing', Buffer.alloc(0), Buffer.alloc(0)],
    ['bytes as they are', rawFrame(text), text],
    [
      'several frames',
      Buffer.concat([rawFrame(text), rawFrame(Buffer.alloc(0)), rawFrame(text)]),
      Buffer.concat([text, text]),
    ],
    ['frames to skip', Buffer.concat([skippable(text), rawFrame(text), skippable(Buffer.alloc(0))]), text],
    ['a dictionary id of zero', frame([block('raw', text, { last: true })], [1, 0x50, 0]), text],
    ['a window of 64 MB', frame([block('raw', text, { last: true })], [0, 0x80]), text],
    ['a size of the content', frame([block('raw', text, { last: true })], [0x20, text.length]), text],
  ])('contain %s', async (_, bytes, expected) => {
    expect((await inflate(bytes)).toString()).toBe(expected.toString());
    expect((await inflate(bytes, 1)).toString()).toBe(expected.toString());
  });

  it('that inflate to too much are stopped within a block of the limit', async () => {
    let inflated = 0;
    const stopped = inflateZstd([bomb(40)], (count) => {
      inflated += count;
      if (inflated > LIMIT) throw new Error('too large');
    });
    await expect(stopped).rejects.toThrow('too large');
    expect(inflated).toBeLessThanOrEqual(LIMIT + 131_072);
  });

  it('let others have a turn after each megabyte', async () => {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await inflateZstd([bomb(20)], () => undefined);
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(19);
  });

  const damaged = 'zstd data is damaged';
  const notZstd = 'body is not zstd, although its encoding says so: send gzip, deflate, zstd or identity';
  it.each<[string, Buffer, string]>([
    ['text', Buffer.from('{"a":1}'), notZstd],
    ['a short text', Buffer.from('{}'), notZstd],
    ['one byte of a frame to skip', Buffer.from([0x5a]), 'zstd data ends early'],
    ['three bytes', MAGIC.subarray(0, 3), 'zstd data ends early'],
    ['a cut header', frame([], [0]), 'zstd data ends early'],
    ['no block', frame([]), 'zstd data ends early'],
    ['no last block', frame([block('raw', text)]), 'zstd data ends early'],
    ['a cut frame to skip', skippable(text).subarray(0, 12), 'zstd data ends early'],
    [
      'other bytes at the end',
      Buffer.concat([rawFrame(text), text]),
      'body has bytes after the end of the zstd data',
    ],
    [
      'a dictionary',
      frame([block('raw', text, { last: true })], [1, 0x50, 7]),
      'zstd data must not need a dictionary',
    ],
    [
      'a window of 2 GB',
      frame([block('raw', text, { last: true })], [0, 0xa8]),
      'the window of zstd data must not be larger than 64 MB',
    ],
    ['a reserved bit', frame([block('raw', text, { last: true })], [8, 0x50]), damaged],
    ['a reserved type of block', frame([block('reserved', text, { last: true })]), damaged],
    [
      'a block above 128 KB',
      frame([block('repeated', text.subarray(0, 1), { last: true, size: 131_073 })]),
      damaged,
    ],
    ['another size than declared', frame([block('raw', text, { last: true })], [0x20, 9]), damaged],
    ['a larger size than declared', frame([block('raw', text), block('raw', text)], [0x20, 9]), damaged],
    [
      'a checksum of other content',
      frame([block('raw', text, { last: true }), Buffer.alloc(4)], [4, 0x50]),
      damaged,
    ],
    [
      'a compressed block without a table',
      frame([block('compressed', Buffer.from([0x53, 0x10, 0, 1, 2]), { last: true })]),
      damaged,
    ],
    [
      'thousands of compressed blocks without content',
      frame(Array.from({ length: 2_000 }, () => block('compressed', Buffer.from([0, 0])))),
      'zstd data has too many blocks without content',
    ],
  ])('with %s are rejected', async (_, bytes, message) => {
    expect(await failure(bytes)).toBe(message);
  });

  it('that are cut anywhere are rejected', async () => {
    const bytes = file('level-19.zst');
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: bytes.length - 1 }), async (length) => {
        expect(await failure(bytes.subarray(0, length))).toBe('zstd data ends early');
      }),
      { seed, numRuns: 100 },
    );
  });

  it('that were changed are rejected, or have no checksum', async () => {
    const change = fc.record({ at: fc.nat(), byte: fc.integer({ min: 1, max: 255 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...FILES),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        async (name, changes) => {
          const bytes = Buffer.from(file(name));
          for (const { at, byte } of changes)
            bytes[at % bytes.length] = (bytes[at % bytes.length] as number) ^ byte;
          const inflated = await inflate(bytes).catch((error: unknown) => error);
          const isSame = inflated instanceof Buffer && inflated.equals(content);
          const isRefused =
            inflated instanceof AppError || (inflated instanceof Error && inflated.message === 'too large');
          const mayDiffer = name === FILES[0] && inflated instanceof Buffer;
          expect(isSame || isRefused || mayDiffer).toBe(true);
        },
      ),
      { seed, numRuns: 300 },
    );
  });
});
