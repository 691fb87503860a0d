import { unavailable, validationError } from '@assay/errors';
import { retry } from './retry.js';

/** Returns a call that fails with each of these in turn, then resolves. */
function failing(failures: Error[]) {
  const calls: number[] = [];
  const call = () => {
    calls.push(calls.length);
    const failure = failures[calls.length - 1];
    return failure ? Promise.reject(failure) : Promise.resolve('done');
  };
  return { calls, call };
}

describe('retry', () => {
  it('retries retryable failures once per delay', async () => {
    const { call, calls } = failing([unavailable('a'), unavailable('b')]);
    const seen: unknown[] = [];
    const onRetry = (error: unknown) => void seen.push((error as Error).message);
    expect(await retry(call, { delaysMs: [0, 0], onRetry })).toBe('done');
    expect([calls, seen]).toEqual([
      [0, 1, 2],
      ['a', 'b'],
    ]);
  });

  it('rejects with the last failure when the delays are used up', async () => {
    const { call, calls } = failing([unavailable('a'), unavailable('b'), unavailable('c')]);
    await expect(retry(call, { delaysMs: [0, 0] })).rejects.toThrow('c');
    expect(calls).toHaveLength(3);
  });

  it('does not retry other failures', async () => {
    const { call, calls } = failing([validationError('malformed')]);
    await expect(retry(call, { delaysMs: [0] })).rejects.toThrow('malformed');
    expect(calls).toHaveLength(1);
  });

  it('reads a delay only when it is needed', async () => {
    const read: number[] = [];
    const delays = (function* () {
      for (let index = 0; ; index++) {
        read.push(index);
        yield 0;
      }
    })();
    await retry(failing([unavailable('a')]).call, { delaysMs: delays });
    expect(read).toEqual([0]);
  });
});
