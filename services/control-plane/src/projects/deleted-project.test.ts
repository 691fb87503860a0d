import { EventEmitter, once } from 'node:events';
import { makeMaintenance } from '../maintenance/maintenance.js';
import { openEmbedded } from '../shared/resource-api.fixture.js';
import { describeDeletedProject } from './deleted-project-contract.js';

describeDeletedProject('on SQLite', openEmbedded);

describe('maintenance', () => {
  it('does one round at a time, again when it is woken meanwhile, also after one that failed, until it is stopped', async () => {
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
      if (rounds === 1) throw new Error('the store is away');
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
