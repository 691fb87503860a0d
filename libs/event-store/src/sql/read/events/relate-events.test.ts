import { SessionReads } from './relate-events.js';

describe('the sessions of the parts of a page', () => {
  it('are read part by part until those of one have too many rows', async () => {
    const reads = new SessionReads();
    const asked: string[] = [];
    const readAs = (part: string, rows: [] | undefined) =>
      reads.read(() => {
        asked.push(part);
        return Promise.resolve(rows);
      });
    const parts = [readAs('first', []), readAs('second', undefined), readAs('third', [])];
    expect(await Promise.all(parts)).toEqual([[], undefined, undefined]);
    expect(asked).toEqual(['first', 'second']);
  });

  it('are not read after a failure, which is that of its part alone', async () => {
    const reads = new SessionReads();
    const failed = reads.read(() => Promise.reject(new Error('the statement has failed')));
    const next = reads.read(() => Promise.resolve([]));
    await expect(failed).rejects.toThrow('the statement has failed');
    expect(await next).toBeUndefined();
  });
});
