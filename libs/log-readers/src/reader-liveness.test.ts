import { readerLiveness } from './reader-liveness.js';

describe('readerLiveness', () => {
  it('fails for a reader without progress for more than 30 s, and leaves out absent readers', async () => {
    const checks = readerLiveness({
      reader: { idleMs: () => 30_001 },
      'forward reader': { idleMs: () => 30_000 },
      absent: undefined,
    });
    expect(Object.keys(checks)).toEqual(['reader', 'forward reader']);
    await expect(checks.reader?.()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(checks['forward reader']?.()).resolves.toBeUndefined();
  });
});
