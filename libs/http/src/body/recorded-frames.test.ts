import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env as environment } from 'node:process';
import fc from 'fast-check';
import { AppError } from '@assay/errors';
import { inflateZstd } from './inflate-zstd.js';

interface Recorded {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly frame: string;
}

const recording = JSON.parse(
  readFileSync(join(__dirname, '../../test/zstd/recorded-frames.json'), 'utf8'),
) as { readonly library: string; readonly frames: readonly Recorded[]; readonly withDictionary: string };
const seed = Number(environment.SEED ?? Date.now() % 1_000_000_007);
const LIMIT = 1_048_576;

/** Inflates bytes that arrive in chunks of this size; at most 1 MB. */
function inflate(bytes: Buffer, chunkBytes = bytes.length): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) chunks.push(bytes.subarray(at, at + chunkBytes));
  let inflated = 0;
  return inflateZstd(chunks, (count) => {
    inflated += count;
    if (inflated > LIMIT) throw new AppError('PAYLOAD_TOO_LARGE', 'too large');
  });
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe(`frames of the reference encoder ${recording.library} (SEED=${seed})`, () => {
  it.each(recording.frames)('are inflated: $name', async ({ frame, bytes, sha256: expected }) => {
    for (const chunkBytes of [undefined, 1_000, 1]) {
      const inflated = await inflate(Buffer.from(frame, 'base64'), chunkBytes);
      expect([inflated.length, sha256(inflated)]).toEqual([bytes, expected]);
    }
  });

  it('are inflated one after the other', async () => {
    const all = recording.frames.filter(({ bytes }) => bytes < 20_000);
    const inflated = await inflate(Buffer.concat(all.map(({ frame }) => Buffer.from(frame, 'base64'))));
    expect(inflated).toHaveLength(all.reduce((sum, { bytes }) => sum + bytes, 0));
  });

  it('that need a dictionary are rejected', async () => {
    await expect(inflate(Buffer.from(recording.withDictionary, 'base64'))).rejects.toThrow(
      'zstd data must not need a dictionary',
    );
  });

  it('that were changed end within the limit, with content or with an error that names the data', async () => {
    const change = fc.record({ at: fc.nat(), byte: fc.integer({ min: 1, max: 255 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...recording.frames),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        async ({ frame }, changes) => {
          const bytes = Buffer.from(frame, 'base64');
          for (const { at, byte } of changes)
            bytes[at % bytes.length] = (bytes[at % bytes.length] as number) ^ byte;
          const inflated = await inflate(bytes).catch((error: unknown) => error);
          if (inflated instanceof Buffer) expect(inflated.length).toBeLessThanOrEqual(LIMIT);
          else expect(inflated).toBeInstanceOf(AppError);
        },
      ),
      { seed, numRuns: 1_000 },
    );
  });
});
