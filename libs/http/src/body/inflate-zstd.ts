import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { ZstdOutput } from './zstd/output.js';
import { ZstdDecoder, type ZstdPause } from './zstd/zstd-decoder.js';

/**
 * Inflates the chunks of a zstd body. Other requests have their turn after each megabyte.
 * @param onInflated called with the number of bytes of each block; throwing stops inflating
 * @throws AppError `VALIDATION_ERROR` when the data is damaged, cut, or needs a dictionary or too large a window; what
 * `onInflated` and `chunks` throw
 */
export async function inflateZstd(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  onInflated: (count: number) => void,
): Promise<Buffer> {
  const output = new ZstdOutput(onInflated);
  const decoder = new ZstdDecoder(output);
  const steps = decoder.run();
  for await (const chunk of chunks) {
    decoder.add(chunk);
    await untilInput(steps);
  }
  decoder.end();
  await untilInput(steps);
  return output.result();
}

async function untilInput(steps: Iterator<ZstdPause, void, undefined>): Promise<void> {
  for (let { done, value } = steps.next(); done !== true && value === 'turn'; { done, value } = steps.next())
    await turnOfOthers();
}
