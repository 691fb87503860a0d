import { pendingEvaluation } from '@assay/domain';
import { metricOf } from '../../test/metric-fixture.js';
import { HeldTasks } from './held-tasks.js';
import type { Task } from './task-queue.js';

const task = (eventId: string, decidedAt: number, { projectId = 'p', metricId = 'm' } = {}): Task => {
  const cause = { fingerprint: '', trigger: 1, decidedAt };
  const evaluations = [pendingEvaluation(metricOf(metricId), cause)];
  return { key: `${projectId}/${eventId}`, pool: 'python', projectId, eventId, partition: 0, evaluations };
};
const due = (held: HeldTasks, now: number) => held.takeDue(now).map(({ eventId }) => eventId);

describe('tasks that are held until their sessions are quiet', () => {
  const open = () => new HeldTasks({ maxTasks: 4, maxPerProject: 2, holdMs: 100 });

  it('are due a time after the last change', () => {
    const held = open();
    held.add(task('a', 0));
    held.add(task('b', 50));
    expect([held.hasDue(99), due(held, 99)]).toEqual([false, []]);
    expect([held.hasDue(100), due(held, 100), held.size]).toEqual([true, ['a'], 1]);
    held.add(task('b', 90));
    held.add(task('b', 60, { metricId: 'n' }));
    expect(due(held, 189)).toEqual([]);
    expect(held.takeDue(190)).toMatchObject([{ evaluations: [{ metricId: 'm' }, { metricId: 'n' }] }]);
  });

  it('are not held once they are decided in another way', () => {
    const held = open();
    held.add(task('a', 0));
    held.add(task('a', 0, { metricId: 'n' }));
    held.remove(task('a', 0));
    expect([held.has('p/a', 'm'), held.has('p/a', 'n'), held.size]).toEqual([false, true, 1]);
    held.remove(task('a', 0, { metricId: 'n' }));
    expect([held.size, due(held, 1_000)]).toEqual([0, []]);
  });

  it('are bounded for each project and in total, and say that some are left in the store', () => {
    const held = open();
    for (const eventId of ['a', 'b', 'c']) held.add(task(eventId, 0));
    expect(held.size).toBe(2);
    for (const projectId of ['q', 'r', 's']) held.add(task('a', 0, { projectId }));
    expect(held.size).toBe(4);
    // A change of one that is held needs no room.
    held.add(task('a', 30));
    expect([held.takeMissed(), due(held, 99), held.takeMissed()]).toEqual([false, [], false]);
    expect(due(held, 100)).toHaveLength(3);
    expect([held.takeMissed(), held.takeMissed()]).toEqual([true, false]);
  });
});
