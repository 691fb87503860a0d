import { EventEmitter, once } from 'node:events';
import { makeMaintenance } from './maintenance.js';
import { openEmbedded } from '../../test/resource-api.js';
import { describeDeletedProject } from '../../test/deleted-project-suite.js';

describeDeletedProject('on SQLite', openEmbedded);

describe('maintenance', () => {
  it('runs one round at a time, another when woken meanwhile, also after a failure, until it is stopped', async () => {
    const events = new EventEmitter();
    const ends: (() => void)[] = [];
    const failures: unknown[] = [];
    let rounds = 0;
    const round = async (isStopping: () => boolean): Promise<void> => {
      rounds++;
      await new Promise<void>((resolve) => {
        ends.push(resolve);
        events.emit('round');
      });
      if (rounds === 1) throw new Error('the store is unavailable');
      expect(isStopping()).toBe(rounds === 3);
    };
    const maintenance = makeMaintenance({
      round,
      everyMs: 3_600_000,
      onFailure: (error) => failures.push(error),
    });
    maintenance.wake();
    expect(rounds).toBe(0);
    maintenance.start();
    maintenance.wake();
    maintenance.wake();
    const second = once(events, 'round');
    ends.pop()!();
    await second;
    expect([rounds, failures.length]).toEqual([2, 1]);
    maintenance.wake();
    const third = once(events, 'round');
    ends.pop()!();
    await third;
    const stopped = maintenance.stop();
    ends.pop()!();
    await stopped;
    maintenance.wake();
    expect([rounds, failures.length]).toEqual([3, 1]);
  });
});
