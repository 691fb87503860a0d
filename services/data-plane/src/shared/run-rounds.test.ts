import { runRounds, type Rounds, type RoundsOptions } from './run-rounds.js';

describe('rounds', () => {
  it('follow each other, also after a failure, until they are stopped', async () => {
    const failures: unknown[] = [];
    const onFailure = (error: unknown) => failures.push(error);
    let count = 0;
    const run = (onThird: (signal: AbortSignal) => void) => {
      const round: RoundsOptions['round'] = (signal) => {
        if (++count === 1) return Promise.reject(new Error('first'));
        if (count === 3) onThird(signal);
        return Promise.resolve();
      };
      return runRounds({ round, restMs: () => 1, onFailure });
    };
    let rounds: Rounds | undefined;
    const signal = await new Promise<AbortSignal>((third) => {
      rounds = run(third);
    });
    expect(signal.aborted).toBe(false);
    await rounds?.stop();
    const stoppedAt = count;
    await rounds?.stop();
    expect([signal.aborted, failures, count]).toEqual([true, [new Error('first')], stoppedAt]);
  });

  it('end with the round in progress, whose failure is then none', async () => {
    const failures: unknown[] = [];
    const rounds = runRounds({
      round: (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')));
        }),
      restMs: () => 60_000,
      onFailure: (error) => failures.push(error),
    });
    await rounds.stop();
    expect(failures).toEqual([]);
  });
});
