import { restartMerges } from './restart-merges.js';

const failure = (code: string) => Object.assign(new Error('failed'), { code });

describe('starting merges again', () => {
  it('is retried until it succeeds', async () => {
    let attempts = 0;
    const start = () => (++attempts < 4 ? Promise.reject(failure('241')) : Promise.resolve());
    await restartMerges(start, new AbortController().signal, 1);
    expect(attempts).toBe(4);
  });

  it('is attempted once after the signal has aborted', async () => {
    let attempts = 0;
    const start = () => Promise.reject(failure(String(240 + ++attempts)));
    await restartMerges(start, AbortSignal.abort());
    expect(attempts).toBe(1);
  });

  it('ends when the signal aborts during a retry', async () => {
    const closing = new AbortController();
    let attempts = 0;
    const start = () => {
      if (++attempts === 2) closing.abort();
      return Promise.reject(failure('241'));
    };
    await restartMerges(start, closing.signal, 1);
    expect(attempts).toBe(2);
  });

  it('ends when the database is gone', async () => {
    let attempts = 0;
    const start = () => Promise.reject(failure(++attempts > 0 ? '81' : ''));
    await restartMerges(start, new AbortController().signal);
    expect(attempts).toBe(1);
  });
});
