import { unavailable, validationError } from '@assay/errors';
import type { Logger } from '../log/logger.js';
import { startWithRetry } from './start-with-retry.js';

const logger: Logger = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };
const options = { logger, closeWithinMs: 1_000, retryAfterMs: 1 };

/** Returns a start that opens a part and then fails with each of these in turn. */
function startThat(failures: Error[]) {
  const steps: string[] = [];
  const open = (closing: { add: (name: string, thing: unknown, close: () => Promise<void>) => unknown }) => {
    steps.push('open');
    closing.add('part', undefined, () => Promise.resolve(void steps.push('close')));
    const failure = failures.shift();
    return failure ? Promise.reject(failure) : Promise.resolve();
  };
  return { steps, open };
}

describe('startWithRetry', () => {
  it('retries while a dependency is unavailable, with all parts closed in between', async () => {
    const { steps, open } = startThat([
      unavailable('event store unavailable'),
      unavailable('event store unavailable'),
    ]);
    const running = await startWithRetry({ ...options, startWithinMs: 60_000 }, open);
    expect(steps).toEqual(['open', 'close', 'open', 'close', 'open']);
    expect(await running.close()).toBe(true);
    expect(steps.at(-1)).toBe('close');
  });

  it('rejects when the time for the start is over', async () => {
    const { steps, open } = startThat([unavailable('event store unavailable')]);
    await expect(startWithRetry({ ...options, startWithinMs: 0 }, open)).rejects.toThrow(
      'event store unavailable',
    );
    expect(steps).toEqual(['open', 'close']);
  });

  it('rejects immediately with a failure that is not retryable', async () => {
    const { steps, open } = startThat([validationError('the URL is malformed')]);
    await expect(startWithRetry({ ...options, startWithinMs: 60_000 }, open)).rejects.toThrow(
      'the URL is malformed',
    );
    expect(steps).toEqual(['open', 'close']);
  });
});
